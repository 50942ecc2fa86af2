/// A valid event on its way to the database.
///
/// A class, because the event is passed on many times, and a copy of a struct would retain each of its texts.
final class IncomingEvent: Sendable {
    let messageId: String
    /// The key of the event in the index of messages.
    let key: MessageKey
    let type: EventType
    let name: String?
    let userId: String?
    let anonymousId: String?
    let times: EventTimes
    let body: [UInt8]

    init(
        messageId: String, type: EventType, name: String?, userId: String?, anonymousId: String?, times: EventTimes,
        body: [UInt8]
    ) {
        self.messageId = messageId
        key = MessageKey(.event, messageId)
        self.type = type
        self.name = name
        self.userId = userId
        self.anonymousId = anonymousId
        self.times = times
        self.body = body
    }

    /// Identifies the row of the event.
    func identity(in source: Int64) -> RowIdentity {
        RowIdentity(kind: .event, source: source, key: key)
    }
}
