import Foundation
import TributaryFilterTrials
import TributaryFilters
import TributaryJSON

/// What `filter test` says to people.
struct TrialReport {
    let style: OutputStyle
    /// True when the standard output belongs to JSON.
    let writesToErrors: Bool

    func problems(_ problems: [FilterProblem]) {
        for problem in problems { Console.error("\(style.bad("problem"))  \(problem)") }
    }

    func warn(_ text: String) { Console.error(text) }

    func example(_ result: FilterTrial.Result, line: Int) {
        let rules = result.outcome.rules.map(String.init).joined(separator: ", ")
        write("line \(line), \(EventTitle.text(result.before)), changed for \(result.destination) by rule \(rules):")
        for text in style.difference(result.before, result.after ?? .null) { write(text) }
    }

    func summary(_ trial: FilterTrial, unreadable: Int) {
        for rule in trial.rules {
            let label = RuleLabel.text(rule: rule.rule, name: rule.name, destination: rule.destination)
            let failed = rule.failed > 0 ? ", \(rule.failed.grouped) on which it could not do all its work" : ""
            write(
                "\(label): \(rule.dropped.grouped) dropped, \(rule.changed.grouped) changed, "
                    + "\(trial.untouched(by: rule).grouped) untouched\(failed)")
        }
        for destination in trial.destinations {
            let gets = trial.events - destination.dropped
            write(
                "\(style.bold(destination.destination)): gets \(gets.grouped) of \(trial.events.grouped) events, "
                    + "\(destination.changed.grouped) of them changed; \(destination.dropped.grouped) dropped")
        }
        if unreadable > 0 { write("\(unreadable.grouped) lines could not be read") }
    }

    private func write(_ line: String) {
        if writesToErrors { Console.error(line) } else { print(line) }
    }
}
