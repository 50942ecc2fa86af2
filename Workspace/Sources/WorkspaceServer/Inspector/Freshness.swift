import TributaryJournal

/// Makes sure that who asks sees what was acknowledged before.
///
/// Events are stored a moment after they were acknowledged. Behind a long backlog nobody waits for all of it: the
/// answer then is what is stored by now.
struct Freshness: Sendable {
    let journal: IngestJournal
    let progress: IndexProgress
    let patience: Duration

    func wait() async { await progress.reach(journal.journal.lastSequence, within: patience) }
}
