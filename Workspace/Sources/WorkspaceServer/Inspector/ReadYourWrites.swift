/// Waits until a reader sees every event that was acknowledged before its request.
///
/// The server stores events shortly after it acknowledged them. With a long backlog the wait ends after `patience`, and
/// the answer holds what is stored by then. The next readers do not wait at all until the server has stored that backlog;
/// they get the number of requests that are not stored yet.
struct ReadYourWrites: Sendable {
    let journal: IngestJournal
    let progress: IndexProgress
    let patience: Duration

    /// - Returns: how many requests wait; 0 when all that were acknowledged before are stored.
    @discardableResult
    func wait() async -> Int {
        let last = journal.lastSequence
        if await !progress.isBehind {
            if await isCaughtUp(within: patience) { return 0 }
            await progress.noteBacklog(through: last)
        }
        return journal.waitingCount(after: await progress.sequence)
    }

    /// Waits for at most that long.
    /// - Returns: whether all of it is stored.
    func isCaughtUp(within duration: Duration) async -> Bool {
        let last = journal.lastSequence
        await progress.reach(last, within: duration)
        return await progress.sequence >= last
    }
}
