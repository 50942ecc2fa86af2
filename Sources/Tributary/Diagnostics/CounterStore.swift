/// Counts where every event went. `Analytics.counters` shows the counters.
final class CounterStore: Sendable {
    /// What kept an event from a destination.
    enum DropSource: String, Sendable {
        case plugin, filter, notEnabled
    }

    /// The counter of what one destination took, kept apart because looking up a key costs more than counting.
    struct Deliveries {
        fileprivate let place: Int
    }

    private struct State {
        var counters = EventCounters()
        /// What destinations took, by their place, and their keys.
        var delivered: [Int] = []
        var keys: [String] = []
    }

    private let state = LockBox(State())
    private let hub: DiagnosticHub

    init(hub: DiagnosticHub) { self.hub = hub }

    var current: EventCounters {
        state.withLock { state in
            var counters = state.counters
            for (key, count) in zip(state.keys, state.delivered) where count > 0 {
                counters.delivered[key, default: 0] += count
            }
            return counters
        }
    }

    func count(_ change: (inout EventCounters) -> Void) { state.withLock { change(&$0.counters) } }

    /// The counter of the destinations of that key.
    func deliveries(to key: String) -> Deliveries {
        state.withLock { state in
            if let place = state.keys.firstIndex(of: key) { return Deliveries(place: place) }
            state.keys.append(key)
            state.delivered.append(0)
            return Deliveries(place: state.keys.count - 1)
        }
    }

    /// A destination took an event.
    func delivered(to deliveries: Deliveries) { state.withLock { $0.delivered[deliveries.place] += 1 } }

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
