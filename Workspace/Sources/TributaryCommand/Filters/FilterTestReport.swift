import Foundation
import TributaryFilterTestKit
import TributaryFilters
import TributaryJSON

/// The output of `filter test` for people.
struct FilterTestReport {
    let style: OutputStyle
    /// True when standard output is for JSON only.
    let writesToErrors: Bool

    func problems(_ problems: [FilterProblem]) {
        for problem in problems { Console.error("\(style.bad("problem"))  \(problem)") }
    }

    func findings(_ findings: [FilterFinding]) {
        for finding in findings { Console.error(style.text(finding.severity.rawValue, "\(finding)")) }
    }

    func warn(_ text: String) { Console.error(text) }

    func example(_ result: FilterTestRun.Result, line: Int) {
        let rules = result.outcome.rules.map(String.init).joined(separator: ", ")
        write("line \(line), \(EventTitle.text(result.before)), changed for \(result.destination) by rule \(rules):")
        for text in style.difference(result.before, result.after ?? .null) { write(text) }
    }

    func summary(_ testRun: FilterTestRun, unreadable: Int) {
        for rule in testRun.rules {
            let label = RuleLabel.text(rule: rule.rule, name: rule.name, destination: rule.destination)
            let failed = rule.failed > 0 ? ", \(rule.failed.grouped) on which it could not do all its work" : ""
            write(
                "\(label): \(rule.dropped.grouped) dropped, \(rule.changed.grouped) changed, "
                    + "\(testRun.untouched(by: rule).grouped) untouched\(failed)")
        }
        for destination in testRun.destinations {
            let gets = testRun.events - destination.dropped
            write(
                "\(style.bold(destination.destination)): gets \(gets.grouped) of \(testRun.events.grouped) events, "
                    + "\(destination.changed.grouped) of them changed; \(destination.dropped.grouped) dropped")
        }
        if unreadable > 0 { write("\(unreadable.grouped) lines could not be read") }
    }

    private func write(_ line: String) {
        if writesToErrors { Console.error(line) } else { print(line) }
    }
}
