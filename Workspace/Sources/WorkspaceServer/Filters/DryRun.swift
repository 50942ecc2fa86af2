import TributaryFilterTestKit
import TributaryFilters
import TributaryJSON
import WorkspaceCore

/// The effect that proposed rules would have had on the newest stored events of a source.
struct DryRun: Sendable {
    private(set) var testRun: FilterTestRun
    private let problems: [FilterProblem]
    private let rules: JSON
    /// The destinations of the settings, of forwarding and of the tested events.
    private var known: Set<String>
    /// Kept separately, so that many changed events do not hide the dropped ones.
    private var changed: [FilterTestRun.Result] = []
    private var dropped: [FilterTestRun.Result] = []
    /// False when the time was over before all events had been tested.
    var isComplete = true

    /// - Parameters:
    ///   - destination: the only destination to try; nil tries all that rules name.
    ///   - known: the destinations that the workspace knows.
    /// - Throws: `Refusal` when the rules are not a list, or name too many destinations.
    init(_ rules: JSON, destination: String?, known: Set<String> = []) throws(Refusal) {
        guard rules.elements != nil else { throw .invalid("filters must be a JSON array of rules") }
        (self.rules, self.known) = (rules, known)
        problems = RoutingRules.problems(in: rules)
        testRun = FilterTestRun(routingRules: rules, destination: destination)
        guard testRun.destinations.count <= Limits.dryRunDestinations else {
            throw .invalid(
                "a dry run takes rules for at most \(Limits.dryRunDestinations) destinations; name one of them")
        }
    }

    mutating func take(_ event: JSON) {
        noteDestinations(of: event)
        for result in testRun.run(event) {
            switch result.outcome.result {
            case .kept: continue
            case .changed: if changed.count < Limits.dryRunExamples { changed.append(result) }
            case .dropped: if dropped.count < Limits.dryRunExamples { dropped.append(result) }
            }
        }
    }

    /// A client names its destinations in each event.
    private mutating func noteDestinations(of event: JSON) {
        guard known.count < Limits.dryRunKnownDestinations else { return }
        known.formUnion(EventDestinations.names(in: event))
    }

    /// Rules that cannot be meant as written, and rules that the tested events make doubtful.
    private var findings: [FilterFinding] {
        let review = FilterReview(routingRules: rules, destinations: testRun.events > 0 ? known : nil)
        return review.findings + testRun.rules.compactMap(doubt)
    }

    /// A rule that none of the tested events concerned, or that concerned all of them.
    private func doubt(about rule: FilterTestRun.RuleCount) -> FilterFinding? {
        guard testRun.events >= Limits.dryRunFewestEvents else { return nil }
        let events = testRun.events
        switch rule.dropped + rule.changed {
        case 0:
            return FilterFinding(
                .warning, rule: rule.rule, path: "", "none of the newest \(events) stored events is dropped or changed")
        case events:
            let what = rule.changed == 0 ? "dropped" : "changed"
            return FilterFinding(
                .warning, rule: rule.rule, path: "", "all of the newest \(events) stored events are \(what)")
        default: return nil
        }
    }

    var json: JSON {
        [
            "events": .number(testRun.events), "complete": .bool(isComplete),
            "problems": .array(problems.map(Self.json)), "findings": .array(findings.map(Self.json)),
            "rules": .array(testRun.rules.map(json)), "destinations": .array(testRun.destinations.map(Self.json)),
            "examples": .array((changed + dropped).map(Self.json)),
        ]
    }

    private static func json(_ finding: FilterFinding) -> JSON {
        [
            "severity": .string(finding.severity.rawValue), "rule": .number(finding.rule),
            "path": .string(finding.path), "message": .string(finding.message), "text": .string("\(finding)"),
        ]
    }

    private static func json(_ problem: FilterProblem) -> JSON {
        .object(withoutNulls: [
            "path": .string(problem.path), "reason": .string(problem.reason.description),
            "message": .string(problem.message), "text": .string(RoutingRules.text(problem)),
            "rule": .number(problem.rule),
        ])
    }

    private func json(_ rule: FilterTestRun.RuleCount) -> JSON {
        .object(withoutNulls: [
            "rule": .number(rule.rule), "destination": .string(rule.destination), "dropped": .number(rule.dropped),
            "changed": .number(rule.changed), "failed": .number(rule.failed),
            "untouched": .number(testRun.untouched(by: rule)), "name": .string(rule.name),
        ])
    }

    private static func json(_ destination: FilterTestRun.DestinationCount) -> JSON {
        [
            "destination": .string(destination.destination), "dropped": .number(destination.dropped),
            "changed": .number(destination.changed),
        ]
    }

    private static func json(_ result: FilterTestRun.Result) -> JSON {
        [
            "destination": .string(result.destination), "before": result.before, "after": result.after ?? .null,
            "rules": .numbers(result.outcome.rules),
        ]
    }
}
