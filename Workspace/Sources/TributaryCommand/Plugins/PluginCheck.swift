import ArgumentParser
import TributaryPluginTestKit

/// Checks a bundle without running events.
struct PluginCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks the syntax, the size and the use of the API of a bundle.",
        discussion: """
            Loads the bundle in the engine and the sandbox that devices have, and runs its plugins on made-up events. The \
            exit code is 1 when devices would not run it, when `update` of a plugin fails, or when a part certainly cannot \
            do what it says, such as a plugin that is never added or a method that nothing calls; warnings do not count. \
            `tributary plugin deploy` also compares it with stored events.
            """)

    @Argument(help: "The JavaScript file, or a folder of them.", completion: .file(extensions: ["js"]))
    var file: String

    @Option(help: "The source map of a generated file, unless it carries one.", completion: .file(extensions: ["map"]))
    var sourceMap: String?

    @OptionGroup var tables: TableOptions

    func run() throws {
        let bundle = try BundleFile(file, sourceMap: sourceMap, tables: tables)
        let review = BundleReview(bytes: [UInt8](bundle.bytes), name: file, sourceMap: bundle.sourceMap)
        let style = OutputStyle.output
        for finding in review.findings { print(style.text(finding, in: file)) }
        for plugin in review.plugins {
            let place = plugin.destination.map { "\(plugin.type) of \($0)" } ?? plugin.type
            print("plugin \(style.bold(plugin.name)), \(place)")
        }
        if review.hasGenerator { print("generator \(style.bold("processSignal")), for signals") }
        for name in review.tables.names {
            let entries = review.tables.entries(of: name).count
            let bytes = review.tables.bytes(of: name)
            print(
                "table \(style.bold(name)), \(entries.grouped) \(entries == 1 ? "entry" : "entries"), \(bytes.grouped) bytes"
            )
        }
        if !review.hasErrors, review.tables.names.isEmpty { try describeData(bundle, style) }
        let time = review.loadSeconds.map { ", loads in \(Int(($0 * 1000).rounded(.up))) ms" } ?? ""
        print("\(review.bytes.grouped) bytes\(time)")
        if review.hasErrors { throw ExitCode(1) }
    }

    /// Says which plugins become data, and why others do not.
    private func describeData(_ bundle: BundleFile, _ style: OutputStyle) throws {
        let data = PluginData(try bundle.source())
        for name in data.plugins where data.isData(plugin: name) { print("data   \(style.bold(name)) becomes data") }
        for problem in data.problems {
            let place = "\(bundle.place(ofLine: problem.line)):\(problem.column)"
            let plugin = problem.plugin.map { "\(style.bold($0)) stays a script" } ?? "the bundle stays a script"
            print("data   \(plugin): \(place): \(problem.reason)")
        }
    }
}

extension OutputStyle {
    /// A finding on a line: "error" or "warning", and its text.
    func text(_ severity: String, _ text: String) -> String {
        "\(severity == "error" ? bad(severity) : bold(severity))  \(text)"
    }

    /// A finding on a line, with its place.
    func text(_ finding: BundleReview.Finding, in file: String) -> String {
        let file = finding.file ?? file
        let place = finding.line.map { "\(file):\($0)" } ?? file
        return text(finding.severity.rawValue, "\(place): \(finding.message)")
    }
}
