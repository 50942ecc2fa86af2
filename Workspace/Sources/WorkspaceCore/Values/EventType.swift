/// The calls of the protocol.
package enum EventType: String, CaseIterable {
    case track, identify, page, screen, group, alias

    /// The one-letter path of the call.
    package var shortPath: String { String(rawValue.prefix(1)) }
}
