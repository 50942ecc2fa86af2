/// A valid event on its way to the database.
///
/// An object, because it goes through many hands: a copy of the values costs a count for each text.
final class IncomingEvent: Sendable {
    let messageId: String
    /// What the index of messages knows it by.
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

    /// What tells its row from all others.
    func identity(in source: Int64) -> RowIdentity {
        RowIdentity(kind: .event, source: source, key: key)
    }
}
