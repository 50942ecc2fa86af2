import Synchronization

/// The results of indexed requests, for importers that wait for them.
///
/// Nothing is kept while no importer waits. May be used from any thread.
package final class RequestOutcomes: Sendable {
    private struct State {
        var listeners = 0
        var outcomes: [UInt64: RequestOutcome] = [:]
    }

    private let state = Mutex(State())

    /// Keeps outcomes while the body runs.
    package func listen<Result>(_ body: () async throws -> Result) async throws -> Result {
        state.withLock { $0.listeners += 1 }
        defer {
            state.withLock { state in
                state.listeners -= 1
                if state.listeners == 0 { state.outcomes = [:] }
            }
        }
        return try await body()
    }

    package var hasListeners: Bool { state.withLock { $0.listeners > 0 } }

    package init() {}

    /// - Parameter sequence: the request's place in the journal.
    package func publish(_ outcome: RequestOutcome, of sequence: UInt64) {
        state.withLock { state in
            guard state.listeners > 0 else { return }
            state.outcomes[sequence] = outcome
            // Results of other requests, which no importer waits for.
            guard state.outcomes.count > Limits.outcomes else { return }
            state.outcomes = state.outcomes.filter { $0.key + UInt64(Limits.outcomes / 2) > sequence }
        }
    }

    /// Nil for a request that is not indexed yet.
    package func take(_ sequence: UInt64) -> RequestOutcome? {
        state.withLock { $0.outcomes.removeValue(forKey: sequence) }
    }
}
