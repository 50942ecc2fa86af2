import ArgumentParser
import Foundation
import TributaryFilterTestKit
import TributaryJSON

/// Shows the effect of rules on recorded events.
struct FilterTest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Shows what rules do to recorded events.",
        discussion: """
            The rules are one rule, a list of rules, or a settings document with middlewareSettings.routingRules. The \
            events are JSON objects, one on each line, plain or gzip. A rule that names no destination is tested for \
            the one of --destination, or for any.

            The exit code is 1 when a rule has a problem, cannot do what it says, or could not do all its work on an \
            event.

            With --json, each event gives one line for each destination, {"destination": ..., "before": {...}, \
            "after": {...} or null, "rules": [positions]}, and everything else goes to standard error.
            """)

    @Argument(help: "The file of rules.", completion: .file(extensions: ["json"]))
    var file: String

    @Option(help: "The file of events.", completion: .file(extensions: ["json", "ndjson", "jsonl", "gz"]))
    var events: String

    @Option(help: "Test this destination only; by default all that the rules name.")
    var destination: String?

    @Option(help: "How many changed events are shown with their differences.")
    var examples = 3

    @Flag(help: "Write one line of JSON for each event and destination.")
    var json = false

    func validate() throws {
        if examples < 0 { throw ValidationError("--examples is a number from 0") }
        if destination?.isEmpty == true { throw ValidationError("--destination must not be empty") }
    }

    func run() throws {
        let rulesFile = try RulesFile(file)
        let rules = rulesFile.rules(for: destination)
        let review = FilterReview(routingRules: destination == nil ? rulesFile.rules : rules)
        var testRun = FilterTestRun(routingRules: rules, destination: destination)
        let report = FilterTestReport(style: json ? .errors : .output, writesToErrors: json)
        report.problems(testRun.problems)
        report.findings(review.findings)
        guard !testRun.destinations.isEmpty else {
            throw Failure("no rule in \(file) is for \(destination ?? "a destination")")
        }
        var lines = try EventLines(events)
        defer { lines.close() }
        var run = FilterTestOutput(report: report, writesJSON: json, examples: examples)
        while let line = try lines.next() { run.take(line, lines, &testRun) }
        run.finish()
        report.summary(testRun, unreadable: run.unreadable)
        if testRun.events == 0 { throw Failure("\(events) holds no event") }
        let isWithoutFault = testRun.problems.isEmpty && testRun.rules.allSatisfy { $0.failed == 0 }
        if !isWithoutFault || review.hasErrors { throw ExitCode(1) }
    }
}
