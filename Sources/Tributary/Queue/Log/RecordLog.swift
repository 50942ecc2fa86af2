import TributaryJournal

/// An ordered log of byte records that survives the end of the process: a journal, or a list in the app's own store. Safe
/// from any thread.
protocol RecordLog: AnyObject, Sendable {
    /// The facts about the log that are known without reading records.
    var head: JournalHead { get }
    /// The number of records that were not removed. The first call may look at files.
    var count: Int { get }
    /// The bytes of the records that were not removed. The first call may look at files.
    var byteCount: Int { get }
    /// The snapshot that was appended last.
    var snapshot: [UInt8]? { get }
    /// The number of times that limits dropped records.
    var drops: Int { get }

    /// Appends a snapshot and a record in one step, the snapshot first. Either can be missing. `finish` does the work that may
    /// take longer than one write.
    func put(_ payload: [UInt8]?, tag: JournalTag?, snapshot: [UInt8]?) throws -> Journal.Appended
    /// Appends at least the first record of a group, and removes the appended records from it.
    func putFirst(of group: inout JournalGroup) throws -> Journal.Appended
    /// Does the rest of an append. When it throws, the medium may not have what was appended.
    func finish(_ appended: Journal.Appended) throws
    /// Makes sure that no later record gets a sequence up to this one.
    func reserve(through sequence: UInt64) throws
    /// Reads records after one sequence and up to another, oldest first: as many as fit, but at least one if there is
    /// one.
    /// - Parameter cursor: the place where the last read stopped.
    func read(
        after sequence: UInt64, through last: UInt64, maxBytes: Int, maxCount: Int, from cursor: inout JournalCursor?
    ) throws -> [JournalRecord]
    /// Removes records, oldest first. The mark is stored before anything is deleted; nil keeps the earlier mark.
    func removeThrough(_ sequence: UInt64, markData: [UInt8]?) throws
    /// Deletes all records. The snapshot stays, and sequences are not used again.
    /// - Throws: when the disk cannot do it now. The records are not read any more, but the log `owesPurge`: until
    ///   `finishPurge` succeeds, another opening can bring them back.
    func purge(markData: [UInt8]?) throws
    /// Finishes a purge that failed. Does nothing when the log owes none.
    func finishPurge() throws
    /// Closes the files.
    func close()

    /// The number of records that were not removed, after a sequence.
    func count(after sequence: UInt64) -> Int
    /// Whether a record that was read is still here.
    func contains(_ sequence: UInt64) -> Bool
    /// Takes note that the reader has taken the records up to a sequence.
    /// - Returns: the sequences that are in the log at this moment.
    func take(through sequence: UInt64) -> ClosedRange<UInt64>?
    /// Prevents that records which are being sent are dropped for room; nil ends that.
    func hold(through sequence: UInt64?)
    /// Returns and forgets the number of records that purges deleted before the reader had taken them.
    func takeDeleted() -> Int
    /// Returns what the reader has taken and uses, for the log that replaces this one.
    func takeClaims() -> ReaderClaims

    /// Sets the limits.
    func setBounds(_ bounds: JournalBounds)
    /// Does work in advance that an append would otherwise do.
    func prepare() throws
    /// Syncs appended records to the medium.
    func sync() throws
    /// Checks that the files are still where they were opened.
    func verify() throws
    /// Returns and forgets the reports since the last call.
    func takeReports() -> [JournalReport]
}

extension Journal: RecordLog {}

extension RecordLog {
    /// Appends as `put` does, with the rest of the work.
    func append(_ payload: [UInt8]?, tag: JournalTag?, snapshot: [UInt8]?) throws {
        try finish(put(payload, tag: tag, snapshot: snapshot))
    }

    /// Whether appended records will be found again; false when files of the log were deleted.
    var isAttached: Bool {
        do {
            try verify()
            return true
        } catch {
            return (error as? JournalError)?.reason != .detached
        }
    }

    /// Copies the snapshot, the mark and the records that are not removed from another log, with their sequences.
    func carryOver(_ old: any RecordLog, without removed: Removal) throws {
        if let snapshot = old.snapshot { try append(nil, tag: nil, snapshot: snapshot) }
        let before = old.head
        var place = max(removed.through, before.watermark)
        var cursor: JournalCursor?
        while true {
            let records = try old.read(
                after: place, through: .max, maxBytes: Limits.batchBytes, maxCount: .max, from: &cursor)
            for record in records {
                if head.lastSequence + 1 < record.sequence { try reserve(through: record.sequence - 1) }
                try append(record.payload, tag: record.tag, snapshot: nil)
            }
            guard let last = records.last else { break }
            place = last.sequence
        }
        if head.lastSequence < before.lastSequence { try reserve(through: before.lastSequence) }
        let mark = removed.mark ?? before.mark
        if !mark.isEmpty { try removeThrough(0, markData: mark) }
    }
}
