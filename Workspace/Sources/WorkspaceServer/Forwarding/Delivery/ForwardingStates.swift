import Synchronization
import WorkspaceCore

/// The present state of the destinations, for the administration and the metrics. May be used from any thread.
package final class ForwardingStates: Sendable {
    private let states: Mutex<[Int64: ForwardingMachine.State]> = Mutex([:])
    private let rests: PausedDestinations

    /// - Parameter rests: what the other nodes of a cluster know, and learn from this one.
    init(_ rests: PausedDestinations = PausedDestinations()) { self.rests = rests }

    func put(_ state: ForwardingMachine.State?, of destination: Int64) {
        states.withLock { $0[destination] = state }
        rests.put(state?.rest, of: destination)
    }

    /// Nil while the destination is off, or another node of a cluster forwards to it.
    func state(of destination: Int64) -> ForwardingMachine.State? { states.withLock { $0[destination] } }

    /// Why nothing is sent to a destination at present, also when another node would send it; nil when a node sends.
    func rest(of destination: Int64) -> DestinationRest? {
        guard let state = state(of: destination) else { return rests.rest(elsewhere: destination) }
        return state.rest
    }
}
