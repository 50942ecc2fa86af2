/// Waits until a reader sees every event that was acknowledged before its request.
///
/// The server stores events shortly after it acknowledged them. With a long backlog the wait ends after `patience`, and
/// the answer holds what is stored by then.
struct ReadYourWrites: Sendable {
    let journal: IngestJournal
    let progress: IndexProgress
    let patience: Duration

    /// - Returns: whether all of it is stored.
    @discardableResult
    func wait() async -> Bool { await isCaughtUp(within: patience) }

    /// Waits for at most that long.
    func isCaughtUp(within duration: Duration) async -> Bool {
        let last = journal.lastSequence
        await progress.reach(last, within: duration)
        return await progress.sequence >= last
    }
}
