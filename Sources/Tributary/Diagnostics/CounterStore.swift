import TributaryJSON

/// Counts where every event went, for `Analytics.counters`.
final class CounterStore: Sendable {
    /// The part that kept an event from a destination.
    enum DropSource: String, Sendable {
        case plugin, filter, notEnabled
    }

    /// The counter of the events that one destination accepted. It has a place of its own because looking up a key
    /// costs more than counting.
    struct Deliveries {
        fileprivate let place: Int
    }

    private struct State {
        var counters = EventCounters()
        /// How many events each destination accepted, by its place; the keys are in the same order.
        var delivered: [Int] = []
        var keys: [String] = []
        /// Nil while health reports do not need it.
        var losses: EventLosses?
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

    /// The counter of the destinations with this key.
    func deliveries(to key: String) -> Deliveries {
        state.withLock { state in
            if let place = state.keys.firstIndex(of: key) { return Deliveries(place: place) }
            state.keys.append(key)
            state.delivered.append(0)
            return Deliveries(place: state.keys.count - 1)
        }
    }

    /// Counts an event that a destination accepted.
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

    /// - Parameter event: the event as the app tracked it; nil for a repetition, which was counted before.
    func dropped(_ dropSource: DropSource, by name: String, destination: String?, of event: JSONObject?) {
        let drop = EventCounters.Drop(by: name, destination: destination)
        let isForServer = destination == nil || destination == ServerDestination.key
        state.withLock { state in
            switch dropSource {
            case .plugin: state.counters.droppedByPlugin[drop, default: 0] += 1
            case .filter: state.counters.droppedByFilter[drop, default: 0] += 1
            case .notEnabled: state.counters.notEnabled[name, default: 0] += 1
            }
            guard isForServer, dropSource != .notEnabled, let event else { return }
            state.losses?.count(Self.name(of: event)) { counts in
                if dropSource == .filter { counts.drop(rule: name) } else { counts.drop(plugin: name) }
            }
        }
    }

    // MARK: Losses

    /// Counts events by their name from now on.
    func beginLosses() { state.withLock { $0.losses = EventLosses() } }

    /// The counts by name since the last call.
    func takeLosses() -> EventLosses {
        state.withLock { state in
            guard let losses = state.losses else { return EventLosses() }
            state.losses = EventLosses()
            return losses
        }
    }

    /// Counts an event that has been through the timeline.
    /// - Parameter event: the event as the app tracked it; nil for a repetition, which was counted before.
    func processed(_ event: JSONObject?, withoutSettings: Bool) {
        state.withLock { state in
            state.counters.processed += 1
            if withoutSettings { state.counters.processedWithoutSettings += 1 }
            if let event { state.losses?.count(Self.name(of: event)) { $0.events += 1 } }
        }
    }

    /// Of a track event its own name, of others their type: screens and pages have too many names.
    private static func name(of event: JSONObject) -> String {
        event["event"]?.stringValue ?? event["type"]?.stringValue ?? ""
    }
}
