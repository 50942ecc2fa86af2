/// A signal on its way to the database: a small event on a device, such as a tap, from which a live plugin can make
/// events of the protocol.
package struct IncomingSignal: Sendable {
    /// Unique within the source.
    package let messageId: String
    package let type: SignalType
    package let anonymousId: String?
    /// The signal's number on the device; nil when the client sent none.
    package let index: Int64?
    package let timestamp: Int64
    package let body: [UInt8]

    package init(
        messageId: String, type: SignalType, anonymousId: String?, index: Int64?, timestamp: Int64, body: [UInt8]
    ) {
        (self.messageId, self.type, self.anonymousId) = (messageId, type, anonymousId)
        (self.index, self.timestamp, self.body) = (index, timestamp, body)
    }
}

/// The kinds of signals that clients of the field send.
package enum SignalType: String, Sendable, CaseIterable {
    case interaction, navigation, network, localData, instrumentation, userDefined
}
