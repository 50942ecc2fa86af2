package import Foundation
package import TributaryJSON

/// The events of a source over some days: which names came, how often, and with which properties.
package struct EventCatalog: Sendable {
    /// The events of one name.
    package struct Entry: Sendable {
        package let name: CountedName
        /// The count over all days.
        package var count: Int64 = 0
        /// The count of each day.
        package var days: [Int64]
        /// The hours of the first and of the last event, in hours since 1970.
        package var hours: ClosedRange<Int64>

        package init(name: CountedName, count: Int64 = 0, days: [Int64], hours: ClosedRange<Int64>) {
            (self.name, self.count, self.days, self.hours) = (name, count, days, hours)
        }
    }

    package let days: ClosedRange<Day>
    /// In which the days begin; nil is UTC.
    let zone: TimeZone?
    /// The counts in days of UTC, in which properties are counted.
    private let inUTC: [CountedName: Int64]
    /// The number of events of each type on each day, with any name.
    package let types: [EventType: [Int64]]
    /// The most frequent ones first.
    package let entries: [Entry]
    /// How many names are left out of `entries`.
    package let unlisted: Int
    /// All names that came, listed or not.
    package let names: Set<CountedName>
    /// Events whose names are not known, because their day had more names than are counted apart.
    let otherEvents: Int64

    /// - Parameters:
    ///   - counts: the counts of the days; those of hours for a time zone.
    ///   - zone: an hour belongs to the day in which it begins there; nil is UTC.
    ///   - limit: how many names are listed.
    package init(_ counts: [NameCount], days: ClosedRange<Day>, in zone: TimeZone? = nil, limit: Int) {
        (self.days, self.zone) = (days, zone)
        inUTC = counts.filter { days.contains($0.day) }.reduce(into: [:]) { $0[$1.name, default: 0] += $1.count }
        let dayCount = Int(days.upperBound.number - days.lowerBound.number) + 1
        var types: [EventType: [Int64]] = [:]
        var entries: [CountedName: Entry] = [:]
        var otherEvents: Int64 = 0
        for count in counts {
            let own = zone?.day(at: count.hours.lowerBound * 3_600_000) ?? count.day
            guard days.contains(own) else { continue }
            let day = Int(own.number - days.lowerBound.number)
            types[count.name.type, default: Array(repeating: 0, count: dayCount)][day] += count.count
            guard count.name.label != .others else {
                otherEvents += count.count
                continue
            }
            entries[count.name, default: Entry(count, dayCount: dayCount)].add(count, at: day)
        }
        let sorted = entries.values.sorted(by: Self.isBefore)
        self.entries = Array(sorted.prefix(limit))
        unlisted = sorted.count - self.entries.count
        names = Set(entries.keys)
        (self.types, self.otherEvents) = (types, otherEvents)
    }

    /// - Parameters:
    ///   - properties: the properties of the entries; nil when the request does not ask for them.
    ///   - plan: the tracking plan; nil when there is none.
    ///   - values: how many events of a name have a text that the plan does not allow, by its key.
    package func json(
        _ properties: [CountedName: CountedProperties]?, plan: TrackingPlan?,
        values: [CountedName: [String: Int64]] = [:]
    ) -> JSON {
        let planned = plan.map { plan in
            Dictionary(plan.events.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        }
        let days = (days.lowerBound.number...days.upperBound.number).map { Day(number: $0) }
        return [
            "days": .array(days.map { .string("\($0)") }), "zone": .string(zone.shownName),
            "types": .array(EventType.allCases.compactMap(typeJSON)),
            "names": .array(
                entries.map { entry in
                    let counted = properties.map { $0[entry.name] ?? CountedProperties() }
                    let comparison = planned.map { plan in
                        PlanComparison(
                            plan[entry.name], count: inUTC[entry.name] ?? 0, properties: counted,
                            values: values[entry.name] ?? [:])
                    }
                    return entry.json(counted ?? CountedProperties(), comparison)
                }),
            "absent": .array((plan?.events ?? []).filter { !names.contains($0.name) }.map(Self.absent)),
            "unlistedNames": .number(unlisted), "otherEvents": .number(otherEvents),
        ]
    }

    /// A planned event of which none came. That is right for a blocked one.
    private static func absent(_ event: TrackingPlan.Event) -> JSON {
        var json = event.name.json
        json["blocked"] = .bool(event.isBlocked)
        return json
    }

    private func typeJSON(_ type: EventType) -> JSON? {
        guard let counts = types[type] else { return nil }
        let total: Int64 = counts.reduce(0, +)
        return ["type": .string(type.rawValue), "count": .number(total), "days": .numbers(counts)]
    }

    /// Frequent ones first; equally frequent ones by type and name, so that the order is always the same.
    private static func isBefore(_ left: Entry, _ right: Entry) -> Bool {
        if left.count != right.count { return left.count > right.count }
        if left.name.type != right.name.type { return left.name.type.rawValue < right.name.type.rawValue }
        return (left.name.text ?? "") < (right.name.text ?? "")
    }
}

extension EventCatalog.Entry {
    /// An entry without events so far.
    fileprivate init(_ first: NameCount, dayCount: Int) {
        self.init(name: first.name, days: Array(repeating: 0, count: dayCount), hours: first.hours)
    }

    fileprivate mutating func add(_ more: NameCount, at day: Int) {
        count += more.count
        days[day] += more.count
        hours = min(hours.lowerBound, more.hours.lowerBound)...max(hours.upperBound, more.hours.upperBound)
    }

    fileprivate func json(_ properties: CountedProperties, _ comparison: PlanComparison?) -> JSON {
        [
            "type": .string(name.type.rawValue), "name": .string(name.text), "count": .number(count),
            "firstHour": .string(Self.text(hours.lowerBound)), "lastHour": .string(Self.text(hours.upperBound)),
            "days": .numbers(days), "properties": .array(properties.json),
            "otherProperties": .number(properties.others.total), "plan": comparison?.json ?? .null,
        ]
    }

    private static func text(_ hour: Int64) -> String { ISO8601.string(milliseconds: hour * 3_600_000) }
}

extension CountedName {
    fileprivate var json: JSON { ["type": .string(type.rawValue), "name": .string(text)] }
}

extension CountedProperties {
    /// Frequent ones first.
    fileprivate var json: [JSON] {
        let named = keys.map { key, counts in (key: String(decoding: key, as: UTF8.self), counts: counts) }
        let sorted = named.sorted { left, right in
            left.counts.total == right.counts.total ? left.key < right.key : left.counts.total > right.counts.total
        }
        return sorted.map { key, counts in
            let types = PropertyKind.allCases.filter { counts[$0] > 0 }.map { kind in
                (kind.rawValue, JSON.number(counts[kind]))
            }
            return [
                "key": .string(key), "count": .number(counts.total),
                "types": .object(JSONObject(Dictionary(types, uniquingKeysWith: { first, _ in first }))),
            ]
        }
    }
}
