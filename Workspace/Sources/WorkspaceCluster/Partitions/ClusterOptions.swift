import Foundation
import WorkspaceCore
import WorkspaceServer

/// How a process moves partitions of the log into the store.
package struct ClusterOptions: Sendable {
    /// Milliseconds for which the record of a partition must not change before another process takes the partition
    /// over.
    package var patience: Int64 = 4_000
    /// Milliseconds between two changes of the record by which an owner shows that it lives.
    package var pulse: Int64 = 1_000
    /// Records and bytes of records that are stored at once. 400 batches of 20 events are 8,000 rows. Each insert costs the
    /// replicas much by itself: with 1 MB an event took 129 µs of their processor time, with 8 MB 35 µs.
    package var recordsInBlock = 400
    package var bytesInBlock = 8 << 20
    /// Milliseconds for which repeated events are recognised without asking the store.
    package var window: Int64 = 900_000
    /// The most partitions that the process owns.
    package var mostOwned = Int.max
    /// The time that stored rows get; milliseconds since 1970.
    package var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000) }

    /// The most partitions that a log has. Row numbers cannot distinguish more.
    package static let mostPartitions = ClusterNumber.partitions

    package init() {}
}
