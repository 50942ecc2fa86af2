/// Counts events by the name that the app gave them, and which plugin or filter rule kept them from the server.
///
/// Few names have counts of their own; the other events are counted together under the empty name. So the sums of all names
/// are whole.
struct EventLosses: Sendable, Equatable {
    /// Names of events, and of plugins and of rules for each event, with counts of their own.
    static let names = 16
    static let droppers = 6

    /// The counts of the events with one name.
    struct Counts: Sendable, Equatable {
        /// Events that went through the timeline.
        var events = 0
        /// Events that a plugin dropped, by the name of the plugin.
        private(set) var plugins: [String: Int] = [:]
        /// Events that a filter rule kept from the server, by the name of the rule.
        private(set) var rules: [String: Int] = [:]

        var dropped: Int { plugins.values.reduce(0, +) + rules.values.reduce(0, +) }

        mutating func drop(_ count: Int = 1, plugin: String) { Self.add(count, plugin, to: &plugins) }

        mutating func drop(_ count: Int = 1, rule: String) { Self.add(count, rule, to: &rules) }

        mutating func add(_ other: Counts) {
            events += other.events
            for (name, count) in other.plugins.byKey() { drop(count, plugin: name) }
            for (name, count) in other.rules.byKey() { drop(count, rule: name) }
        }

        private static func add(_ count: Int, _ name: String, to counts: inout [String: Int]) {
            let hasRoom = counts[name] != nil || counts.count < EventLosses.droppers
            counts[hasRoom ? name : "", default: 0] += count
        }
    }

    /// By the name of the event.
    private(set) var counts: [String: Counts] = [:]

    var isEmpty: Bool { counts.isEmpty }

    mutating func count(_ name: String, _ change: (inout Counts) -> Void) {
        let hasRoom = counts[name] != nil || counts.count < Self.names
        change(&counts[hasRoom ? name : "", default: Counts()])
    }

    mutating func add(_ other: EventLosses) {
        for (name, more) in other.counts.byKey() { count(name) { $0.add(more) } }
    }

    /// Counts the name that matters least together with the others: one without drops, if there is one.
    /// - Parameter evenWithDrops: whether a name with drops may go as well.
    /// - Returns: false when no name can go.
    mutating func leaveOut(evenWithDrops: Bool) -> Bool {
        let named = counts.filter { !$0.key.isEmpty && (evenWithDrops || $0.value.dropped == 0) }
        let least = named.min {
            ($0.value.dropped, $0.value.events, $0.key) < ($1.value.dropped, $1.value.events, $1.key)
        }
        guard let least else { return false }
        counts[least.key] = nil
        counts["", default: Counts()].add(least.value)
        return true
    }
}
