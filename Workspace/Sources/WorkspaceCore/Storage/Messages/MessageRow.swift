/// A row for the index.
package struct MessageRow: Sendable {
    package let key: MessageKey
    package let source: Int64
    package let place: MessageLocation

    package init(_ identity: RowIdentity, _ place: MessageLocation) {
        (key, source, self.place) = (identity.key, identity.source, place)
    }

    package init(_ entry: MessageEntry, in day: Day) {
        (key, source) = (entry.key, entry.source)
        place = MessageLocation(day: day, receivedAt: entry.receivedAt)
    }

    package var entry: MessageEntry { MessageEntry(key: key, source: source, receivedAt: place.receivedAt) }
}
