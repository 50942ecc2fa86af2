import AnalyticsLive
import ArgumentParser
import Foundation
import TributaryJSON
import TributaryPluginTestKit
import TributaryTesting

/// Shows what a bundle does to recorded events.
struct PluginTest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Shows what a bundle does to recorded events, and its cost.",
        discussion: """
            The events are JSON objects, one on each line, plain or gzip. Each goes through the plugins of the stages \
            before, enrichment and after; with --destination, through those of that destination too. Each also goes \
            through the plugins as they run in the workspace, and the command says when the results differ. With --allow, \
            scripts may do only what an app with these permissions allows, and the rest is a fault.

            With --against, the bundle is run on golden sessions (`tributary plugin golden`), and the command shows how the \
            results differ from those of the file: events changed, dropped and made, by name, and the fields.

            The exit code is 1 when a plugin has a fault. With --against, it is also 1 when a rule is broken, such as a \
            planned event that vanishes, and with --exact when anything differs.

            With --against and --json, the output is the review as one JSON object. With --json alone, each event gives one line, {"before": ..., "after": {...} or null, "faults": [...], \
            "microseconds": ...}, and everything else goes to standard error.
            """)

    @Argument(help: "The JavaScript file, or a folder of them.", completion: .file(extensions: ["js"]))
    var bundle: String

    @Option(help: "The file of events.", completion: .file(extensions: ["json", "ndjson", "jsonl", "gz"]))
    var events: String?

    @Option(help: "The file of golden sessions.", completion: .file(extensions: ["ndjson"]))
    var against: String?

    @Flag(help: "Fail when any result differs from that of the golden sessions.")
    var exact = false

    @Option(help: "Run the plugins of this destination too.")
    var destination: String?

    @Option(help: "The source map of a generated file, unless it carries one.", completion: .file(extensions: ["map"]))
    var sourceMap: String?

    @OptionGroup var tables: TableOptions

    @Option(
        parsing: .upToNextOption,
        help: "What the app lets scripts do, such as 'rename', 'drop Debug*', 'change traits.*'. Default: everything.",
        transform: permission)
    var allow: [ScriptPermission] = []

    @Option(help: "How many changed events are shown with their differences.")
    var examples = 20

    @Flag(help: "Write one line of JSON for each event.")
    var json = false

    func validate() throws {
        if examples < 0 { throw ValidationError("--examples is a number from 0") }
        guard (events == nil) != (against == nil) else { throw ValidationError("give --events or --against") }
        if exact, against == nil { throw ValidationError("--exact goes with --against") }
        if against != nil, destination != nil || !allow.isEmpty {
            throw ValidationError("--destination and --allow go with --events")
        }
        if destination?.isEmpty == true { throw ValidationError("--destination must not be empty") }
    }

    func run() throws {
        let file = try BundleFile(bundle, sourceMap: sourceMap, tables: tables)
        let source = try file.source()
        guard let events else { return try compare(source, with: try GoldenFile.read(against ?? "")) }
        let report = PluginReport(writesJSON: json, examples: examples)
        let inWorkspace: WorkspaceRun
        let testRun: PluginTestRun
        do {
            testRun = try PluginTestRun(
                source: source, name: bundle, destination: destination,
                sourceMap: file.sourceMap, allow: allow.isEmpty ? nil : allow, console: report.console)
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

    /// Plays golden sessions.
    private func compare(_ source: String, with golden: GoldenSessions) throws {
        let log = TrialLog()
        var replay = GoldenReplay(source: source, name: bundle)
        replay.fault = { log.count(fault: $0) }
        replay.console = { Console.error("\($0): \($1)") }
        let review: GoldenReview
        do {
            review = try replay.review(of: golden)
        } catch {
            throw Failure("\(error)")
        }
        let text = ReviewText(review.json, style: json ? .errors : .output)
        if json { print(review.json.description) } else { text.lines.forEach { print($0) } }
        for fault in log.texts { Console.error(OutputStyle.errors.text("fault", fault.printable)) }
        guard review.records > 0 else { throw Failure("\(against ?? "") holds no session") }
        if !review.broken.isEmpty || !log.texts.isEmpty || exact && !review.isSame { throw ExitCode(1) }
    }

    @Sendable
    private static func permission(_ text: String) throws -> ScriptPermission {
        guard let permission = ScriptPermission(text) else {
            throw ValidationError(
                "there is no permission \(text.printable); docs/guides/live-plugins.md has all of them")
        }
        return permission
    }
}
