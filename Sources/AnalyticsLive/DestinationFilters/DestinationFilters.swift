public import Tributary
import TributaryFilters
package import TributaryJSON

/// Applies the workspace's destination filters on the device, to each destination by its key.
///
/// The cloud destination (`Segment.io`) is filtered like any other, and so are destinations that are added later. New
/// settings replace the rules between two events. `Analytics.counters` counts what each rule drops and changes, under
/// the rule's name, or `rule N` for the rule at position N. A rule that cannot be understood is reported once, as a
/// diagnostic with the position and the effect; so is a rule that could not do all its work on an event. A client has
/// one of these plugins, and a plugin belongs to one client; another one is not added, and a diagnostic reports it.
///
/// ```swift
/// analytics.add(plugin: DestinationFilters())
/// ```
///
/// Unchecked because only called by the client's executor, except for `configure`, which comes before everything else.
public final class DestinationFilters: Plugin, DestinationGate, ExclusivePlugin, @unchecked Sendable {
    public let type = PluginType.utility
    public let name = "DestinationFilters"
    public weak var analytics: Analytics?
    package let owner = PluginOwner()
    private var source: JSON = []
    private var rules = FilterRules(routingRules: [])
    /// Rules of these settings whose failure on an event was reported.
    private var toldFailures: Set<Int> = []

    /// Filters without rules, until the settings bring some.
    public init() {}

    public func update(settings: Settings) {
        let source = settings.middlewareSettings?["routingRules"] ?? []
        guard source != self.source else { return }
        self.source = source
        let told = Set(rules.problems)
        rules = FilterRules(routingRules: source)
        toldFailures = []
        for problem in rules.problems where !told.contains(problem) {
            analytics?.report(
                Diagnostic(.filters, problem.description, plugin: name, destination: problem.destination))
        }
    }

    public func shutdown() { owner.end() }

    package func pass(json: JSONObject, destination: String) -> GateDecision {
        guard rules.hasRules(for: destination) else { return .unchanged }
        var event = JSON.object(json)
        let outcome = rules.apply(to: &event, destination: destination)
        for rule in outcome.failedRules where toldFailures.insert(rule).inserted { tellFailure(rule, destination) }
        switch outcome.result {
        case .kept: return .unchanged
        case .dropped:
            return .dropped(
                by: outcome.rules.last.map(label) ?? name, changedBy: outcome.rules.dropLast().map(label))
        case .changed:
            guard let changed = event.objectValue else { return .unchanged }
            return .changed(changed, by: outcome.rules.map(label))
        }
    }

    private func tellFailure(_ rule: Int, _ destination: String) {
        let message = """
            routingRules[\(rule)] (\(destination)): it could not do all its work on an event, where a value is missing \
            or of another kind than the rule takes for granted; what it takes away has been taken
            """
        analytics?.report(Diagnostic(.filters, message, plugin: name, destination: destination))
    }

    /// A rule's own name, when the workspace gave it one, else its place in the list.
    private func label(_ rule: Int) -> String { source[rule]?["name"]?.stringValue ?? "rule \(rule)" }
}
