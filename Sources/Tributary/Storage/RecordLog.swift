/// Where in the inbox an event of the outbox came from.
struct RecordOrigin: Sendable, Equatable {
    /// The inbox.
    var lane: UInt64
    /// The life of the inbox: a new one begins when its folder is made anew.
    var epoch: UInt64
    /// The record in the inbox.
    var sequence: UInt64
}

/// A record of a log.
struct LogRecord: Sendable {
    /// Its place; grows by one with each record.
    let sequence: UInt64
    let payload: [UInt8]
    let origin: RecordOrigin?
}

/// An ordered log of byte records, on disk or in memory. Safe from any thread.
protocol RecordLog: AnyObject, Sendable {
    /// The life of the log; 0 when it does not outlive the process.
    var epoch: UInt64 { get }
    /// Records that were not removed.
    var count: Int { get }
    /// The newest record, 0 when there never was one.
    var lastSequence: UInt64 { get }
    /// Everything up to and including this one was removed.
    var removedThrough: UInt64 { get }
    /// The latest snapshot that was appended.
    var snapshot: [UInt8]? { get }
    /// The bytes given with the latest removal.
    var mark: [UInt8] { get }
    /// The origin of the newest record that has one.
    var lastOrigin: RecordOrigin? { get }

    /// Appends a record, and before it a snapshot, in one step.
    func append(_ payload: [UInt8], origin: RecordOrigin?, snapshot: [UInt8]?) throws -> UInt64
    /// Replaces the snapshot without a record.
    func append(snapshot: [UInt8]) throws
    /// Makes sure that no later record gets a sequence up to that one.
    func reserve(through sequence: UInt64) throws
    /// Records after that one, oldest first: at least one when there is one, else as many as fit.
    func read(after sequence: UInt64, maxBytes: Int, maxCount: Int) throws -> [LogRecord]
    /// Forgets records, oldest first; the mark is on disk before anything is deleted. Without one, the old mark stays.
    func removeThrough(_ sequence: UInt64, mark: [UInt8]?) throws
    /// Work that would be too long for the thread that appends.
    func prepare()
    /// Ends the use of files.
    func close()
}
