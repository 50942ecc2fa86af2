import ArgumentParser
import Foundation
import TributaryJSON
import TributaryPluginTestKit

/// Shows what a bundle does to recorded events.
struct PluginTest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Shows what a bundle does to recorded events, and its cost.",
        discussion: """
            The events are JSON objects, one on each line, plain or gzip. Each goes through the plugins of the stages \
            before, enrichment and after; with --destination, through those of that destination too. Each also goes \
            through the plugins as they run in the workspace, and the command says when the results differ.

            The exit code is 1 when a plugin has a fault.

            With --json, each event gives one line, {"before": ..., "after": {...} or null, "faults": [...], \
            "microseconds": ...}, and everything else goes to standard error.
            """)

    @Argument(help: "The JavaScript file, or a folder of them.", completion: .file(extensions: ["js"]))
    var bundle: String

    @Option(help: "The file of events.", completion: .file(extensions: ["json", "ndjson", "jsonl", "gz"]))
    var events: String

    @Option(help: "Run the plugins of this destination too.")
    var destination: String?

    @Option(help: "The source map of a generated file, unless it carries one.", completion: .file(extensions: ["map"]))
    var sourceMap: String?

    @Option(help: "How many changed events are shown with their differences.")
    var examples = 20

    @Flag(help: "Write one line of JSON for each event.")
    var json = false

    func validate() throws {
        if examples < 0 { throw ValidationError("--examples is a number from 0") }
        if destination?.isEmpty == true { throw ValidationError("--destination must not be empty") }
    }

    func run() throws {
        let file = try BundleFile(bundle, sourceMap: sourceMap)
        let source = try file.source()
        let report = PluginReport(writesJSON: json, examples: examples)
        let inWorkspace: WorkspaceRun
        let testRun: PluginTestRun
        do {
            testRun = try PluginTestRun(
                source: source, name: bundle, destination: destination,
                sourceMap: file.sourceMap, console: report.console)
            inWorkspace = try WorkspaceRun(source: source, name: bundle, writeKey: "TRIAL", version: "trial")
        } catch {
            throw Failure("\(error)")
        }
        let destinations = testRun.plugins.compactMap(\.destination)
        if let destination, !destinations.contains(destination) {
            let known =
                destinations.isEmpty ? "none has a destination" : "there are \(destinations.joined(separator: ", "))"
            throw Failure("no plugin in \(bundle) is for the destination \(destination); \(known)")
        }
        report.loaded(testRun)
        var lines = try EventLines(events)
        defer { lines.close() }
        while let line = try lines.next() { report.take(line, lines.share, testRun, inWorkspace) }
        report.finish()
        if report.events == 0 { throw Failure("\(events) holds no event") }
        if report.hasFaults { throw ExitCode(1) }
    }
}
