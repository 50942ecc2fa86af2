/// Where every event went: the counters behind `Analytics.counters`.
final class Accounts: Sendable {
    /// Who keeps an event from a destination.
    enum Culprit: String, Sendable {
        case plugin, filter, notEnabled
    }

    private let counters = LockBox(EventCounters())
    private let hub: DiagnosticHub

    init(hub: DiagnosticHub) { self.hub = hub }

    var current: EventCounters { counters.withLock { $0 } }

    func count(_ change: (inout EventCounters) -> Void) { counters.withLock { change(&$0) } }

    func delivered(to key: String) { count { $0.delivered[key, default: 0] += 1 } }

    func changed(byFilters names: [String], destination: String) {
        guard !names.isEmpty else { return }
        count { counters in
            for name in names {
                counters.changedByFilter[EventCounters.Drop(by: name, destination: destination), default: 0] += 1
            }
        }
    }

    func dropped(_ culprit: Culprit, by name: String, destination: String?) {
        let drop = EventCounters.Drop(by: name, destination: destination)
        count { counters in
            switch culprit {
            case .plugin: counters.droppedByPlugin[drop, default: 0] += 1
            case .filter: counters.droppedByFilter[drop, default: 0] += 1
            case .notEnabled: counters.notEnabled[name, default: 0] += 1
            }
        }
    }
}
