/// Makes the ids of events that plugins track while they process another event. The ids are derived from that event's
/// id, so a replay makes the same ones and the server recognises them.
struct DerivedIds {
    let messageId: String
    private var count = 0

    init(messageId: String) { self.messageId = messageId }

    /// The id of the next event.
    mutating func next() -> String {
        count += 1
        return Identifiers.derived(from: messageId, ordinal: count)
    }
}
