/// Makes sure that who asks sees what was acknowledged before.
///
/// Events are stored a moment after they were acknowledged. Behind a long backlog nobody waits for all of it: the
/// answer then is what is stored by now.
struct Freshness: Sendable {
    let journal: IngestJournal
    let progress: IndexProgress
    let patience: Duration

    /// Waits until all is stored that was acknowledged by now; false when that takes too long.
    func isCaughtUp(within duration: Duration) async -> Bool {
        let last = journal.lastSequence
        await progress.reach(last, within: duration)
        return await progress.sequence >= last
    }

    func wait() async { await progress.reach(journal.lastSequence, within: patience) }
}
