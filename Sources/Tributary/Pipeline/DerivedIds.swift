/// The event that is processed right now, and how many events were made meanwhile.
struct DerivedIds {
    let messageId: String
    var count = 0

    /// The id of the next one.
    mutating func nextId() -> String {
        count += 1
        return Identifiers.derived(from: messageId, ordinal: count)
    }
}
