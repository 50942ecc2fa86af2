/// A signal on its way to the database: a small event on a device, such as a tap, from which a live plugin can make
/// events of the protocol.
struct IncomingSignal: Sendable {
    /// Unique within the source.
    let messageId: String
    let type: SignalType
    let anonymousId: String?
    /// The signal's number on the device; nil when the client sent none.
    let index: Int64?
    let timestamp: Int64
    let body: [UInt8]
}

/// The kinds of signals that clients of the field send.
enum SignalType: String, Sendable, CaseIterable {
    case interaction, navigation, network, localData, instrumentation, userDefined
}
