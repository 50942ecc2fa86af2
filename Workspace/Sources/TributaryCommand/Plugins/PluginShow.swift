import ArgumentParser
import Foundation

/// Shows the text of a deployed bundle.
struct PluginShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Prints the text of the live plugins of a source.")

    @Argument(help: "The version; by default the newest.")
    var version: Int?

    @OptionGroup var options: SourceOptions

    func run() async throws {
        let bundles = try await DeployedBundles(options)
        let version = try version ?? bundles.requireNewest()
        let text = try await bundles.text(of: version)
        if text.isEmpty { throw Failure("version \(version) switches live plugins off, so it has no text") }
        try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        if !text.hasSuffix("\n") { print() }
    }
}
