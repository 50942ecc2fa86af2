import TributaryJSON

/// Counts the work of one version of the filter rules since the last report.
package struct FilterHealth: Sendable, Equatable {
    /// Counts the events of one destination by the work of the rules.
    package struct Counts: Sendable, Equatable {
        /// Events that came to the rules.
        package var events = 0
        package var changed = 0
        package var dropped = 0
        /// Events on which a rule could not do all its work.
        package var faulty = 0

        mutating func add(_ other: Counts) {
            events += other.events
            changed += other.changed
            dropped += other.dropped
            faulty += other.faulty
        }
    }

    package let version: String
    /// Rules that this device cannot read.
    package var problems = 0
    /// Whether some of the events came by before the client's live plugins had a bundle to run. Live plugins change what
    /// filters see, so a server does not compare such a device with others.
    package var isBeforePlugins = false
    /// The first failure of a rule.
    package var first: FaultNote?
    /// The destinations that are counted; their events may be 0.
    package private(set) var destinations: [String: Counts] = [:]

    package init(version: String) { self.version = version }

    package var isEmpty: Bool { problems == 0 && !destinations.values.contains { $0.events > 0 } }

    /// Counts the events of a destination from now on.
    package mutating func count(for destination: String) {
        guard destinations.count < HealthTotals.destinations else { return }
        destinations[destination] = destinations[destination] ?? Counts()
    }

    /// Changes the counts of a destination, when it has some.
    /// - Returns: whether it has some.
    @discardableResult
    package mutating func count(_ destination: String, _ change: (inout Counts) -> Void) -> Bool {
        guard let place = destinations.index(forKey: destination) else { return false }
        change(&destinations.values[place])
        return true
    }

    /// Begins at 0 for the same destinations.
    package mutating func forget() {
        (problems, first, isBeforePlugins) = (0, nil, false)
        for place in destinations.indices { destinations.values[place] = Counts() }
    }

    mutating func add(_ other: FilterHealth) {
        problems = max(problems, other.problems)
        first = first ?? other.first
        isBeforePlugins = isBeforePlugins || other.isBeforePlugins
        for (destination, counts) in other.destinations where counts.events > 0 {
            count(for: destination)
            count(destination) { $0.add(counts) }
        }
    }

    /// Leaves out the destination with the fewest events, so that the rest fits into a report.
    mutating func leaveOutDestination() -> Bool {
        let least = destinations.min { ($0.value.events, $0.key) < ($1.value.events, $1.key) }
        guard let least else { return false }
        destinations[least.key] = nil
        return true
    }

    // MARK: JSON

    var json: JSON {
        var object = JSON.counts(["problems": problems])
        object["version"] = .string(version.cut(to: FaultNote.nameBytes))
        let counted = destinations.byKey().filter { $0.value.events > 0 }
        if !counted.isEmpty { object["destinations"] = .array(counted.map { Self.json($0.key, $0.value) }) }
        object["fault"] = first?.json
        if isBeforePlugins { object["isBeforePlugins"] = true }
        return .object(object)
    }

    private static func json(_ key: String, _ counts: Counts) -> JSON {
        var object = JSON.counts([
            "events": counts.events, "changed": counts.changed, "dropped": counts.dropped, "faulty": counts.faulty,
        ])
        object["key"] = .string(key.cut(to: FaultNote.nameBytes))
        return .object(object)
    }

    init?(_ json: JSON) {
        guard let version = json["version"]?.stringValue else { return nil }
        self.init(version: version)
        problems = json["problems"]?.count ?? 0
        first = FaultNote(json["fault"])
        isBeforePlugins = json["isBeforePlugins"] == .bool(true)
        for destination in json["destinations"]?.elements ?? [] {
            guard let key = destination["key"]?.stringValue else { continue }
            count(for: key)
            count(key) { counts in
                counts.events = destination["events"]?.count ?? 0
                counts.changed = destination["changed"]?.count ?? 0
                counts.dropped = destination["dropped"]?.count ?? 0
                counts.faulty = destination["faulty"]?.count ?? 0
            }
        }
    }
}
