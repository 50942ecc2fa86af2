import Foundation
import GRDB

extension SQLiteDays: PeopleStorage {
    package func parts(of source: Int64, since first: Day, most: Int64) -> [EventPart] {
        let size = min(most, DaySchema.rowsOfIndexPart)
        var parts: [EventPart] = []
        for (day, extent) in files.extents.sorted(by: { $0.key > $1.key }) where day >= first {
            guard extent.sources[source] != nil, let numbers = extent.stream else { continue }
            var last = numbers.upperBound
            while last >= numbers.lowerBound {
                // Each lies in one part of the indexes.
                let low = max(numbers.lowerBound, last / size * size)
                parts.append(EventPart(source: source, day: day, numbers: low...last))
                last = low - 1
            }
        }
        return parts
    }

    package func events(
        of kinds: [EventKind], at times: Range<Int64>, in part: EventPart, hasText: Bool
    ) async throws -> [PersonEvent] {
        try await read(part.day) { db in
            let statement = try PeopleStatement(db, kinds: kinds, times, part, hasText: hasText)
            var events: [PersonEvent] = []
            try statement.run { row in
                let (type, name) = (row.bytes(PeopleStatement.type), row.bytes(PeopleStatement.name))
                var held: UInt8 = 0
                for (index, kind) in kinds.enumerated() where kind.has(type: type, name: name) { held |= 1 << index }
                guard held != 0 else { return }
                let text = hasText ? Array(row.bytes(PeopleStatement.text)) : []
                events.append(PeopleStatement.event(row, kinds: held, text: text))
            }
            return events
        } ?? []
    }

    package func events(
        ofPeople people: Set<PersonKey>, at times: Range<Int64>, in part: EventPart
    ) async throws -> [(event: PersonEvent, kind: EventKind)] {
        try await read(part.day) { db in
            let statement = try PeopleStatement(db, all: part, times)
            var events: [(event: PersonEvent, kind: EventKind)] = []
            try statement.run { row in
                let event = PeopleStatement.event(row)
                guard let person = event.user ?? event.device, people.contains(person) else { return }
                let type = String(decoding: row.bytes(PeopleStatement.type), as: UTF8.self)
                let name = String(decoding: row.bytes(PeopleStatement.name), as: UTF8.self)
                events.append((event, EventKind(type: EventType(rawValue: type), name: name.isEmpty ? nil : name)))
            }
            return events
        } ?? []
    }

    package func events(
        of devices: Set<PersonKey>, at times: Range<Int64>, in part: EventPart
    ) async throws -> [PersonEvent] {
        try await read(part.day) { db in
            let statement = try PeopleStatement(db, withBothIds: part, times)
            var events: [PersonEvent] = []
            try statement.run { row in
                guard devices.contains(.device(row.bytes(PeopleStatement.device))) else { return }
                events.append(PeopleStatement.event(row))
            }
            return events
        } ?? []
    }
}

/// Reads the columns of events that questions about people need. The text of an event lies behind them, so a row whose
/// text is not asked for costs little more than finding it.
private struct PeopleStatement {
    static let (sequence, time, user, device) = (Int32(0), Int32(1), Int32(2), Int32(3))
    static let (type, name, text) = (Int32(4), Int32(5), Int32(6))
    private let statement: BoundStatement

    /// The rows of some kinds, found by the indexes of names and types.
    init(_ db: Database, kinds: [EventKind], _ times: Range<Int64>, _ part: EventPart, hasText: Bool) throws {
        let found = Set(kinds.map { kind in EventKind(type: kind.name == nil ? kind.type : nil, name: kind.name) })
            .map { (column: $0.name == nil ? "type" : "name", value: $0.name ?? $0.type?.rawValue) }
        let numbers = found.enumerated().map { index, one in
            """
            SELECT sequence FROM event INDEXED BY event_\(one.column)
            WHERE \(DaySchema.indexPart) = ?6 AND \(one.column) = ?\(index + 7) AND sequence BETWEEN ?2 AND ?3
            """
        }
        let sql = """
            SELECT sequence, timestamp, userId, anonymousId, type, name\(hasText ? ", body" : "") FROM event
            WHERE source = ?1 AND sequence IN (\(numbers.joined(separator: " UNION "))) AND \(Self.happened)
            ORDER BY sequence DESC
            """
        statement = try BoundStatement(db, sql: sql)
        try bind(part, times)
        try statement.bind(part.numbers.lowerBound / DaySchema.rowsOfIndexPart, at: 6)
        for (index, one) in found.enumerated() { try statement.bind(one.value, at: Int32(index + 7)) }
    }

    /// The rows that have a user and a device. Most rows have, so they are read one after the other.
    init(_ db: Database, withBothIds part: EventPart, _ times: Range<Int64>) throws {
        let sql = """
            SELECT sequence, timestamp, userId, anonymousId FROM event NOT INDEXED
            WHERE source = ?1 AND sequence BETWEEN ?2 AND ?3 AND userId IS NOT NULL AND anonymousId IS NOT NULL
                AND \(Self.happened)
            """
        statement = try BoundStatement(db, sql: sql)
        try bind(part, times)
    }

    /// All rows of a part.
    init(_ db: Database, all part: EventPart, _ times: Range<Int64>) throws {
        let sql = """
            SELECT sequence, timestamp, userId, anonymousId, type, name FROM event NOT INDEXED
            WHERE source = ?1 AND sequence BETWEEN ?2 AND ?3 AND \(Self.happened)
            """
        statement = try BoundStatement(db, sql: sql)
        try bind(part, times)
    }

    private static let happened = "timestamp >= ?4 AND timestamp < ?5"

    private func bind(_ part: EventPart, _ times: Range<Int64>) throws {
        try statement.bind(part.source, at: 1)
        try statement.bind(part.numbers.lowerBound, at: 2)
        try statement.bind(part.numbers.upperBound, at: 3)
        try statement.bind(times.lowerBound, at: 4)
        try statement.bind(times.upperBound, at: 5)
    }

    func run(_ row: (BoundRow) throws -> Void) throws { try statement.run(row) }

    static func event(_ row: BoundRow, kinds: UInt8 = 0, text: [UInt8] = []) -> PersonEvent {
        PersonEvent(
            sequence: row.int64(sequence), time: row.int64(time),
            user: row.isNull(user) ? nil : .user(row.bytes(user)),
            device: row.isNull(device) ? nil : .device(row.bytes(device)), kinds: kinds, text: text)
    }
}
