/// The calls of the protocol.
enum EventType: String, CaseIterable {
    case track, identify, page, screen, group, alias

    /// The one-letter path of the call.
    var shortPath: String { String(rawValue.prefix(1)) }
}
