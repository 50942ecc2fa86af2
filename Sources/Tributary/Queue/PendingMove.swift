import TributaryJournal

/// Moves records from the log in which they were kept apart into the inbox, so that a crash at any point loses none and
/// doubles none.
///
/// Each record of the inbox says which record of the other log it was. What was written to the inbox and not yet given up
/// here is found by that: the inbox knows the origin of its newest record that has one.
enum PendingMove {
    private static let recordsPerStep = 256
    private static let bytesPerStep = 256 << 10

    /// Moves the next records; false when there are none, or when the inbox does not take them for good now.
    static func step(from pending: FailoverLog, to inbox: FailoverLog, number: UInt64) -> Bool {
        let moved = movedThrough(pending, inbox)
        let (records, end) = pending.read(
            after: max(moved, pending.start), maxBytes: bytesPerStep,
            maxCount: recordsPerStep)
        guard !records.isEmpty else {
            // Everything here is in the inbox; what only memory has of it there is waited for.
            if pending.count > 0, inbox.isSettled { pending.remove(through: end) }
            return false
        }
        let isLasting = pending.hasDisk
        let epoch = pending.epoch
        for record in records {
            let tag = JournalTag(log: number, epoch: epoch, sequence: record.sequence)
            inbox.append(record.payload, tag: isLasting ? tag : nil)
        }
        // What is in memory here is no safer than there.
        guard inbox.isSettled || !isLasting else { return false }
        pending.remove(through: end)
        return true
    }

    /// The newest record that is in the inbox already.
    private static func movedThrough(_ pending: FailoverLog, _ inbox: FailoverLog) -> UInt64 {
        guard pending.hasDisk, let tag = inbox.newestTag, tag.epoch == pending.epoch else { return 0 }
        return tag.sequence
    }
}
