import Synchronization
import WorkspaceCore
import WorkspaceServer

/// The state of the partitions in this process. All of its tasks share it, and figures for people read it.
package final class OwnedPartitions: Sendable {
    private let state = Mutex(State())
    private let mostOwned: Int

    /// How the nodes share the first partition. Its owner is the coordinator.
    enum First: Sendable, Equatable {
        /// Like the other partitions.
        case shared
        /// This node takes it in addition to its share, because the present owner cannot coordinate.
        case wanted
        /// This node leaves it to other nodes.
        case avoided
    }

    private struct State {
        var first = First.shared
        var isOutdated = false
        /// Partitions with a record that this version cannot read.
        var unreadable: Set<Int> = []
        /// Partitions that the process may own at present.
        var share = Int.max
        var owned: [Int: PartitionLease] = [:]
        var takeovers = 0
        /// The number of repeated ranges of each partition.
        var repeated: [Int: Int] = [:]
        var alarms = 0
    }

    init(mostOwned: Int) { self.mostOwned = mostOwned }

    /// The partitions that the process owns as far as it knows.
    package var leases: [Int: PartitionLease] { state.withLock { $0.owned } }
    /// The partitions for which this process also coordinates and forwards. None while the process cannot change
    /// settings, because it could not record its progress.
    var responsible: Set<Int> { state.withLock { $0.isOutdated ? [] : Set($0.owned.keys) } }
    /// How often the process came to own a partition.
    package var takeovers: Int { state.withLock { $0.takeovers } }
    /// How often the process began to store an announced range once more.
    package var repeated: Int { state.withLock { $0.repeated.values.reduce(0, +) } }
    /// How often a log went back.
    package var alarms: Int { state.withLock { $0.alarms } }

    /// Partitions that the process may own at present, so that other nodes have their share.
    var share: Int {
        get { state.withLock { $0.share } }
        set { state.withLock { $0.share = newValue } }
    }

    var first: First {
        get { state.withLock { $0.first } }
        set { state.withLock { $0.first = newValue } }
    }

    /// Whether a newer version of the server has changed the settings, so this node does not follow them.
    var isOutdated: Bool {
        get { state.withLock { $0.isOutdated } }
        set { state.withLock { $0.isOutdated = newValue } }
    }

    /// Whether the process may own a partition beside those that it has.
    func hasRoom(for partition: Int) -> Bool {
        state.withLock { state in
            if state.unreadable.contains(partition) { return false }
            if partition == 0, state.first == .avoided { return false }
            if partition == 0, state.first == .wanted { return true }
            return state.owned[partition] != nil || state.owned.count < min(mostOwned, state.share)
        }
    }

    /// Notes that a partition has a record that this version cannot read. The process releases the partition and does
    /// not take it again.
    /// - Returns: whether this was not noted before.
    func refuse(_ partition: Int) -> Bool { state.withLock { $0.unreadable.insert(partition).inserted } }

    /// Whether the process gives the partition up: because the process owns more than its share, or because it leaves
    /// the first partition to other nodes.
    func isSurplus(_ partition: Int) -> Bool {
        state.withLock { state in
            guard state.owned[partition] != nil else { return false }
            if state.unreadable.contains(partition) { return true }
            if partition == 0, state.first == .avoided { return true }
            guard state.owned.count > state.share else { return false }
            return state.owned.keys.sorted().dropFirst(max(1, state.share)).contains(partition)
        }
    }

    func note(_ place: PartitionLease?, of partition: Int) {
        state.withLock { state in
            if place != nil, state.owned[partition] == nil { state.takeovers += 1 }
            state.owned[partition] = place
        }
    }

    /// - Parameter repeated: of that partition, since the process began.
    func note(repeated: Int, of partition: Int) { state.withLock { $0.repeated[partition] = repeated } }

    func alarmed() { state.withLock { $0.alarms += 1 } }
}
