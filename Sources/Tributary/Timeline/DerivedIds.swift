import TributaryJSON

/// Makes the ids of events that plugins track while they process another event. The ids are derived from the id of that
/// event, so a replay makes the same ids and the server recognises them.
struct DerivedIds {
    private let event: JSONObject
    private var count = 0

    /// - Parameter event: the event that is processed.
    init(of event: JSONObject) { self.event = event }

    /// The id of the next event.
    mutating func next() -> String {
        count += 1
        return Identifiers.derived(from: event["messageId"]?.stringValue ?? "", ordinal: count)
    }
}
