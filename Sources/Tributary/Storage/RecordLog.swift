import TributaryJournal

/// Where in the inbox an event of the outbox came from.
struct RecordOrigin: Sendable, Equatable {
    /// The inbox.
    var lane: UInt64
    /// The life of the inbox: a new one begins when its folder is made again.
    var epoch: UInt64
    /// The record in the inbox.
    var sequence: UInt64
}

/// A record of a log.
struct LogRecord: Sendable {
    /// Its place; grows with each record, mostly by one.
    let sequence: UInt64
    let payload: [UInt8]
    let origin: RecordOrigin?
    /// The event of the payload; nil when the payload was read back and is not parsed yet.
    var parsed: InboxRecord?

    /// The place behind it.
    var position: LogPosition { LogPosition(sequence: sequence) }
}

/// An ordered log of byte records, on disk or in memory. Safe from any thread.
protocol RecordLog: AnyObject, Sendable {
    /// Whether what is in it outlives the process.
    var isLasting: Bool { get }
    /// The life of the log; a log that is made again has another one.
    var epoch: UInt64 { get }
    /// Records that were not removed.
    var count: Int { get }
    /// Bytes that they take.
    var byteCount: Int { get }
    /// The newest record, 0 when there never was one.
    var lastSequence: UInt64 { get }
    /// Everything up to and including this one was removed.
    var removedThrough: UInt64 { get }
    /// Grows whenever records go before a reader has removed them, be it from the front or the middle. Not for those that
    /// memory drops, which goes on while they are being sent.
    var withdrawals: Int { get }
    /// Whether a record that was read is still here.
    func contains(_ sequence: UInt64) -> Bool
    /// The latest snapshot that was appended.
    var snapshot: [UInt8]? { get }
    /// The bytes given with the latest removal.
    var mark: [UInt8] { get }
    /// The origin of the newest record that has one.
    var lastOrigin: RecordOrigin? { get }

    /// Appends a record, and before it a snapshot, in one step; returns its sequence.
    func append(_ payload: [UInt8], origin: RecordOrigin?, snapshot: [UInt8]?) throws -> UInt64
    /// Appends an event, which a reader close behind may get without decoding it.
    func append(_ payload: [UInt8], handingOver event: InboxRecord, snapshot: [UInt8]?) throws -> UInt64
    /// Appends the records of a group, at best in one step; when it fails, those that are left in the group were not.
    func append(_ group: inout JournalGroup) throws
    /// Replaces the snapshot without a record.
    func append(snapshot: [UInt8]) throws
    /// Makes sure that no later record gets a sequence up to that one.
    func reserve(through sequence: UInt64) throws
    /// Records after one and up to another, oldest first: at least one when there is one, else as many as fit.
    func read(after sequence: UInt64, through last: UInt64, maxBytes: Int, maxCount: Int) throws -> [LogRecord]
    /// Forgets records, oldest first; the mark is on disk before anything is deleted. Without one, the old mark stays.
    func removeThrough(_ sequence: UInt64, mark: [UInt8]?) throws
    /// Keeps records up to that one from being dropped for want of room; nil lets go. A log in memory does not: what it
    /// drops of a batch under way counts as lost, though it may arrive.
    func hold(through sequence: UInt64?)
    /// How much may be kept from now on.
    func setBounds(_ bounds: JournalBounds)
    /// Forgets all records for good; the snapshot stays, and sequences are not used again. When it fails nobody reads
    /// them any more, but only until the log is opened again.
    func purge() throws
    /// Whether a purge failed and what was given up would come back.
    var owesPurge: Bool { get }
    /// Ends a purge that failed; to be called again when that fails, too.
    func finishPurge() throws
    /// Brings what was appended to the medium, so that it survives the power going out.
    func sync() throws
    /// Work that would be too long for the thread that appends.
    func prepare()
    /// Whether what is appended still goes where it will be found again; false when files were deleted under the log.
    var isAttached: Bool { get }
    /// Ends the use of files.
    func close()
}

extension RecordLog {
    var withdrawals: Int { 0 }
    func contains(_ sequence: UInt64) -> Bool { sequence > removedThrough }
    func append(_ payload: [UInt8], handingOver event: InboxRecord, snapshot: [UInt8]?) throws -> UInt64 {
        try append(payload, origin: nil, snapshot: snapshot)
    }
    func read(after sequence: UInt64, maxBytes: Int, maxCount: Int) throws -> [LogRecord] {
        try read(after: sequence, through: .max, maxBytes: maxBytes, maxCount: maxCount)
    }
    func append(_ group: inout JournalGroup) throws {
        while let record = group.first {
            _ = try append(record.payload, origin: record.tag.map(RecordOrigin.init), snapshot: nil)
            group.removeFirst(1)
        }
    }
    func hold(through sequence: UInt64?) {}
    func setBounds(_ bounds: JournalBounds) {}
    func purge() throws { try removeThrough(.max, mark: nil) }
    var owesPurge: Bool { false }
    func finishPurge() throws {}
    func sync() throws {}
    func prepare() {}
    var isAttached: Bool { true }
    func close() {}
}
