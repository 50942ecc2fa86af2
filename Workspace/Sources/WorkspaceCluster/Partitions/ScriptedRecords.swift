import Synchronization
import WorkspaceCore
import WorkspaceServer

/// The records of a partition that went through scripts and are not stored yet, so that they go through them once.
final class ScriptedRecords: Sendable {
    private struct State {
        var epoch: UInt64 = 0
        var outcomes: [UInt64: BlockScripts.Outcome] = [:]
    }

    private let state = Mutex(State())

    func keep(_ outcomes: [UInt64: BlockScripts.Outcome], of epoch: UInt64) {
        state.withLock { state in
            if state.epoch != epoch { state = State(epoch: epoch) }
            state.outcomes.merge(outcomes) { $1 }
        }
    }

    /// The outcomes of a range, as far as they are here.
    func outcomes(_ range: ClosedRange<UInt64>, of epoch: UInt64) -> [UInt64: BlockScripts.Outcome] {
        state.withLock { $0.epoch == epoch ? $0.outcomes.filter { range.contains($0.key) } : [:] }
    }

    func forget(through place: UInt64) {
        state.withLock { state in state.outcomes = state.outcomes.filter { $0.key > place } }
    }

    func forget() { state.withLock { $0 = State() } }
}
