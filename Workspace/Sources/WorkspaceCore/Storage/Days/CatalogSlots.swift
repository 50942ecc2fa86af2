import Foundation
import GRDB

/// Decides which names of a source are counted apart on a day, when there are more than there are places.
///
/// A name that is counted apart has all of its events of the day counted there, and every other event is among the
/// others. A name takes the place of the least frequent one when it comes twice as often, and at once when it is known. So
/// a name that makes up more than two events for each place is always there, whatever was invented before it. "Twice"
/// bounds the work: the events of a name are counted again only after as many came.
struct CatalogSlots {
    private struct Listed {
        let id: Int64
        let name: CountedName
        let count: Int64
    }

    private let db: Database
    private let catalog: DayCatalog
    private let source: Int64
    private let known: KnownNames
    /// The parts of the index of names, in ascending order.
    private let parts: [Int64]
    private var listed: [Listed]

    init(_ db: Database, _ catalog: DayCatalog, source: Int64, known: KnownNames) throws {
        (self.db, self.catalog, self.source, self.known) = (db, catalog, source, known)
        parts = try Self.parts(db)
        let sql = """
            SELECT id, type, name, coalesce(sum(count), 0) FROM catalogName LEFT JOIN catalogHour ON nameId = id
            WHERE source = ? AND isOther = 0 AND length(name) > 0 GROUP BY id
            """
        listed = try Row.fetchAll(db, sql: sql, arguments: [source]).compactMap { row in
            guard let type = EventType(rawValue: try row.decode(String.self, atIndex: 1)) else { return nil }
            let name = CountedName(type, .name([UInt8](try row.decode(Data.self, atIndex: 2))))
            return Listed(
                id: try row.decode(Int64.self, atIndex: 0), name: name, count: try row.decode(Int64.self, atIndex: 3))
        }
    }

    private static func parts(_ db: Database) throws -> [Int64] {
        var parts: [Int64] = []
        let statement = try db.cachedStatement(sql: "SELECT min(sequence) FROM event WHERE sequence >= ?")
        var next = Int64.min
        while let first = try Int64.fetchOne(statement, arguments: [next]) {
            parts.append(first >> DaySchema.indexPartBits)
            let (start, isTooHigh) = ((first >> DaySchema.indexPartBits) + 1)
                .multipliedReportingOverflow(by: DaySchema.rowsOfIndexPart)
            guard !isTooHigh else { break }
            next = start
        }
        return parts
    }

    /// Gives places to names that were counted among the others.
    /// - Parameter names: with how many events of each came now.
    mutating func settle(_ names: [CountedName: Int]) throws {
        let sorted = names.sorted { left, right in
            let isKnown = (known.names.contains(left.key), known.names.contains(right.key))
            return isKnown.0 == isKnown.1 ? left.value > right.value : isKnown.0
        }
        let looks = max(8, Limits.catalogLooks / max(1, parts.count))
        for (index, name) in sorted.map(\.key).enumerated() {
            let isKnown = known.names.contains(name)
            guard isKnown || index < looks else { return }
            try consider(name, isKnown: isKnown)
        }
    }

    private mutating func consider(_ name: CountedName, isKnown: Bool) throws {
        guard listed.count >= Limits.countedNames else { return try add(name) }
        let rarest = listed.indices.filter { !known.names.contains(listed[$0].name) }
            .min { listed[$0].count < listed[$1].count }
        guard let least = rarest else {
            // All places belong to known names; a further one of them gets one more.
            if isKnown { try add(name) }
            return
        }
        guard try isKnown || comes(name, atLeast: 2 * max(1, listed[least].count)) else { return }
        let dismissed = listed.remove(at: least)
        try dismiss(dismissed)
        try add(name)
    }

    /// Whether so many events of that name are there.
    private func comes(_ name: CountedName, atLeast least: Int64) throws -> Bool {
        var left = least
        for part in parts.reversed() {
            let sql = "SELECT count(*) FROM (SELECT 1 FROM event \(Self.condition) LIMIT ?)"
            left -= try Int64.fetchOne(db, sql: sql, arguments: arguments(name, part) + [left]) ?? 0
            if left <= 0 { return true }
        }
        return false
    }

    private static let condition =
        "INDEXED BY event_name WHERE sequence >> 13 = ? AND name = CAST(? AS TEXT) AND type = ? AND source = ?"

    private func arguments(_ name: CountedName, _ part: Int64) -> StatementArguments {
        [part, Data(DayCatalog.text(name.label)), name.type.rawValue, source]
    }

    /// Counts all events of a name apart, which were among the others.
    private mutating func add(_ name: CountedName) throws {
        let place = try catalog.make(name, of: source, keys: known.keys[name] ?? [])
        var entry = CatalogEntry(id: place.id, keys: try catalog.keys(of: place), taken: 0, takesKeys: true)
        for part in parts {
            let rows = try Row.fetchCursor(
                db, sql: "SELECT receivedAt, body FROM event \(Self.condition)", arguments: arguments(name, part))
            while let row = try rows.next() {
                let body = [UInt8](try row.decode(Data.self, atIndex: 1))
                entry.count(
                    name.type, receivedAt: try row.decode(Int64.self, atIndex: 0), body, try? ScannedBody.of(body))
            }
        }
        try catalog.add(entry)
        if let others = try catalog.find(CountedName(name.type, .others), of: source) {
            try catalog.subtract(entry.hours(as: others.id), of: source)
        }
        listed.append(Listed(id: place.id, name: name, count: entry.hours.values.reduce(0, +)))
    }

    /// Counts the events of a name among the others.
    private func dismiss(_ name: Listed) throws {
        let others = CountedName(name.name.type, .others)
        let place = try catalog.find(others, of: source) ?? catalog.make(others, of: source)
        try db.execute(
            sql: """
                INSERT INTO catalogHour (nameId, hour, count) SELECT ?, hour, count FROM catalogHour WHERE nameId = ?
                ON CONFLICT (nameId, hour) DO UPDATE SET count = count + excluded.count
                """,
            arguments: [place.id, name.id])
        try catalog.remove(name.id, of: source)
    }
}
