import Synchronization

/// Callers that wait until an actor has come as far as a mark.
///
/// Only the actor that has the object calls it, so nothing is missed between a look at how far it is and the waiting.
package final class Waiters<Mark: Sendable>: Sendable {
    private struct Entry {
        let mark: Mark
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        var nextId = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Waits until `resume` finds that the mark is reached, but not longer than that, and not in a task that is cancelled:
    /// a server that ends must not wait for a storage that fails.
    /// - Parameter isolation: the actor that has the object.
    package func wait(for mark: Mark, within duration: Duration, isolation: isolated (any Actor)? = #isolation) async {
        let id = state.withLock { state in
            state.nextId += 1
            return state.nextId
        }
        var limit: Task<Void, any Error>?
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.entries[id] = Entry(mark: mark, continuation: continuation) }
                // The entry has to be there first, however short the time is.
                limit = Task {
                    try await Task.sleep(for: duration)
                    end(id)
                }
                if Task.isCancelled { end(id) }
            }
        } onCancel: {
            end(id)
        }
        limit?.cancel()
    }

    /// Resumes the waiters with a reached mark.
    package func resume(where isReached: (Mark) -> Bool) {
        let ids = state.withLock { state in state.entries.filter { isReached($0.value.mark) }.map(\.key) }
        for id in ids { end(id) }
    }

    private func end(_ id: Int) {
        state.withLock { $0.entries.removeValue(forKey: id) }?.continuation.resume()
    }
}
