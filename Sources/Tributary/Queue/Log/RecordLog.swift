import TributaryJournal

/// An ordered log of byte records that outlives the process. Safe from any thread.
protocol RecordLog: AnyObject, Sendable {
    /// What is known of the log without a look at its records.
    var head: JournalHead { get }
    /// The records that were not removed, and their bytes. The first call may look at files.
    var size: (count: Int, bytes: Int) { get }
    /// The latest snapshot that was appended.
    var snapshot: [UInt8]? { get }
    /// The journal of a log in files, for what only files need: bounds, syncs, and a look whether they are still there.
    var files: Journal? { get }

    /// Appends a snapshot and a record in one step, the snapshot first. Either can be missing.
    /// - Returns: the newest sequence.
    @discardableResult
    func append(_ payload: [UInt8]?, tag: JournalTag?, snapshot: [UInt8]?) throws -> UInt64
    /// Appends the records of a group. When this throws, the records that are left in the group were not appended.
    func append(_ group: inout JournalGroup) throws
    /// Makes sure that no later record gets a sequence up to this one.
    func reserve(through sequence: UInt64) throws
    /// Records after one sequence and up to another, oldest first: at least one when there is one, else as many as fit.
    func read(after sequence: UInt64, through last: UInt64, maxBytes: Int, maxCount: Int) throws -> [JournalRecord]
    /// Removes records, oldest first. The mark is stored before anything is deleted; nil keeps the old mark.
    func remove(through sequence: UInt64, mark: [UInt8]?) throws
    /// Removes all records for good; the snapshot stays, and sequences are not used again.
    /// - Throws: when the disk cannot do it now. Nobody reads the records any more, but the log `owesPurge`: until
    ///   `finishPurge` succeeds, an opening can bring them back.
    func purge() throws
    /// Ends a purge that failed; does nothing when the log owes none.
    func finishPurge() throws
    /// Ends the use of files.
    func close()
}
