import ArgumentParser
import Foundation
import TributaryPluginTestKit

/// Prints a bundle.
struct PluginBuild: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Prints the bundle that deploy would send: the scripts, and the tables in its first line.",
        discussion: """
            For an app's fallback file, for a configuration in files, and for a signature by another tool. The other commands take \
            the result as they take a script. With `--data`, the first line has the plugins as data, which apps run without a \
            JavaScript engine; each part of the script that does not become data is named, with the reason.
            """)

    @Argument(help: "The JavaScript file, or a folder of them.", completion: .file(extensions: ["js"]))
    var file: String

    @OptionGroup var tables: TableOptions

    @Flag(help: "Put the plugins into the first line as data. Fails when a part of the script does not become data.")
    var data = false

    func run() throws {
        let bundle = try BundleFile(file, tables: tables)
        guard data else { return try FileHandle.standardOutput.write(contentsOf: bundle.bytes) }
        let made = PluginData(ScriptTables.code(of: try bundle.source()))
        guard made.isData else {
            let reasons = made.problems.map { "\(bundle.place(ofLine: $0.line)): \($0.reason)" }
            throw Failure("it does not become data:\n" + reasons.joined(separator: "\n"))
        }
        guard try ScriptTables.parts(of: try bundle.source()).tables.isEmpty else {
            throw Failure("a bundle with tables does not become data")
        }
        try FileHandle.standardOutput.write(contentsOf: Data(made.bundle.utf8))
    }
}
