/// Makes sure that who asks sees what was acknowledged before.
///
/// Events are stored a moment after they were acknowledged. Behind a long backlog nobody waits for all of it: the
/// answer then is what is stored by now.
struct ReadYourWrites: Sendable {
    let journal: IngestJournal
    let progress: IndexProgress
    let patience: Duration

    /// - Returns: whether all of it is stored.
    @discardableResult
    func wait() async -> Bool { await isCaughtUp(within: patience) }

    /// The same with a patience of its own.
    func isCaughtUp(within duration: Duration) async -> Bool {
        let last = journal.lastSequence
        await progress.reach(last, within: duration)
        return await progress.sequence >= last
    }
}
