/// The path of one event through the stages on a device.
struct IncomingTrace: Sendable {
    let messageId: String
    let isDropped: Bool
    let trackedAt: Int64
    let body: [UInt8]
}
