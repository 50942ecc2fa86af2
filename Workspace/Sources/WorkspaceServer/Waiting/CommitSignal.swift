import Synchronization
import WorkspaceCore

/// Wakes the requests that wait for an event, after each commit. May be used from any thread.
package final class CommitSignal: Sendable {
    private struct State {
        var count = 0
        var nextId = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// How often `notify` was called.
    var count: Int { state.withLock { $0.count } }

    func notify() {
        let waiting = state.withLock { state in
            state.count += 1
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when `notify` was called more often than that, or the task is cancelled.
    func wait(after count: Int) async {
        let id = state.withLock { state in
            state.nextId += 1
            return state.nextId
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.count == count, !Task.isCancelled else { return true }
                    state.waiting[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
        }
    }
}
