/// The results of the syncs so far, for callers with a write that an earlier sync covered.
struct SyncOutcomes: Sendable {
    private static let most = 64

    private var outcomes: [JournalSync.Outcome] = []

    /// Adds an outcome. Successes in a row become one.
    mutating func add(_ outcome: JournalSync.Outcome) {
        // A sync that covered no new write has no meaning: after a failure, the next sync may seem to succeed.
        guard outcome.through > outcomes.last?.through ?? 0 else { return }
        if case .success = outcome.result, case .success = outcomes.last?.result { outcomes.removeLast() }
        outcomes.append(outcome)
        if outcomes.count > Self.most { outcomes.removeFirst() }
    }

    /// The result of the sync that covered the write with that number; nil when there was none yet.
    func result(of write: UInt64) -> Result<Void, JournalError>? {
        outcomes.first { $0.through >= write }?.result
    }
}
