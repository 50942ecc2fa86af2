package import TributaryJSON

/// The sums of one device's reports about one version of live plugins or filters.
package struct DeviceHealth: Sendable, Equatable {
    /// Events that reached the version. Filters see an event once for each destination.
    package private(set) var events: Int
    /// The events in which a plugin had a fault, or a rule could not do all its work.
    package private(set) var faulty: Int
    /// The events that the version dropped.
    package private(set) var dropped: Int
    /// The time that the version took for all of them, in microseconds.
    package private(set) var microseconds: Int
    /// Whether the version does not run there as it should: it was not loaded, its signature was refused, it was put into
    /// quarantine, or one of its plugins was switched off. Or the device cannot read one of its rules.
    package private(set) var isBroken: Bool
    /// The effect of filters, by destination.
    package private(set) var destinations: [String: FilteredCounts]
    /// The number of events with each difference of a shadow from the version before, such as
    /// `changed:Checkout:properties.total`.
    package private(set) var differences: [String: Int]

    /// Destinations with counts of their own. Devices report as many.
    package static let mostDestinations = 16
    /// Differences with counts of their own. Devices report 20; the name of the others is `more`.
    package static let mostDifferences = 40
    package static let moreDifferences = "more"

    /// The most events that one device can add.
    private static let mostEvents = 1_000_000
    /// The most time for one event, in microseconds: the device's own budgets end longer work.
    private static let longestEvent = 1_000_000

    /// Takes reported numbers, and reduces impossible ones: no part can be larger than the whole.
    package init(
        events: Int, faulty: Int = 0, dropped: Int = 0, microseconds: Int = 0, isBroken: Bool = false,
        destinations: [String: FilteredCounts] = [:], differences: [String: Int] = [:]
    ) {
        let events = min(max(0, events), Self.mostEvents)
        self.events = events
        self.faulty = min(max(0, faulty), events)
        self.dropped = min(max(0, dropped), events)
        self.microseconds = min(max(0, microseconds), events * Self.longestEvent)
        (self.isBroken, self.destinations, self.differences) = (isBroken, destinations, differences)
    }

    package mutating func add(_ other: DeviceHealth) {
        var destinations = destinations
        for (name, counts) in other.destinations {
            guard destinations[name] != nil || destinations.count < Self.mostDestinations else { continue }
            destinations[name, default: FilteredCounts(events: 0, dropped: 0)].add(counts)
        }
        var differences = differences
        for (text, count) in other.differences.sorted(by: { $0.key < $1.key }) {
            let isNamed = differences[text] != nil || differences.count < Self.mostDifferences
            let name = isNamed ? text : Self.moreDifferences
            differences[name] = min((differences[name] ?? 0) + count, Self.mostEvents)
        }
        self = DeviceHealth(
            events: events + other.events, faulty: faulty + other.faulty, dropped: dropped + other.dropped,
            microseconds: microseconds + other.microseconds, isBroken: isBroken || other.isBroken,
            destinations: destinations, differences: differences)
    }

    /// Keeps only the destinations for which the condition is true.
    package func keepingDestinations(where isKept: (String) -> Bool) -> DeviceHealth {
        var kept = self
        kept.destinations = destinations.filter { isKept($0.key) }
        return kept
    }
}

extension DeviceHealth {
    /// The counts, followed by the destinations of filters and by the differences of a shadow if there are some.
    package var json: JSON {
        var list = [events, faulty, dropped, microseconds, isBroken ? 1 : 0].map { JSON.number($0) }
        if !destinations.isEmpty || !differences.isEmpty {
            var object = JSONObject()
            for (name, counts) in destinations.sorted(by: { $0.key < $1.key }) {
                object[name] = [.number(counts.events), .number(counts.dropped)]
            }
            list.append(.object(object))
        }
        if !differences.isEmpty {
            var object = JSONObject()
            for (text, count) in differences.sorted(by: { $0.key < $1.key }) { object[text] = .number(count) }
            list.append(.object(object))
        }
        return .array(list)
    }

    /// Reads stored counts. A value that is not an object gives no counts.
    package init(_ json: JSON?) {
        let list = json?.elements ?? []
        let numbers = list.prefix(5).map { $0.intValue ?? 0 }
        guard numbers.count == 5 else {
            self.init(events: 0)
            return
        }
        var destinations: [String: FilteredCounts] = [:]
        for (name, counts) in list.dropFirst(5).first?.objectValue ?? [:] {
            destinations[name] = FilteredCounts(
                events: counts[0]?.intValue ?? 0, dropped: counts[1]?.intValue ?? 0)
        }
        var differences: [String: Int] = [:]
        for (text, count) in list.dropFirst(6).first?.objectValue ?? [:] where (count.intValue ?? 0) > 0 {
            differences[text] = min(count.intValue ?? 0, Self.mostEvents)
        }
        self.init(
            events: numbers[0], faulty: numbers[1], dropped: numbers[2], microseconds: numbers[3],
            isBroken: numbers[4] == 1, destinations: destinations, differences: differences)
    }
}
