public import Tributary
import TributaryFilters
package import TributaryJSON

/// Applies the workspace's destination filters on the device, to each destination by its key.
///
/// The cloud destination (`Segment.io`) is filtered like any other, and so are destinations that are added later.
/// New settings replace the rules between two events.
///
/// Unchecked because only called by the client's executor, except for `configure`, which comes before everything else.
public final class DestinationFilters: Plugin, DestinationGate, @unchecked Sendable {
    public let type = PluginType.utility
    public let name = "DestinationFilters"
    public weak var analytics: Analytics?
    private var source: JSON = []
    private var rules = FilterRules(routingRules: [])

    /// Filters without rules, until the settings bring some.
    public init() {}

    public func update(settings: Settings) {
        let source = settings.middlewareSettings?["routingRules"] ?? []
        guard source != self.source else { return }
        self.source = source
        rules = FilterRules(routingRules: source)
        for problem in rules.problems {
            analytics?.report(
                Diagnostic(.filters, problem.description, plugin: name, destination: problem.destination))
        }
    }

    package func pass(json: JSONObject, destination: String) -> GateDecision {
        guard rules.hasRules(for: destination) else { return .unchanged }
        var event = JSON.object(json)
        let outcome = rules.apply(to: &event, destination: destination)
        switch outcome.result {
        case .kept: return .unchanged
        case .dropped: return .dropped(note: label(outcome.rules.last))
        case .changed:
            guard let changed = event.objectValue else { return .unchanged }
            return .changed(changed, note: outcome.rules.map { label($0) }.joined(separator: ", "))
        }
    }

    /// A rule's own name, when the workspace gave it one, else its place in the list.
    private func label(_ rule: Int?) -> String {
        guard let rule else { return name }
        return source[rule]?["name"]?.stringValue ?? "rule \(rule)"
    }
}
