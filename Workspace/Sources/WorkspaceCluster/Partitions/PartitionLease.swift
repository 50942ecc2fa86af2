import WorkspaceCore
import WorkspaceServer

/// The process that moves a partition of the log into the store, and how far it has come.
///
/// The record is shared by all nodes and changed by compare-and-set only. Only this record decides who owns a
/// partition.
package struct PartitionLease: Sendable, Equatable {
    /// A range of records that the partition's owner is about to store.
    package struct RecordRange: Sendable, Equatable {
        /// The last record of the range. The first one is the record after `through`.
        package let to: UInt64
        /// The time of storing that its rows get; milliseconds since 1970. Every repetition uses the same time.
        package let storedAt: Int64
        /// The first time that the rows of the range do not use. Numbers of rows are made of times.
        package let next: Int64
        /// How many events scripts made; nil when no record of the range goes through scripts.
        package let made: MadeEvents?

        package init(to: UInt64, storedAt: Int64, next: Int64, made: MadeEvents? = nil) {
            (self.to, self.storedAt, self.next, self.made) = (to, storedAt, next, made)
        }
    }

    /// The process that owns the partition; empty when it has let the partition go.
    package var owner: String
    /// Counts the logs that the partition had: one more each time that the log went back.
    package var epoch: UInt64
    /// The identity of the log to which the places belong.
    package var incarnation: String
    /// Every record up to this one is in the store.
    package var through: UInt64
    /// Future rows get this time of storing or a later one; milliseconds since 1970. All rows with an earlier time are
    /// in the store.
    package var next: Int64
    /// The range that was announced and is not confirmed.
    package var announced: RecordRange?

    package init(
        owner: String, epoch: UInt64 = 0, incarnation: String, through: UInt64 = 0, next: Int64 = 0,
        announced: RecordRange? = nil
    ) {
        (self.owner, self.epoch, self.incarnation) = (owner, epoch, incarnation)
        (self.through, self.next, self.announced) = (through, next, announced)
    }
}

/// Keeps the records of all partitions.
package protocol PartitionLeases: Sendable {
    /// The record of a partition with its revision; nil when there is none yet.
    func place(of partition: Int) async throws -> (place: PartitionLease, revision: UInt64)?

    /// Replaces the record if it still has a revision.
    /// - Parameter revision: the revision of the record to replace; 0 when there must be no record.
    /// - Returns: the new revision; nil when the record has another one, and nothing was changed.
    /// - Throws: `LogError.unavailable` after a bounded time. The change may have been made all the same.
    func set(_ place: PartitionLease, of partition: Int, ifRevision revision: UInt64) async throws -> UInt64?
}
