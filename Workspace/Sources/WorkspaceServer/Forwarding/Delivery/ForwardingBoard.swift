import Synchronization

/// The present state of the destinations, for the administration and the metrics. May be used from any thread.
final class ForwardingBoard: Sendable {
    private struct Boards {
        var states: [Int64: ForwardingMachine.State] = [:]
        var elsewhere: [Int64: ForwardingMachine.Rest] = [:]
    }

    private let boards = Mutex(Boards())

    func put(_ state: ForwardingMachine.State?, of destination: Int64) {
        boards.withLock { $0.states[destination] = state }
    }

    /// Nil while the destination is off, or another node of a cluster forwards to it.
    func state(of destination: Int64) -> ForwardingMachine.State? { boards.withLock { $0.states[destination] } }

    /// Why nothing is sent to a destination at present, also when another node would send it; nil when somebody sends.
    func rest(of destination: Int64) -> ForwardingMachine.Rest? {
        boards.withLock { boards in
            guard let state = boards.states[destination] else { return boards.elsewhere[destination] }
            return state.rest
        }
    }

    /// The destinations to which this server sends nothing at present.
    var resting: [Int64: ForwardingMachine.Rest] { boards.withLock { $0.states.compactMapValues(\.rest) } }

    /// Takes what the other nodes of a cluster send nothing to.
    func note(elsewhere: [Int64: ForwardingMachine.Rest]) { boards.withLock { $0.elsewhere = elsewhere } }
}
