import Synchronization

/// What a process has of the partitions, for all of its tasks and for people.
package final class PartitionBoard: Sendable {
    private let state = Mutex(State())
    private let mostOwned: Int

    private struct State {
        var owned: [Int: PartitionPlace] = [:]
        var takeovers = 0
        var alarms = 0
    }

    init(mostOwned: Int) { self.mostOwned = mostOwned }

    /// The partitions that the process owns as far as it knows.
    package var owned: [Int: PartitionPlace] { state.withLock { $0.owned } }
    /// How often the process came to own a partition.
    package var takeovers: Int { state.withLock { $0.takeovers } }
    /// How often a log went back.
    package var alarms: Int { state.withLock { $0.alarms } }

    /// Whether the process may own a partition beside those that it has.
    func hasRoom(for partition: Int) -> Bool {
        state.withLock { $0.owned[partition] != nil || $0.owned.count < mostOwned }
    }

    func note(_ place: PartitionPlace?, of partition: Int) {
        state.withLock { state in
            if place != nil, state.owned[partition] == nil { state.takeovers += 1 }
            state.owned[partition] = place
        }
    }

    func alarmed() { state.withLock { $0.alarms += 1 } }
}
