package import TributaryJSON

/// The sums of what devices with one version of an app say about the ends of their events.
///
/// Each tracked event ends in one place, or waits. A report in which that does not add up says by how much, so the sums always
/// add up: `tracked` and `unbegun` together are as many as all ends, `waiting` and `unexplained` together.
package struct AccountSums: Sendable, Equatable {
    /// Events, and plugins and rules for each event, with counts of their own. The rarest of more are added up under the empty
    /// name.
    package static let mostEvents = 40
    package static let mostDroppers = 8
    private static let mostReasons = 16
    /// More than this cannot be counted. Every reader of JSON takes it exactly.
    private static let largest = 1 << 52

    /// A number of events.
    package enum Count: String, Sendable, CaseIterable {
        /// Events that the app tracked, that the server confirmed, and that it refused for good.
        case tracked, delivered, refused
        /// Events that plugins dropped, and that filter rules kept from the server.
        case plugins, rules
        /// Events that the app or the user deleted, and events that settings or the event itself kept from the server.
        case deleted, notChosen
        /// How many more, and how many fewer events waited at the end of each report.
        case moreWaiting, fewerWaiting
        /// Tracked events without a known end, and ends without a known beginning.
        case unexplained, unbegun
        /// The reports; reports of earlier clients, which do not say all of this; reports about more than two days; and reports
        /// that are missing between others.
        case reports, partial, late, missing
    }

    /// The events of one name.
    package struct Event: Sendable, Equatable {
        package var events = 0
        package private(set) var plugins: [String: Int] = [:]
        package private(set) var rules: [String: Int] = [:]

        package var dropped: Int { plugins.values.reduce(0, +) + rules.values.reduce(0, +) }

        /// An event with drops stays before an event without.
        fileprivate var weight: Int { min(dropped, 1 << 40) * 1_000 + events }

        package mutating func drop(_ count: Int, plugin: String) { Self.add(count, plugin, to: &plugins) }

        package mutating func drop(_ count: Int, rule: String) { Self.add(count, rule, to: &rules) }

        fileprivate mutating func add(_ other: Event) {
            events = min(events + other.events, AccountSums.largest)
            for (name, count) in other.plugins { drop(count, plugin: name) }
            for (name, count) in other.rules { drop(count, rule: name) }
        }

        /// When there are too many names, the rarest goes to the empty one: so invented names do not displace a real one.
        private static func add(_ count: Int, _ name: String, to counts: inout [String: Int]) {
            guard count > 0 else { return }
            counts[name] = min((counts[name] ?? 0) + count, AccountSums.largest)
            AccountSums.bound(&counts, to: AccountSums.mostDroppers) {
                $0
            } merge: {
                min($0 + $1, AccountSums.largest)
            }
        }
    }

    private var counts = HealthCounts()
    /// Lost events by reason.
    package private(set) var lost: [String: Int] = [:]
    package private(set) var events: [String: Event] = [:]

    package init() {}

    package subscript(count: Count) -> Int {
        get { counts[count.rawValue] }
        set { counts[count.rawValue] = newValue }
    }

    package var isEmpty: Bool { self == AccountSums() }

    package var lostEvents: Int { lost.values.reduce(0) { min($0 + $1, Self.largest) } }

    /// How many more events wait than before; below 0 when they are fewer.
    package var waiting: Int { self[.moreWaiting] - self[.fewerWaiting] }

    package mutating func lose(_ count: Int, because reason: String) {
        guard count > 0 else { return }
        lost[reason] = min((lost[reason] ?? 0) + count, Self.largest)
        Self.bound(&lost, to: Self.mostReasons) {
            $0
        } merge: {
            min($0 + $1, Self.largest)
        }
    }

    package mutating func count(_ name: String, _ event: Event) {
        events[name, default: Event()].add(event)
        Self.bound(&events, to: Self.mostEvents) {
            $0.weight
        } merge: { one, other in
            var sum = one
            sum.add(other)
            return sum
        }
    }

    package mutating func add(_ other: AccountSums) {
        counts.add(other.counts)
        for (reason, count) in other.lost.sorted(by: { $0.key < $1.key }) { lose(count, because: reason) }
        for (name, event) in other.events.sorted(by: { $0.key < $1.key }) { count(name, event) }
    }

    /// Says by how much the numbers of one report do not add up.
    package mutating func balance() {
        let parts: [Count] = [.delivered, .refused, .plugins, .rules, .deleted, .notChosen]
        let ends = parts.reduce(lostEvents + waiting) { $0 + self[$1] }
        self[.unexplained] = max(0, self[.tracked] - ends)
        self[.unbegun] = max(0, ends - self[.tracked])
    }

    /// Adds the value that weighs least to that of the empty name when there are more names than `most`.
    fileprivate static func bound<Value>(
        _ values: inout [String: Value], to most: Int, weight: (Value) -> Int, merge: (Value, Value) -> Value
    ) {
        guard values.count - (values[""] == nil ? 0 : 1) > most else { return }
        let named = values.filter { !$0.key.isEmpty }
        guard let least = named.min(by: { (weight($0.value), $1.key) < (weight($1.value), $0.key) }) else { return }
        values[least.key] = nil
        values[""] = values[""].map { merge($0, least.value) } ?? least.value
    }

    // MARK: JSON

    package var json: JSON {
        var object: JSONObject = ["counts": .object(counts.json)]
        if !lost.isEmpty { object["lost"] = .object(Self.json(lost)) }
        if !events.isEmpty {
            object["events"] = .array(
                events.sorted { $0.key < $1.key }.map { name, event in
                    var object: JSONObject = ["name": .string(name), "events": .number(event.events)]
                    if !event.plugins.isEmpty { object["plugins"] = .object(Self.json(event.plugins)) }
                    if !event.rules.isEmpty { object["rules"] = .object(Self.json(event.rules)) }
                    return .object(object)
                })
        }
        return .object(object)
    }

    package static func json(_ counts: [String: Int]) -> JSONObject {
        counts.sorted { $0.key < $1.key }.reduce(into: JSONObject()) { $0[$1.key] = .number($1.value) }
    }

    /// Reads stored sums.
    package init(_ json: JSON) {
        counts = HealthCounts(json["counts"], names: Count.allCases.map(\.rawValue))
        for (reason, count) in json["lost"]?.objectValue ?? [:] { lose(Self.count(count), because: reason) }
        for event in json["events"]?.elements ?? [] {
            count(event["name"]?.stringValue ?? "", Self.event(event, atMost: Self.largest))
        }
    }

    static func event(_ json: JSON, atMost most: Int) -> Event {
        var event = Event()
        event.events = min(count(json["events"]), most)
        for (name, number) in json["plugins"]?.objectValue ?? [:] {
            event.drop(min(count(number), most), plugin: name)
        }
        for (name, number) in json["rules"]?.objectValue ?? [:] { event.drop(min(count(number), most), rule: name) }
        return event
    }

    private static func count(_ json: JSON?) -> Int { min(max(0, json?.intValue ?? 0), largest) }
}
