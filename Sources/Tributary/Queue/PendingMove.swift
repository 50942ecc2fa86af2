import TributaryJournal

/// Moves records from the pending log into the inbox. A crash at any point loses no record and doubles none.
///
/// Each moved inbox record names the pending record that it came from. So after a crash, the newest such record in the
/// inbox shows which pending records are already moved.
enum PendingMove {
    private static let recordsPerStep = 256
    private static let bytesPerStep = 256 << 10

    /// Moves the next records. Returns false when there are none, or when the inbox cannot store them permanently now.
    static func step(from pending: FailoverLog, to inbox: FailoverLog, number: UInt64) -> Bool {
        let moved = movedThrough(pending, inbox)
        let (records, end) = pending.read(
            after: max(moved, pending.start), maxBytes: bytesPerStep,
            maxCount: recordsPerStep)
        guard !records.isEmpty else {
            // Everything here is in the inbox. Wait until the inbox has it on disk.
            if pending.count > 0, inbox.isSettled { pending.remove(through: end) }
            return false
        }
        let isLasting = pending.hasDisk
        let epoch = pending.epoch
        // Events that are purged or refused meanwhile are gone from the pending log and do not move.
        let taken = pending.take(through: end)
        for record in records where taken.contains(record.sequence) {
            let tag = JournalTag(log: number, epoch: epoch, sequence: record.sequence)
            inbox.append(record.payload, tag: isLasting ? tag : nil)
        }
        // A record that is in memory here is no safer than in the memory of the inbox.
        guard inbox.isSettled || !isLasting else { return false }
        pending.remove(through: end)
        return true
    }

    /// The sequence of the newest pending record that is already in the inbox.
    private static func movedThrough(_ pending: FailoverLog, _ inbox: FailoverLog) -> UInt64 {
        guard pending.hasDisk, let tag = inbox.newestTag, tag.epoch == pending.epoch else { return 0 }
        return tag.sequence
    }
}
