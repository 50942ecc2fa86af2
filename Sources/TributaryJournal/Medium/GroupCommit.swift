/// Lets appends share a sync: one sync serves all writes before it.
///
/// One of the waiting threads does the sync for all. A caller that does not want to block leaves a completion. A
/// thread, made for the first completion, then does the sync.
final class GroupCommit: Sendable {
    typealias Completion = @Sendable (JournalError?) -> Void

    private struct Waiter: Sendable {
        /// The number of the write that the caller waits for.
        let write: UInt64
        let completion: Completion
    }

    private struct State: Sendable {
        var waiters: [Waiter] = []
        var outcomes = SyncOutcomes()
        var isSyncing = false
        var hasThread = false
        var isEnded = false
        /// Whether the journal was closed before a sync.
        var isClosed = false
    }

    private let state = Monitor(State())
    let syncing: JournalSync

    init(_ syncing: JournalSync) { self.syncing = syncing }

    /// Returns when the write with that number is on the medium.
    func wait(for write: UInt64) throws(JournalError) {
        while true {
            let result = state.wait { state -> Result<Void, JournalError>?? in
                if let result = state.outcomes.result(of: write) { return .some(result) }
                if state.isClosed { return .some(.failure(.closed)) }
                guard !state.isSyncing else { return nil }
                state.isSyncing = true
                return .some(nil)
            }
            if let result { return try result.get() }
            lead()
        }
    }

    /// Calls the completion when the write with that number is on the medium. The call is on another thread, unless the
    /// write is already there.
    func notify(_ write: UInt64, _ completion: @escaping Completion) {
        let (result, needsThread) = state.change { state -> (Result<Void, JournalError>?, Bool) in
            if let result = state.outcomes.result(of: write) { return (result, false) }
            state.waiters.append(Waiter(write: write, completion: completion))
            defer { state.hasThread = true }
            return (nil, !state.hasThread)
        }
        if let result { return completion(result.failure) }
        if needsThread && !DetachedThread.start({ self.serve() }) {
            state.change { $0.hasThread = false }
            drain()
        }
    }

    /// Syncs the writes that callers wait for, and ends the thread. Later callers sync by themselves.
    func end() {
        state.change { $0.isEnded = true }
        drain()
    }

    /// The work of the thread.
    private func serve() {
        while true {
            let hasWork = state.wait { state -> Bool? in
                if !state.waiters.isEmpty {
                    guard !state.isSyncing else { return nil }
                    state.isSyncing = true
                    return true
                }
                guard state.isEnded else { return nil }
                // A later completion gets a new thread.
                state.hasThread = false
                return false
            }
            guard hasWork else { return }
            lead()
        }
    }

    private func drain() {
        while true {
            let hasWork = state.wait { state -> Bool? in
                guard !state.waiters.isEmpty else { return false }
                guard !state.isSyncing else { return nil }
                state.isSyncing = true
                return true
            }
            guard hasWork else { return }
            lead()
        }
    }

    /// Does one sync for all waiting callers. Called by the thread that has set `isSyncing`.
    private func lead() {
        let outcome = syncing.run()
        let completions = state.change { state -> [Completion] in
            state.isSyncing = false
            if outcome.through == .max { state.isClosed = true } else { state.outcomes.add(outcome) }
            let settled = state.waiters.filter { $0.write <= outcome.through }
            state.waiters.removeAll { $0.write <= outcome.through }
            return settled.map(\.completion)
        }
        for completion in completions { completion(outcome.result.failure) }
    }
}

extension Result {
    /// The error, if there was one.
    fileprivate var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
