package import TributaryJSON

/// Where the text of an event has members of its batch, and which users these name. The batch was read once for all of its
/// events, and the server does not read these members again in each.
package struct SharedText: Sendable {
    /// Members with the commas between them, in the order of the text.
    package var places: [Range<Int>] = []
    /// The users that these members name.
    package var ids: [String] = []
}

/// A valid event on its way to the database.
///
/// A class, because the event is passed on many times, and a copy of a struct would retain each of its texts.
package final class IncomingEvent: Sendable {
    package let messageId: String
    /// The key of the event in the index of messages.
    package let key: MessageKey
    package let type: EventType
    package let name: String?
    package let userId: String?
    package let anonymousId: String?
    package let times: EventTimes
    package let body: [UInt8]
    /// The part of the text that the batch of the event has for all of its events.
    package let shared: SharedText
    /// Whether the event says a time that cannot be read. The store uses the time of arrival for it.
    let hasUnreadableTime: Bool

    package init(
        messageId: String, type: EventType, name: String?, userId: String?, anonymousId: String?, times: EventTimes,
        body: [UInt8], shared: SharedText = SharedText(), hasUnreadableTime: Bool = false
    ) {
        self.messageId = messageId
        key = MessageKey(.event, messageId)
        (self.type, self.name, self.userId, self.anonymousId) = (type, name, userId, anonymousId)
        (self.times, self.body, self.shared, self.hasUnreadableTime) = (times, body, shared, hasUnreadableTime)
    }

    /// The same event with another text, of which nothing is known.
    package func with(body: [UInt8]) -> IncomingEvent {
        IncomingEvent(
            messageId: messageId, type: type, name: name, userId: userId, anonymousId: anonymousId, times: times,
            body: body, hasUnreadableTime: hasUnreadableTime)
    }

    /// Scans what the event itself says. The batch was scanned for the members that all of its events share.
    /// - Throws: `JSONError` when the body is no JSON.
    package func scanned() throws(JSONError) -> ScannedBody {
        try ScannedBody.of(body, besides: shared.places, naming: shared.ids)
    }

    /// Identifies the row of the event.
    package func identity(in source: Int64) -> RowIdentity {
        RowIdentity(kind: .event, source: source, key: key)
    }
}
