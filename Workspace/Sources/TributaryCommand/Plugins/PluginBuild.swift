import ArgumentParser
import Foundation

/// Prints a bundle.
struct PluginBuild: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Prints the bundle that deploy would send: the scripts, and the tables in its first line.",
        discussion: """
            For an app's fallback file, for a configuration in files, and for a signature by another tool. The other commands take \
            the result as they take a script.
            """)

    @Argument(help: "The JavaScript file, or a folder of them.", completion: .file(extensions: ["js"]))
    var file: String

    @OptionGroup var tables: TableOptions

    func run() throws { try FileHandle.standardOutput.write(contentsOf: try BundleFile(file, tables: tables).bytes) }
}
