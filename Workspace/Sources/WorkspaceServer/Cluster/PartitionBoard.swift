import Synchronization

/// What a process has of the partitions, for all of its tasks and for people.
package final class PartitionBoard: Sendable {
    private let state = Mutex(State())
    private let mostOwned: Int

    /// How the first partition is shared, whose owner coordinates.
    enum First: Sendable, Equatable {
        /// As the others.
        case shared
        /// This node takes it also beside its share, because the node that has it cannot coordinate.
        case wanted
        /// Other nodes shall have it.
        case avoided
    }

    private struct State {
        var first = First.shared
        var isOutdated = false
        /// Partitions with a record that this version cannot read.
        var unreadable: Set<Int> = []
        /// Partitions that the process may own at present.
        var share = Int.max
        var owned: [Int: PartitionPlace] = [:]
        var takeovers = 0
        /// By partition.
        var repeated: [Int: Int] = [:]
        var alarms = 0
    }

    init(mostOwned: Int) { self.mostOwned = mostOwned }

    /// The partitions that the process owns as far as it knows.
    package var owned: [Int: PartitionPlace] { state.withLock { $0.owned } }
    /// The partitions whose other work is this process's: coordinating, forwarding. None while it cannot change settings,
    /// because it could not note what it did.
    var responsible: Set<Int> { state.withLock { $0.isOutdated ? [] : Set($0.owned.keys) } }
    /// How often the process came to own a partition.
    package var takeovers: Int { state.withLock { $0.takeovers } }
    /// How often the process began to store an announced stretch once more.
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

    /// Notes that a partition has a record that this version cannot read: the process lets it go, and does not take it again.
    /// - Returns: whether that is news.
    func refuse(_ partition: Int) -> Bool { state.withLock { $0.unreadable.insert(partition).inserted } }

    /// Whether the process gives the partition up: it is one of the last ones and more than the share, or others shall have it.
    func isSurplus(_ partition: Int) -> Bool {
        state.withLock { state in
            guard state.owned[partition] != nil else { return false }
            if state.unreadable.contains(partition) { return true }
            if partition == 0, state.first == .avoided { return true }
            guard state.owned.count > state.share else { return false }
            return state.owned.keys.sorted().dropFirst(max(1, state.share)).contains(partition)
        }
    }

    func note(_ place: PartitionPlace?, of partition: Int) {
        state.withLock { state in
            if place != nil, state.owned[partition] == nil { state.takeovers += 1 }
            state.owned[partition] = place
        }
    }

    /// - Parameter repeated: of that partition, since the process began.
    func note(repeated: Int, of partition: Int) { state.withLock { $0.repeated[partition] = repeated } }

    func alarmed() { state.withLock { $0.alarms += 1 } }
}
