import WorkspaceCore
import WorkspaceServer

/// Counts the catalog for each request, from the columns of the stored events.
extension ClickHouseStorage {
    func nameCounts(
        of source: Int64, on days: ClosedRange<Day>, plan: TrackingPlan, byHour: Bool
    ) async throws -> [NameCount] {
        var query = ClickHouseQuery()
        let events = events(of: source, on: days, &query)
        let hour = byHour ? ", slot" : ""
        query.text = """
            SELECT day, type, toUInt8(isNull(name)), count(), min(slot), max(slot) FROM \(rows) WHERE \(events)
            GROUP BY day, type, isNull(name)\(hour)
            """
        let totals = try Self.totals(try await client.read(query))
        var answer = try await client.read(namesQuery(of: source, on: days, plan: plan, byHour: byHour))
        var counts: [NameCount] = []
        var apart: [DayTypeHour: Int64] = [:]
        while !answer.isAtEnd {
            let dayType = try DayType(&answer)
            let text = try answer.bytes()
            let (count, hours) = try Self.countAndHours(&answer)
            _ = try answer.number(Int64.self)
            apart[DayTypeHour(dayType, byHour ? hours.lowerBound : nil), default: 0] += count
            counts.append(
                NameCount(
                    name: CountedName(dayType.type, text.isEmpty ? .none : .name(text)), day: dayType.day, count: count,
                    hours: hours))
        }
        for total in totals {
            let place = DayTypeHour(total.dayType, byHour ? total.hours.lowerBound : nil)
            let rest = total.count - (total.isNamed ? apart[place] ?? 0 : 0)
            guard rest > 0 else { continue }
            let name = CountedName(total.dayType.type, total.isNamed ? .others : .none)
            counts.append(NameCount(name: name, day: total.dayType.day, count: rest, hours: total.hours))
        }
        return counts
    }

    /// Asks for the names of each day that are counted apart. By hour, the names of a day are the same in all of its hours.
    private func namesQuery(
        of source: Int64, on days: ClosedRange<Day>, plan: TrackingPlan, byHour: Bool
    ) -> ClickHouseQuery {
        var query = ClickHouseQuery()
        let named = self.events(of: source, on: days, &query) + " AND isNotNull(name)"
        let planned = query.list(plan.events.map { Self.typeAndName($0.name) })
        let columns = "count() AS count_, min(slot), max(slot), min(number) AS first"
        let names = """
            SELECT day, type, assumeNotNull(name) AS text, \(columns)
            FROM \(rows) WHERE \(named) GROUP BY day, type, text
            ORDER BY concat(type, '\\0', text) IN \(planned) DESC, count_ DESC, first
            LIMIT \(Limits.countedNames) BY day
            """
        query.text =
            byHour
            ? """
            SELECT day, type, assumeNotNull(name) AS text, \(columns) FROM \(rows)
            WHERE \(named) AND (day, type, assumeNotNull(name)) IN (SELECT day, type, text FROM (\(names)))
            GROUP BY day, type, text, slot
            """ : names
        return query
    }

    /// A name in the form by which the pages are ordered. No type contains a NUL.
    private static func typeAndName(_ name: CountedName) -> [UInt8] {
        Array(name.type.rawValue.utf8) + [0] + DayCatalog.text(name.label)
    }

    func properties(
        of names: [CountedName], source: Int64, on days: ClosedRange<Day>, plan: TrackingPlan
    ) async throws -> [CountedName: CountedProperties] {
        var properties: [CountedName: CountedProperties] = [:]
        // Events of names that are not counted separately have nothing in common, so they are not counted together.
        for name in names where name.label != .others {
            let all = try await client.read(kindsQuery(name, source, days))
            let planned = plan.events.first { $0.name == name }?.properties.map(\.key) ?? []
            let keys = try await client.read(keysQuery(name, source, days, planned: planned))
            try Self.add(all: all, keys: keys, of: name, to: &properties)
        }
        return properties
    }

    private static let kinds = PropertyKind.allCases.map { "countIf(kind_ = \($0.code))" }.joined(separator: ", ")

    /// Asks how many values of each type all keys have.
    private func kindsQuery(_ name: CountedName, _ source: Int64, _ days: ClosedRange<Day>) -> ClickHouseQuery {
        var query = ClickHouseQuery()
        let events = named(name, of: source, on: days, &query)
        query.text = "SELECT \(Self.kinds) FROM \(rows) ARRAY JOIN kinds AS kind_ WHERE \(events)"
        return query
    }

    /// Asks for planned keys and for frequent ones.
    private func keysQuery(
        _ name: CountedName, _ source: Int64, _ days: ClosedRange<Day>, planned: [String]
    ) -> ClickHouseQuery {
        var query = ClickHouseQuery()
        let events = named(name, of: source, on: days, &query)
        let known = query.list(planned.map { Array($0.utf8) })
        query.text = """
            SELECT key_, \(Self.kinds), min(number) AS first FROM \(rows) ARRAY JOIN keys AS key_, kinds AS kind_
            WHERE \(events) AND length(key_) <= \(Limits.countedKeyBytes)
            GROUP BY key_ ORDER BY key_ IN \(known) DESC, count() DESC, first, key_ LIMIT \(Limits.countedKeys)
            """
        return query
    }

    /// Not asynchronous, because `KindCounts` has an alignment of 64 bytes: Swift 6.3 gives the frames of asynchronous
    /// functions one of 16, and a value with a higher one damages them.
    private static func add(
        all: RowBinaryReader, keys: RowBinaryReader, of name: CountedName,
        to properties: inout [CountedName: CountedProperties]
    ) throws(ClickHouseError) {
        var (all, keys) = (all, keys)
        var found = CountedProperties()
        found.others = try kindCounts(&all)
        while !keys.isAtEnd {
            let key = try keys.bytes()
            let counts = try kindCounts(&keys)
            _ = try keys.number(Int64.self)
            found.keys[key] = counts
            for kind in PropertyKind.allCases { found.others[kind] -= counts[kind] }
        }
        properties[name] = found
    }

    // MARK: Conditions

    private func events(of source: Int64, on days: ClosedRange<Day>, _ query: inout ClickHouseQuery) -> String {
        let first = query.value(days.lowerBound.number)
        let (last, source) = (query.value(days.upperBound.number), query.value(source))
        return "kind = \(RowIdentity.Kind.event.rawValue) AND day >= \(first) AND day <= \(last) AND source = \(source)"
    }

    private func named(
        _ name: CountedName, of source: Int64, on days: ClosedRange<Day>, _ query: inout ClickHouseQuery
    ) -> String {
        let events = events(of: source, on: days, &query) + " AND type = \(query.value(name.type.rawValue))"
        guard case .name(let text) = name.label else { return events + " AND isNull(name)" }
        return events + " AND name = \(query.value(text))"
    }

    // MARK: Answers

    private struct DayType: Hashable {
        let day: Day
        let type: EventType

        init(_ answer: inout RowBinaryReader) throws(ClickHouseError) {
            day = Day(number: Int64(try answer.number(Int32.self)))
            let text = try answer.text()
            guard let type = EventType(rawValue: text) else { throw .answer("\(text) is no type of an event") }
            self.type = type
        }
    }

    /// Nil is the whole day.
    private struct DayTypeHour: Hashable {
        let dayType: DayType
        let hour: Int64?

        init(_ dayType: DayType, _ hour: Int64?) { (self.dayType, self.hour) = (dayType, hour) }
    }

    private struct Total {
        let dayType: DayType
        let isNamed: Bool
        let count: Int64
        let hours: ClosedRange<Int64>
    }

    private static func totals(_ answer: RowBinaryReader) throws(ClickHouseError) -> [Total] {
        var answer = answer
        var totals: [Total] = []
        while !answer.isAtEnd {
            let dayType = try DayType(&answer)
            let isNamed = try answer.number(UInt8.self) == 0
            let (count, hours) = try countAndHours(&answer)
            totals.append(Total(dayType: dayType, isNamed: isNamed, count: count, hours: hours))
        }
        return totals
    }

    private static func countAndHours(
        _ answer: inout RowBinaryReader
    ) throws(ClickHouseError) -> (Int64, ClosedRange<Int64>) {
        let count = Int64(clamping: try answer.number(UInt64.self))
        let (first, last): (Int64, Int64) = (try answer.number(), try answer.number())
        return (count, first...max(first, last))
    }

    private static func kindCounts(_ answer: inout RowBinaryReader) throws(ClickHouseError) -> KindCounts {
        var counts = KindCounts()
        for kind in PropertyKind.allCases { counts[kind] = Int64(clamping: try answer.number(UInt64.self)) }
        return counts
    }
}
