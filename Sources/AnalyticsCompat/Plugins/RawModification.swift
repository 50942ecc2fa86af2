/// Lets the app change events for the server as dictionaries: `experimental.rawSegmentModificationBlock`.
///
/// Unchecked because everything is constant except `analytics`, which is set once, before the first event.
final class RawModification: Plugin, @unchecked Sendable {
    let type = PluginType.enrichment
    let name = "RawModification"
    weak var analytics: Analytics?
    private let configuration: AnalyticsConfiguration

    init(_ configuration: AnalyticsConfiguration) { self.configuration = configuration }

    func execute<Event: RawEvent>(event: Event) -> Event? {
        guard let change = configuration.experimental.rawSegmentModificationBlock else { return event }
        var serialization = Serialization()
        let raw = JSON.object(event.json).dictionaryValue ?? [:]
        let changed = serialization.object(change(raw), at: "raw")
        for problem in serialization.problems {
            analytics?.report(Diagnostic(.invalidValue, "raw modification: \(problem)", plugin: name))
        }
        guard !changed.isEmpty else {
            analytics?.report(
                Diagnostic(.pluginFault, "the block returned nothing for an event, which stays as it is", plugin: name))
            return event
        }
        guard let object = ExactValues.restored(.object(changed), from: .object(event.json)).objectValue else {
            return event
        }
        return Event(json: object)
    }
}
