package import TributaryJSON

/// The sums of the devices' reports within an hour, about one version of the live plugins or about delivery.
///
/// It never grows beyond `mostParts` names and `mostFaults` faults.
package struct HealthSums: Sendable, Equatable {
    /// Plugins or destinations that are named; the others are added up under the empty name.
    package static let mostParts = 30
    /// Faults that are named.
    package static let mostFaults = 10
    /// Kinds of turns by their time.
    static let timeSteps = 8
    /// Differences that are named; the others are added up as `DeviceHealth.moreDifferences`.
    private static let mostDifferences = 100

    package var counts = HealthCounts()
    /// How many turns took less than 0.1, 0.3, 1, 3, 10, 30 and 100 ms, and how many took longer.
    package private(set) var times = Array(repeating: 0, count: timeSteps)
    /// Incidents of a version by kind, or lost events by reason.
    package var kinds = HealthCounts()
    /// Plugins of a version, or destinations, by name.
    package private(set) var parts: [String: HealthCounts] = [:]
    /// The number of events with each difference of a shadow from the version before.
    package private(set) var differences: [String: Int] = [:]
    /// In how many reports each fault was the first of its plugin.
    package private(set) var faults: [ReportedFault: Int] = [:]

    package init() {}

    package mutating func count(_ part: String, _ counts: HealthCounts) {
        let named = parts.count - (parts[""] == nil ? 0 : 1)
        let isNamed = parts[part] != nil || named < Self.mostParts
        parts[isNamed ? part : "", default: HealthCounts()].add(counts)
    }

    package mutating func count(difference text: String, times: Int) {
        let isNamed = differences[text] != nil || differences.count < Self.mostDifferences
        let name = isNamed ? text : DeviceHealth.moreDifferences
        differences[name] = min((differences[name] ?? 0) + times, 1 << 52)
    }

    mutating func add(differencesOf other: HealthSums) {
        for (text, times) in other.differences.sorted(by: { $0.key < $1.key }) { count(difference: text, times: times) }
    }

    /// When there are too many faults, the rarest is removed. So invented faults, each of which comes once, do not
    /// displace a real one.
    package mutating func count(_ fault: ReportedFault, times: Int = 1) {
        faults[fault] = min((faults[fault] ?? 0) + times, 1_000_000_000)
        guard faults.count > Self.mostFaults else { return }
        let least = faults.filter { $0.key != fault }.min { ($0.value, $0.key.message) < ($1.value, $1.key.message) }
        if let least { faults[least.key] = nil }
    }

    mutating func addTimes(_ json: JSON?, atMost most: Int) {
        for (place, count) in (json?.elements ?? []).prefix(Self.timeSteps).enumerated() {
            times[place] = min(times[place] + min(max(0, count.intValue ?? 0), most), 1 << 52)
        }
    }

    package mutating func add(_ other: HealthSums) {
        counts.add(other.counts)
        for place in times.indices { times[place] = min(times[place] + other.times[place], 1 << 52) }
        kinds.add(other.kinds)
        for (part, counts) in other.parts.sorted(by: { $0.key < $1.key }) { count(part, counts) }
        for (fault, times) in other.faults { count(fault, times: times) }
        add(differencesOf: other)
    }

    // MARK: JSON

    package var json: JSON {
        var object = JSONObject()
        object["counts"] = .object(counts.json)
        if times.contains(where: { $0 > 0 }) { object["times"] = timesJSON }
        if !kinds.isEmpty { object["kinds"] = .object(kinds.json) }
        if !parts.isEmpty { object["parts"] = .array(named(parts)) }
        if !faults.isEmpty { object["faults"] = faultsJSON }
        if !differences.isEmpty {
            object["differences"] = .object(
                differences.sorted { $0.key < $1.key }.reduce(into: JSONObject()) { $0[$1.key] = .number($1.value) })
        }
        return .object(object)
    }

    package var timesJSON: JSON { .numbers(times) }

    /// The faults, the most frequent first.
    package var faultsJSON: JSON {
        .array(
            faults.sorted { ($1.value, $0.key.message) < ($0.value, $1.key.message) }.map { fault, times in
                var object = fault.json
                object["reports"] = .number(times)
                return .object(object)
            })
    }

    /// The plugins or destinations, sorted by name. The empty name has the sums of the others.
    package var partsJSON: JSON { .array(named(parts)) }

    private func named(_ parts: [String: HealthCounts]) -> [JSON] {
        parts.sorted { $0.key < $1.key }.map { name, counts in
            var object: JSONObject = ["name": .string(name)]
            for (name, count) in counts.json { object[name] = count }
            return .object(object)
        }
    }

    /// Reads stored sums.
    package init(_ json: JSON) {
        counts = HealthCounts(json["counts"])
        addTimes(json["times"], atMost: 1 << 52)
        kinds = HealthCounts(json["kinds"])
        for part in json["parts"]?.elements ?? [] {
            if let name = part["name"]?.stringValue { count(name, HealthCounts(part)) }
        }
        for fault in json["faults"]?.elements ?? [] {
            guard let plugin = fault["plugin"]?.stringValue, let known = ReportedFault(fault, plugin: plugin) else {
                continue
            }
            count(known, times: fault["reports"]?.intValue ?? 1)
        }
        for (text, times) in json["differences"]?.objectValue ?? [:] where (times.intValue ?? 0) > 0 {
            count(difference: text, times: times.intValue ?? 0)
        }
    }
}
