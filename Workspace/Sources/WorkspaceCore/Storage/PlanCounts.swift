package import TributaryJSON

/// How many events of a source differed from its tracking plan, by the day on which they came.
package struct PlanCounts: Sendable, Equatable {
    /// Events of planned names.
    package var events: [CountedName: [Day: Int64]] = [:]
    /// Events of names that are not planned, all together.
    package var unplanned: [Day: Int64] = [:]
    /// Events with a text that is not allowed, by their names and the keys of the property.
    package var values: [CountedName: [String: Int64]] = [:]

    package init() {}

    /// The counts as the API shows them; the events that differ most often first.
    package func json(on days: ClosedRange<Day>) -> JSON {
        let all = (days.lowerBound.number...days.upperBound.number).map { Day(number: $0) }
        func counts(_ counts: [Day: Int64]) -> [Int64] { all.map { counts[$0] ?? 0 } }
        let events = self.events.map { (name: $0.key, days: counts($0.value), count: $0.value.values.reduce(0, +)) }
        let sorted = events.sorted { left, right in
            left.count == right.count
                ? (left.name.text ?? "", left.name.type.rawValue) < (right.name.text ?? "", right.name.type.rawValue)
                : left.count > right.count
        }
        var total = counts(unplanned)
        for event in events { for index in total.indices { total[index] += event.days[index] } }
        return [
            "days": .array(all.map { .string("\($0)") }), "total": .numbers(total),
            "unplanned": .numbers(counts(unplanned)),
            "events": .array(
                sorted.map { event in
                    [
                        "type": .string(event.name.type.rawValue), "name": .string(event.name.text),
                        "count": .number(event.count), "days": .numbers(event.days),
                    ]
                }),
        ]
    }
}

/// The counter of events that differ from the plan.
///
/// It is a row among the other counters of a source, with a name of its own: `plan:DAY:` and the type, the name and the
/// key as JSON. The list is empty for events that are not planned, so that invented names take no place. The day `all`
/// counts without an end, for a comparison with the count of some minutes ago.
enum PlanCounter {
    static let prefix = "plan:"
    /// Behind all names with the prefix.
    static let end = "plan;"

    static func name(_ day: Day?, _ event: CountedName?, key: String? = nil) -> String {
        let parts: [JSON] =
            event.map { [.string($0.type.rawValue), .string($0.text)] + (key.map { [.string($0)] } ?? []) } ?? []
        let text = String(decoding: JSON.array(parts).encoded(), as: UTF8.self)
        return "\(prefix)\(day.map { "\($0.number)" } ?? "all"):\(text)"
    }

    /// The meaning of a name; nil for one that no event of a day has.
    static func parse(_ name: String) -> (day: Day, event: CountedName?, key: String?)? {
        let parts = name.split(separator: ":", maxSplits: 2)
        guard parts.count == 3, let day = Int64(parts[1]), let list = try? JSON.parse([UInt8](parts[2].utf8)).elements
        else { return nil }
        guard !list.isEmpty else { return (Day(number: day), nil, nil) }
        guard let type = list[0].stringValue.flatMap(EventType.init(rawValue:)), list.count > 1 else { return nil }
        let event = CountedName(type, name: list[1].stringValue)
        return (Day(number: day), event, list.count > 2 ? list[2].stringValue : nil)
    }
}
