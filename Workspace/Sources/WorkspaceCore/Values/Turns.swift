import Synchronization

/// Lets one piece of asynchronous work run at a time, in the order of the calls. May be used from any task.
package final class Turns: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Waits for its turn also in a task that is cancelled.
    /// - Parameter isolation: the actor that calls, which the work runs on.
    package func run<T>(
        isolation: isolated (any Actor)? = #isolation, _ work: () async throws -> T
    ) async rethrows -> T {
        await begin()
        defer { end() }
        return try await work()
    }

    /// Waits for its turn also in a task that is cancelled.
    /// - Returns: the turn. It ends with this object.
    package func take() async -> Turn {
        await begin()
        return Turn(self)
    }

    /// The holder of the turn keeps this object.
    package final class Turn: Sendable {
        private let turns: Turns

        fileprivate init(_ turns: Turns) { self.turns = turns }

        deinit { turns.end() }
    }

    private func begin(isolation: isolated (any Actor)? = #isolation) async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func end() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.isTaken = false
            return nil
        }
        next?.resume()
    }
}
