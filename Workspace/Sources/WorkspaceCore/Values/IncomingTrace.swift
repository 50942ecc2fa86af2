/// The path of one event through the stages on a device.
package struct IncomingTrace: Sendable {
    package let messageId: String
    package let isDropped: Bool
    package let trackedAt: Int64
    package let body: [UInt8]

    package init(messageId: String, isDropped: Bool, trackedAt: Int64, body: [UInt8]) {
        (self.messageId, self.isDropped, self.trackedAt, self.body) = (messageId, isDropped, trackedAt, body)
    }
}
