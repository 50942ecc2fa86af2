/// Counts where every event went, for `Analytics.counters`.
final class CounterStore: Sendable {
    /// The part that kept an event from a destination.
    enum DropSource: String, Sendable {
        case plugin, filter, notEnabled
    }

    private struct State {
        var counters = EventCounters()
        /// Events that the cloud destination accepted. They have a counter of their own because looking up a key costs
        /// more than counting.
        var sent = 0
    }

    private let state = LockBox(State())
    private let hub: DiagnosticHub

    init(hub: DiagnosticHub) { self.hub = hub }

    var current: EventCounters {
        state.withLock { state in
            var counters = state.counters
            if state.sent > 0 { counters.delivered[ServerDestination.key, default: 0] += state.sent }
            return counters
        }
    }

    func count(_ change: (inout EventCounters) -> Void) { state.withLock { change(&$0.counters) } }

    /// Counts an event that the cloud destination accepted.
    func sent() { state.withLock { $0.sent += 1 } }

    func delivered(to key: String) { count { $0.delivered[key, default: 0] += 1 } }

    func lost(_ number: Int, to key: String) { count { $0.lostByDestination[key, default: 0] += number } }

    func changed(byFilters names: [String], destination: String) {
        guard !names.isEmpty else { return }
        count { counters in
            for name in names {
                counters.changedByFilter[EventCounters.Drop(by: name, destination: destination), default: 0] += 1
            }
        }
    }

    func dropped(_ dropSource: DropSource, by name: String, destination: String?) {
        let drop = EventCounters.Drop(by: name, destination: destination)
        count { counters in
            switch dropSource {
            case .plugin: counters.droppedByPlugin[drop, default: 0] += 1
            case .filter: counters.droppedByFilter[drop, default: 0] += 1
            case .notEnabled: counters.notEnabled[name, default: 0] += 1
            }
        }
    }
}
