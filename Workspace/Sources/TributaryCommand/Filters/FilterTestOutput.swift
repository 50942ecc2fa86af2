import Foundation
import TributaryFilterTestKit
import TributaryFilters
import TributaryJSON
import WorkspaceCore

/// Runs the rules on the events of a file, one line at a time, and prints what they do.
struct FilterTestOutput {
    private static let shownUnreadable = 5

    let report: FilterTestReport
    let writesJSON: Bool
    /// Changed events that are still to be shown.
    private var examples: Int
    private(set) var unreadable = 0
    private var progress = Progress()

    init(report: FilterTestReport, writesJSON: Bool, examples: Int) {
        (self.report, self.writesJSON, self.examples) = (report, writesJSON, examples)
    }

    mutating func take(_ line: EventLines.Line, _ lines: EventLines, _ testRun: inout FilterTestRun) {
        progress.show(lines.share, events: testRun.events)
        do throws(Failure) {
            show(testRun.run(.object(try line.object())), line)
        } catch {
            unreadable += 1
            if unreadable <= Self.shownUnreadable { say("line \(line.number) \(error); it is left out") }
        }
    }

    private mutating func show(_ results: [FilterTestRun.Result], _ line: EventLines.Line) {
        for result in results {
            if writesJSON { write(result) }
            guard !writesJSON, result.outcome.result == .changed, examples > 0 else { continue }
            examples -= 1
            progress.clear()
            report.example(result, line: line.number)
        }
    }

    func finish() { progress.finish() }

    private mutating func say(_ text: String) {
        progress.clear()
        report.warn(text)
    }

    private func write(_ result: FilterTestRun.Result) {
        let line: JSON = [
            "destination": .string(result.destination), "before": result.before, "after": result.after ?? .null,
            "rules": .numbers(result.outcome.rules),
        ]
        print(line.description)
    }
}
