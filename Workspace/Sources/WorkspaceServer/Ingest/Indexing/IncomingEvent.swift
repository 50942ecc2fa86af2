/// A valid event on its way to the database.
struct IncomingEvent: Sendable {
    let messageId: String
    let type: EventType
    let name: String?
    let userId: String?
    let anonymousId: String?
    let times: EventTimes
    let body: [UInt8]
}
