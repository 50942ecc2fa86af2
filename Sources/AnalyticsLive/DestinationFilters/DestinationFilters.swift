public import Tributary
import TributaryFilters
package import TributaryJSON

/// Applies the workspace's destination filters on the device, to each destination by its key.
///
/// The cloud destination (`Segment.io`) is filtered like any other, and so are destinations that are added later. New
/// settings replace the rules between two events. `Analytics.counters` counts what each rule drops and changes, under
/// the rule's name, or `rule N` for the rule at position N. An invalid rule is reported once, as a diagnostic with the
/// position and the effect. So is a rule that could not do all its work on an event. A client has at most one of these
/// plugins, and a plugin belongs to one client. A second one is not added, and a diagnostic reports it.
///
/// ```swift
/// analytics.add(plugin: DestinationFilters())
/// ```
///
/// Unchecked because only the client's executor calls it, except for `configure`, which comes before all other calls.
public final class DestinationFilters: Plugin, DestinationGate, ExclusivePlugin, @unchecked Sendable {
    public let type = PluginType.utility
    public let name = "DestinationFilters"
    public weak var analytics: Analytics?
    package let owner = PluginOwner()
    private var source: JSON = []
    private var rules = FilterRules(routingRules: [])
    /// The rules of these settings with a reported failure on an event.
    private var toldFailures: Set<Int> = []
    /// Counts what the newest versions do, for health reports; the last one is in effect.
    private var counters: [FilterCounter] = []
    /// Whether the rules in effect have a version.
    private var isCounting = false
    /// The client's live plugins; nil while it has none.
    private weak var livePlugins: LivePlugins?

    /// Versions with counts of their own; the oldest go first.
    private static let mostCounters = 4

    /// Filters without rules, until the settings have some.
    public init() {}

    public func update(settings: Settings) {
        let reference = FilterReference(settings.middlewareSettings, device: analytics?.anonymousId)
        if reference.rules != source { replace(reference.rules) }
        livePlugins = analytics?.find(pluginType: LivePlugins.self)
        count(reference)
    }

    private func replace(_ source: JSON) {
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
        let counter = isCounting ? counters.last : nil
        guard rules.hasRules(for: destination) else {
            counter?.count(FilterOutcome(), json, destination: destination, isBeforePlugins: isBeforePlugins)
            return .unchanged
        }
        var event = JSON.object(json)
        let outcome = rules.apply(to: &event, destination: destination)
        if let counter {
            counter.count(outcome, json, destination: destination, isBeforePlugins: isBeforePlugins)
            if counter.takeFirstFault() { analytics?.reportHealthSoon() }
        }
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

    /// Whether the client has live plugins, and these have no bundle to run.
    private var isBeforePlugins: Bool { livePlugins.map { $0.running == nil } ?? false }

    private func tellFailure(_ rule: Int, _ destination: String) {
        let message = """
            routingRules[\(rule)] (\(destination)): it could not do all its work on an event, because a value is missing \
            or of another kind than the rule expects; it has removed the data that it removes
            """
        analytics?.report(Diagnostic(.filters, message, plugin: name, destination: destination))
    }

    /// The rule's name in the workspace, or its position in the list.
    private func label(_ rule: Int) -> String { source[rule]?["name"]?.stringValue ?? "rule \(rule)" }
}

/// The filters' part of health reports.
extension DestinationFilters: HealthSource {
    package func takeHealth() -> [HealthPart] { counters.map { .filters($0.take()) } }

    /// Counts for the version that is in effect from now on.
    private func count(_ reference: FilterReference) {
        isCounting = reference.version != nil
        guard let version = reference.version else { return }
        if let place = counters.firstIndex(where: { $0.version == String(version) }) {
            counters.append(counters.remove(at: place))
            counters.last?.count(for: reference.destinations)
        } else {
            counters.append(
                FilterCounter(
                    version: version, destinations: reference.destinations, problems: rules.problems.count))
            if counters.count > Self.mostCounters { counters.removeFirst() }
        }
        if counters.last?.takeFirstFault() == true { analytics?.reportHealthSoon() }
    }
}
