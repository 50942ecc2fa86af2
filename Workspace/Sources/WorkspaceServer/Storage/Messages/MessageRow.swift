/// A row for the index.
struct MessageRow: Sendable {
    let key: MessageKey
    let source: Int64
    let place: MessageLocation

    init(_ identity: RowIdentity, _ place: MessageLocation) {
        (key, source, self.place) = (identity.key, identity.source, place)
    }

    init(_ entry: MessageEntry, in day: Day) {
        (key, source) = (entry.key, entry.source)
        place = MessageLocation(day: day, receivedAt: entry.receivedAt)
    }

    var entry: MessageEntry { MessageEntry(key: key, source: source, receivedAt: place.receivedAt) }
}
