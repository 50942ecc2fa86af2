/// When the settings are written into their log as a whole, and what of the log nobody needs any more.
///
/// It counts what a node has seen since its start. A node that knows of no snapshot makes one early, and forgets nothing.
struct SnapshotPlan: Sendable, Equatable {
    /// Records and bytes of changes after which a snapshot is due.
    let records: Int
    let bytes: Int
    private var seenRecords = 0
    private var seenBytes = 0
    /// Where the last snapshot begins, and the one before it.
    private var last: UInt64?
    private var previous: UInt64?

    init(records: Int, bytes: Int) { (self.records, self.bytes) = (records, bytes) }

    var isDue: Bool { seenRecords >= records || seenBytes >= bytes }

    /// Records in front of this place are not needed: whoever joins or was away begins with the last snapshot but one. A node
    /// that is reading the last one still finds it.
    var firstNeeded: UInt64? { previous }

    /// Notes a record with a change or a part of one.
    mutating func note(change record: LogRecord) {
        seenRecords += 1
        seenBytes += record.bytes.count
    }

    /// Notes a whole snapshot.
    /// - Parameter place: that of its first record.
    mutating func note(snapshotAt place: UInt64) {
        (previous, last) = (last, place)
        (seenRecords, seenBytes) = (0, 0)
    }
}
