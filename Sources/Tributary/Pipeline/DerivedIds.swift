/// Makes the ids of events that plugins track while they process another event. The ids are derived from that event's
/// id, so that a replay makes the same ones.
struct DerivedIds {
    let messageId: String
    var count = 0

    /// The id of the next event.
    mutating func nextId() -> String {
        count += 1
        return Identifiers.derived(from: messageId, ordinal: count)
    }
}
