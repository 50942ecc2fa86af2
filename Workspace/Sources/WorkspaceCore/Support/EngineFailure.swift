/// A failure of a server of another maker, on which a workspace stands.
package protocol EngineFailure: Error, CustomStringConvertible {
    /// Whether the same may succeed a moment later.
    var isPassing: Bool { get }
}
