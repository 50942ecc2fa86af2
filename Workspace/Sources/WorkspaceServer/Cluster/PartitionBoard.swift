import Synchronization

/// What a process has of the partitions, for all of its tasks and for people.
package final class PartitionBoard: Sendable {
    private let state = Mutex(State())
    private let mostOwned: Int

    private struct State {
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

    /// Whether the process may own a partition beside those that it has.
    func hasRoom(for partition: Int) -> Bool {
        state.withLock { $0.owned[partition] != nil || $0.owned.count < min(mostOwned, $0.share) }
    }

    /// Whether the process has more than its share, and this partition is one of those that it gives up: the last ones.
    func isSurplus(_ partition: Int) -> Bool {
        state.withLock { state in
            guard state.owned[partition] != nil, state.owned.count > state.share else { return false }
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
