/// A signal on its way to the database: something small that happened on a device, of which a script there may make events.
struct IncomingSignal: Sendable {
    /// What tells it from others of its source.
    let messageId: String
    let type: SignalType
    let anonymousId: String?
    /// Its number on the device; nil when it does not say.
    let index: Int64?
    let timestamp: Int64
    let body: [UInt8]
}

/// The kinds of signals that clients of the field send.
enum SignalType: String, Sendable, CaseIterable {
    case interaction, navigation, network, localData, instrumentation, userDefined
}
