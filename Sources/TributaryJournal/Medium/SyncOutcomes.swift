/// The results of the syncs so far, for callers that ask about a write that an earlier sync covered.
struct SyncOutcomes: Sendable {
    private static let most = 64

    private var outcomes: [JournalSync.Outcome] = []

    /// Adds an outcome. Successes in a row are one.
    mutating func add(_ outcome: JournalSync.Outcome) {
        // A sync that covered nothing new has no meaning: after a failure, the next one may seem to succeed.
        guard outcome.through > outcomes.last?.through ?? 0 else { return }
        if case .success = outcome.result, case .success = outcomes.last?.result { outcomes.removeLast() }
        outcomes.append(outcome)
        if outcomes.count > Self.most { outcomes.removeFirst() }
    }

    /// The result of the sync that covered the write of that number; nil when there was none yet.
    func result(of write: UInt64) -> Result<Void, JournalError>? {
        outcomes.first { $0.through >= write }?.result
    }
}
