import TributaryJournal

/// An ordered log of byte records that survives the end of the process. Safe from any thread.
protocol RecordLog: AnyObject, Sendable {
    /// The facts about the log that are known without reading records.
    var head: JournalHead { get }
    /// The number and bytes of the records that were not removed. The first call may look at files.
    var size: (count: Int, bytes: Int) { get }
    /// The snapshot that was appended last.
    var snapshot: [UInt8]? { get }
    /// The journal of a log in files, for limits, syncs, and to check whether the files are still there. Nil for other
    /// logs.
    var files: Journal? { get }

    /// Appends a snapshot and a record in one step, the snapshot first. Either can be missing.
    /// - Returns: the newest sequence.
    @discardableResult
    func append(_ payload: [UInt8]?, tag: JournalTag?, snapshot: [UInt8]?) throws -> UInt64
    /// Appends the records of a group. When this throws, the records that are still in the group were not appended.
    func append(_ group: inout JournalGroup) throws
    /// Makes sure that no later record gets a sequence up to this one.
    func reserve(through sequence: UInt64) throws
    /// Reads records after one sequence and up to another, oldest first: as many as fit, but at least one if there is
    /// one.
    func read(after sequence: UInt64, through last: UInt64, maxBytes: Int, maxCount: Int) throws -> [JournalRecord]
    /// Removes records, oldest first. The mark is stored before anything is deleted; nil keeps the earlier mark.
    func remove(through sequence: UInt64, mark: [UInt8]?) throws
    /// Deletes all records. The snapshot stays, and sequences are not used again.
    /// - Throws: when the disk cannot do it now. The records are not read any more, but the log `owesPurge`: until
    ///   `finishPurge` succeeds, another opening can bring them back.
    func purge() throws
    /// Finishes a purge that failed. Does nothing when the log owes none.
    func finishPurge() throws
    /// Closes the files.
    func close()
}

extension RecordLog {
    /// Takes note that the reader has taken the records up to a sequence.
    /// - Returns: the sequences that are in the log at this moment.
    func take(through sequence: UInt64) -> ClosedRange<UInt64>? {
        if let files { return files.take(through: sequence) }
        let head = head
        return head.watermark < head.lastSequence ? head.watermark + 1...head.lastSequence : nil
    }

    /// The number of records that were not removed, after a sequence.
    func count(after sequence: UInt64) -> Int {
        if let files { return files.count(after: sequence) }
        let head = head
        let (first, end) = (max(head.watermark, sequence), head.lastSequence)
        return end > first ? Int(clamping: end - first) : 0
    }
}
