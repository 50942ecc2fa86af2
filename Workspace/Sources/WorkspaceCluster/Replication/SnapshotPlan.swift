import WorkspaceCore
import WorkspaceServer

/// Decides when a node writes all settings into their log, and which records no node needs any more.
///
/// It counts the records that a node has seen since its start. A node that has seen no snapshot writes one early, and
/// removes nothing.
struct SnapshotPlan: Sendable, Equatable {
    /// Records and bytes of changes after which a snapshot is due.
    let records: Int
    let bytes: Int
    private var seenRecords = 0
    private var seenBytes = 0
    /// The places of the last two snapshots.
    private var last: UInt64?
    private var previous: UInt64?

    init(records: Int, bytes: Int) { (self.records, self.bytes) = (records, bytes) }

    var isDue: Bool { seenRecords >= records || seenBytes >= bytes }

    /// Records before this place are not needed: a node that joins or was away begins with the last snapshot but one.
    /// So a node that is just reading the last snapshot does not lose it.
    var firstNeeded: UInt64? { previous }

    /// Notes a record with a change or a part of one.
    mutating func note(change record: LogRecord) {
        seenRecords += 1
        seenBytes += record.bytes.count
    }

    /// Notes a whole snapshot.
    /// - Parameter place: the place of its first record.
    mutating func note(snapshotAt place: UInt64) {
        (previous, last) = (last, place)
        (seenRecords, seenBytes) = (0, 0)
    }
}
