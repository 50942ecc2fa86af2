package import TributaryJSON

/// Counts the work of one version of the live plugins since the last report.
package struct VersionHealth: Sendable, Equatable {
    /// Plugins with counts of their own. More of them are counted together in `pluginsLeftOut`.
    static let plugins = 32
    /// Time for an event in microseconds, up to which each place of `times` counts; the last place counts the rest.
    static let timeSteps = [100, 300, 1000, 3000, 10_000, 30_000, 100_000]

    /// The version, or "fallback".
    package let version: String
    /// Events that reached it.
    package var events = 0
    /// Events in which a plugin had a fault.
    package var faulty = 0
    /// Events that it dropped.
    package var dropped = 0
    /// Events that its scripts made.
    package var made = 0
    /// The time in its scripts for all events.
    package var microseconds = 0
    /// How many turns took how long, by `timeSteps`.
    private(set) var times = Array(repeating: 0, count: timeSteps.count + 1)
    package private(set) var plugins: [String: PluginHealth] = [:]
    private(set) var pluginsLeftOut = 0
    package private(set) var incidents: [VersionIncident: Int] = [:]

    package init(version: String) { self.version = version }

    package var isEmpty: Bool { self == VersionHealth(version: version) }

    /// Whether something went wrong that its author wants to know soon.
    package var hasFaults: Bool {
        plugins.values.contains(where: \.hasFaults)
            || incidents.keys.contains { $0 != .downloadFailed && $0 != .fellBack }
    }

    package mutating func count(_ incident: VersionIncident) { incidents[incident, default: 0] += 1 }

    package mutating func count(_ name: String, _ change: (inout PluginHealth) -> Void) {
        guard plugins[name] != nil || plugins.count < Self.plugins else { return pluginsLeftOut += 1 }
        change(&plugins[name, default: PluginHealth()])
    }

    package mutating func count(nanoseconds: UInt64) {
        let time = Int(clamping: nanoseconds / 1000)
        microseconds += time
        times[Self.timeSteps.firstIndex { time < $0 } ?? Self.timeSteps.count] += 1
    }

    mutating func add(_ other: VersionHealth) {
        events += other.events
        faulty += other.faulty
        dropped += other.dropped
        made += other.made
        microseconds += other.microseconds
        for place in times.indices { times[place] += other.times[place] }
        for (name, health) in other.plugins { count(name) { $0.add(health) } }
        pluginsLeftOut += other.pluginsLeftOut
        for (incident, count) in other.incidents { incidents[incident, default: 0] += count }
    }

    /// Leaves out the plugin that matters least: the plugin with the fewest events, among plugins without faults as long
    /// as there are some.
    mutating func leaveOutPlugin(evenWithFaults: Bool) -> Bool {
        let least = plugins.filter { evenWithFaults || !$0.value.hasFaults }.min {
            ($0.value.hasFaults ? 1 : 0, $0.value.seen, $0.key) < ($1.value.hasFaults ? 1 : 0, $1.value.seen, $1.key)
        }
        guard let least else { return false }
        plugins[least.key] = nil
        pluginsLeftOut += 1
        return true
    }

    // MARK: JSON

    package var json: JSON {
        var object = JSON.counts([
            "events": events, "faulty": faulty, "dropped": dropped, "made": made, "microseconds": microseconds,
            "pluginsLeftOut": pluginsLeftOut,
        ])
        object["version"] = .string(version.cut(to: FaultNote.nameBytes))
        if times.contains(where: { $0 > 0 }) { object["times"] = .array(times.map { .number(JSONNumber($0)) }) }
        if !incidents.isEmpty {
            var counts = JSONObject()
            for incident in VersionIncident.allCases {
                counts[incident.rawValue] = incidents[incident].map { .number(JSONNumber($0)) }
            }
            object["incidents"] = .object(counts)
        }
        let sorted = plugins.byKey()
        if !sorted.isEmpty { object["plugins"] = .array(sorted.map { $0.value.json(named: $0.key) }) }
        return .object(object)
    }

    init?(_ json: JSON) {
        guard let version = json["version"]?.stringValue else { return nil }
        self.init(version: version)
        events = json["events"]?.count ?? 0
        faulty = json["faulty"]?.count ?? 0
        dropped = json["dropped"]?.count ?? 0
        made = json["made"]?.count ?? 0
        microseconds = json["microseconds"]?.count ?? 0
        pluginsLeftOut = json["pluginsLeftOut"]?.count ?? 0
        for (place, count) in (json["times"]?.elements ?? []).enumerated() where times.indices.contains(place) {
            times[place] = count.count
        }
        for incident in VersionIncident.allCases {
            if let count = json["incidents"]?[incident.rawValue]?.count, count > 0 { incidents[incident] = count }
        }
        for plugin in json["plugins"]?.elements ?? [] {
            guard let name = plugin["name"]?.stringValue else { continue }
            count(name) { $0.add(PluginHealth(plugin)) }
        }
    }
}
