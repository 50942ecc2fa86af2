import ArgumentParser
import TributaryPluginTestKit
import WorkspaceServer

/// Makes a folder with a plugin to begin with.
struct PluginNew: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Makes a folder with a plugin, TypeScript declarations and events to test it with.",
        discussion: "In an existing folder, the command writes only the files that are missing.")

    @Argument(help: "The name of the plugin's class, such as FixProductViewed.")
    var name: String

    @Option(help: "A template in place of an empty plugin: \(PluginTemplateFiles.names.joined(separator: ", ")).")
    var template: String?

    @Option(help: "The folder; by default it has the plugin's name.", completion: .directory)
    var folder: String?

    func validate() throws {
        try ClassName.check(name)
        if let template, PluginTemplateFiles.script(template) == nil {
            let known = PluginTemplateFiles.names.joined(separator: ", ")
            throw ValidationError("there is no template \(template.printable); there is \(known)")
        }
    }

    func run() throws {
        let path = folder ?? name
        try NewFolder(path: path).write([
            ("plugin.js", template.flatMap(PluginTemplateFiles.script) ?? PluginTemplate.script(name: name)),
            ("liveplugins.d.ts", PluginTemplate.declarations), ("jsconfig.json", PluginTemplate.configuration),
            ("events.ndjson", template.flatMap(PluginTemplateFiles.events) ?? PluginTemplate.events),
        ])
        print("try it: tributary plugin test \(path)/plugin.js --events \(path)/events.ndjson")
    }
}
