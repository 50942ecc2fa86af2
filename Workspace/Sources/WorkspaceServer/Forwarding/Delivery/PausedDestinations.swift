import Synchronization
package import WorkspaceCore

/// The destinations to which the nodes of a cluster send nothing at present. May be used from any thread.
package final class PausedDestinations: Sendable {
    private struct State {
        var own: [Int64: DestinationRest] = [:]
        var others: [Int64: DestinationRest] = [:]
    }

    private let state = Mutex(State())

    /// The destinations to which this node sends nothing.
    package var own: [Int64: DestinationRest] { state.withLock(\.own) }

    package init() {}

    /// - Parameter rest: nil when this node sends to the destination, or has nothing to do with it.
    package func put(_ rest: DestinationRest?, of destination: Int64) { state.withLock { $0.own[destination] = rest } }

    /// Replaces the destinations to which other nodes send nothing.
    package func note(others: [Int64: DestinationRest]) { state.withLock { $0.others = others } }

    /// Why another node sends nothing to a destination; nil when no node has reported a reason.
    package func rest(elsewhere destination: Int64) -> DestinationRest? { state.withLock { $0.others[destination] } }
}
