/// What the stages on a device did with one event.
struct IncomingTrace: Sendable {
    let messageId: String
    let isDropped: Bool
    let trackedAt: Int64
    let body: [UInt8]
}
