package import WorkspaceCluster
import WorkspaceCore
import WorkspaceServer

/// Measures how long partitions are without a process that stores them.
///
/// A takeover begins when the owner of a partition dies or stops, and ends when another process has stored something of
/// the partition. When the next owner is lost before that, it is still the same takeover. An owner that stopped, goes on
/// and stores something was not replaced. Times are milliseconds of any clock.
public struct TakeoverClock: Sendable {
    /// A takeover that ended.
    public struct Takeover: Sendable, Equatable {
        /// The partition.
        public let partition: Int
        /// The process that owned it first.
        public let owner: String
        /// When that one was lost.
        public let began: Int
        /// When another one had stored something.
        public let ended: Int

        /// How long it took.
        public var milliseconds: Int { ended - began }
    }

    private struct Open {
        let owner: String
        let began: Int
        /// The owners that are lost.
        var lost: Set<String>
        /// How far these owners had stored the partition.
        var through: UInt64
        /// The owners among them that run again.
        var goingOn: Set<String> = []
    }

    /// The takeovers that ended, in the order of their ends.
    public private(set) var takeovers: [Takeover] = []
    private var seen: [Int: PartitionLease] = [:]
    private var open: [Int: Open] = [:]

    /// Begins without a partition.
    public init() {}

    /// The number of partitions that have not been taken over yet.
    public var waiting: Int { open.count }

    /// Processes died or stopped.
    /// - Parameter name: the beginning of their names.
    public mutating func lose(_ name: String, at time: Int) {
        for (partition, place) in seen where place.owner.hasPrefix(name) {
            open[partition, default: Open(owner: place.owner, began: time, lost: [], through: place.through)].lost
                .insert(place.owner)
            open[partition]?.goingOn.remove(place.owner)
            open[partition]?.through = place.through
        }
    }

    /// Processes that stopped go on.
    /// - Parameter name: the beginning of their names.
    public mutating func goOn(_ name: String) {
        for (partition, entry) in open {
            open[partition]?.goingOn.formUnion(entry.lost.filter { $0.hasPrefix(name) })
        }
    }

    /// The record of a partition was read.
    package mutating func see(_ place: PartitionLease, of partition: Int, at time: Int) {
        seen[partition] = place
        guard let entry = open[partition], place.through > entry.through else { return }
        if !entry.lost.contains(place.owner) {
            takeovers.append(Takeover(partition: partition, owner: entry.owner, began: entry.began, ended: time))
            open[partition] = nil
        } else if entry.goingOn.contains(place.owner) {
            open[partition] = nil
        } else {
            // The last change of a process may have been on its way when it was lost.
            open[partition]?.through = place.through
        }
    }
}
