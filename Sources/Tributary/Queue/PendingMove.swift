import TributaryJournal

/// Moves records from the pending log into the inbox. A crash at any point loses no record and doubles none.
///
/// Each moved inbox record names the pending record that it came from. So after a crash, the newest such record in the
/// inbox shows which pending records are already moved. From then on the move counts by itself: while the disk refuses,
/// moved records are only in memory, and are gone from the inbox when they are processed.
struct PendingMove {
    private static let recordsPerStep = 256
    private static let bytesPerStep = 256 << 10

    /// The sequence of the newest pending record that was put into the inbox. The sequences of a log only grow, also when
    /// another disk replaces its disk.
    private(set) var position: UInt64

    /// Finds the place where an ended process stopped. The inbox has the records up to there, so it says what becomes of
    /// them.
    init(from pending: FailoverLog, to inbox: FailoverLog) {
        let tag = pending.hasDisk ? inbox.newestTag : nil
        position = tag.map { $0.epoch == pending.epoch ? $0.sequence : 0 } ?? 0
        if position > 0 { _ = pending.take(through: position) }
    }

    /// Moves the next records.
    /// - Parameter isSafe: whether records that left the inbox are on disk elsewhere. Otherwise the pending log keeps
    ///   the moved records: a crash would lose them.
    /// - Returns: false when there are none, or when the inbox cannot store them permanently now.
    mutating func step(from pending: FailoverLog, to inbox: FailoverLog, number: UInt64, isSafe: Bool = true) -> Bool {
        let (records, end) = pending.read(
            after: max(position, pending.start), maxBytes: Self.bytesPerStep, maxCount: Self.recordsPerStep)
        guard !records.isEmpty else {
            // Everything here is in the inbox. Wait until the disk has it.
            if pending.count > 0, inbox.isSettled, isSafe { pending.remove(through: end) }
            return false
        }
        let isLasting = pending.hasDisk
        let epoch = pending.epoch
        // Events that are purged or refused meanwhile are gone from the pending log and do not move.
        let taken = pending.take(through: end)
        position = end
        for record in records where taken.contains(record.sequence) {
            let tag = JournalTag(log: number, epoch: epoch, sequence: record.sequence)
            inbox.append(record.payload, tag: isLasting ? tag : nil)
        }
        // A record that is in memory here is no safer than in the memory of the inbox.
        guard inbox.isSettled && isSafe || !isLasting else { return false }
        pending.remove(through: end)
        return true
    }
}
