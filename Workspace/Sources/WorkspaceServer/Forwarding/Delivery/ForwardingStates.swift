import Synchronization
import WorkspaceCore

/// The present state of the destinations, for the administration and the metrics. May be used from any thread.
package final class ForwardingStates: Sendable {
    private let states: Mutex<[Int64: ForwardingMachine.State]> = Mutex([:])
    private let rests: PausedDestinations
    /// How many events each filter rule held back since the start of this server.
    private let filtered: Mutex<[Int64: [String: Int]]> = Mutex([:])

    /// - Parameter rests: what the other nodes of a cluster know, and learn from this one.
    init(_ rests: PausedDestinations = PausedDestinations()) { self.rests = rests }

    func put(_ state: ForwardingMachine.State?, of destination: Int64) {
        states.withLock { $0[destination] = state }
        rests.put(state?.rest, of: destination)
    }

    /// Takes over the numbers of events that filter rules held back, by the names of the rules. Names beyond a limit are not
    /// counted.
    ///
    /// Where results are written once, call it before: a reader who sees the written figures then sees these numbers, too.
    func take(_ counts: inout [String: Int], of destination: Int64) {
        guard !counts.isEmpty else { return }
        let taken = counts
        counts = [:]
        filtered.withLock { filtered in
            var known = filtered[destination] ?? [:]
            for (rule, count) in taken where known[rule] != nil || known.count < Limits.namedRules {
                known[rule, default: 0] += count
            }
            filtered[destination] = known
        }
    }

    /// How many events each filter rule held back since the start of this server.
    func filtered(of destination: Int64) -> [String: Int] { filtered.withLock { $0[destination] ?? [:] } }

    /// Nil while the destination is off, or another node of a cluster forwards to it.
    func state(of destination: Int64) -> ForwardingMachine.State? { states.withLock { $0[destination] } }

    /// Why nothing is sent to a destination at present, also when another node would send it; nil when a node sends.
    func rest(of destination: Int64) -> DestinationRest? {
        guard let state = state(of: destination) else { return rests.rest(elsewhere: destination) }
        return state.rest
    }
}
