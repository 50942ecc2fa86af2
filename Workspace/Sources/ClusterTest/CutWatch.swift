import ClusterTestKit
import Synchronization

/// Counts the answers of nodes while a machine is cut off.
final class CutWatch: Sendable {
    private let start = ContinuousClock.now
    private let state = Mutex(State())

    private struct State {
        var open: [Int: CutAccount] = [:]
        var ended: [CutAccount] = []
    }

    /// The time since the start, for accounts; milliseconds.
    var now: Int { Int((ContinuousClock.now - start) / .milliseconds(1)) }

    /// The cuts that ended.
    var accounts: [CutAccount] { state.withLock { $0.ended } }

    /// A machine has been cut off.
    /// - Parameter wasUp: whether its node answered before.
    func begin(_ machine: Int, wasUp: Bool) {
        state.withLock { [now] in $0.open[machine] = CutAccount(machine: machine, wasUp: wasUp, at: now) }
    }

    /// A machine is about to be connected again.
    func end(_ machine: Int) {
        state.withLock { state in
            if let account = state.open.removeValue(forKey: machine) { state.ended.append(account) }
        }
    }

    /// A client heard from a node.
    /// - Parameter sent: when it had sent its request.
    func hear(_ outcome: NodeClients.Outcome, from node: Int, sent: Int) {
        let answer: CutAccount.Answer =
            switch outcome {
            case .acknowledged: .acknowledged
            case .refused: .refused
            case .unanswered, .unexpected: .other
            }
        state.withLock { state in
            for machine in state.open.keys { state.open[machine]?.hear(answer, from: node, sent: sent) }
        }
    }
}
