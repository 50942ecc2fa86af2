import ArgumentParser
import TributaryPluginTestKit

/// Checks a bundle without running events.
struct PluginCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks the syntax, the size and the use of the API of a bundle.",
        discussion: """
            Loads the bundle in the engine and the sandbox that devices have. The exit code is 1 when devices would \
            not run it, or when `update` of a plugin fails; warnings do not count.
            """)

    @Argument(help: "The JavaScript file.", completion: .file(extensions: ["js"]))
    var file: String

    @Option(help: "The source map of a generated file, unless it carries one.", completion: .file(extensions: ["map"]))
    var sourceMap: String?

    func run() throws {
        let review = BundleReview(
            bytes: [UInt8](try InputFile.read(file)), name: file, sourceMap: try sourceMap.map(InputFile.read))
        let style = OutputStyle.output
        for finding in review.findings { print(style.text(finding, in: file)) }
        for plugin in review.plugins {
            let place = plugin.destination.map { "\(plugin.type) of \($0)" } ?? plugin.type
            print("plugin \(style.bold(plugin.name)), \(place)")
        }
        if review.hasGenerator { print("generator \(style.bold("processSignal")), for signals") }
        let time = review.loadSeconds.map { ", loads in \(Int(($0 * 1000).rounded(.up))) ms" } ?? ""
        print("\(review.bytes.grouped) bytes\(time)")
        if !review.isUsable { throw ExitCode(1) }
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
