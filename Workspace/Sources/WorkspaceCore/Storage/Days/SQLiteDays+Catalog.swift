import Foundation
import GRDB

extension SQLiteDays {
    package func nameCounts(
        of source: Int64, on days: ClosedRange<Day>, plan: TrackingPlan, byHour: Bool
    ) async throws -> [NameCount] {
        var counts: [NameCount] = []
        for day in self.days(days, of: source) {
            counts += try await read(day) { db in try Self.nameCounts(db, source, day, byHour: byHour) } ?? []
        }
        return counts
    }

    package func properties(
        of names: [CountedName], source: Int64, on days: ClosedRange<Day>, plan: TrackingPlan
    ) async throws -> [CountedName: CountedProperties] {
        var properties: [CountedName: CountedProperties] = [:]
        for day in self.days(days, of: source) {
            let found = try await read(day) { db in try Self.properties(of: names, source, db) } ?? [:]
            for (name, more) in found { properties[name, default: CountedProperties()].add(more) }
        }
        return properties
    }

    private func days(_ days: ClosedRange<Day>, of source: Int64) -> [Day] {
        files.extents.filter { days.contains($0.key) && $0.value.sources[source] != nil }.keys.sorted()
    }

    private static func nameCounts(
        _ db: Database, _ source: Int64, _ day: Day, byHour: Bool
    ) throws -> [NameCount] {
        let sql = """
            SELECT type, isOther, name, sum(count) AS count, min(hour) AS first, max(hour) AS last
            FROM catalogName JOIN catalogHour ON nameId = id WHERE source = ? GROUP BY id\(byHour ? ", hour" : "")
            """
        return try Row.fetchAll(db, sql: sql, arguments: [source]).compactMap { row in
            guard let type = EventType(rawValue: try row.decode(String.self, forColumn: "type")) else { return nil }
            let text = [UInt8](try row.decode(Data.self, forColumn: "name"))
            let label = DayCatalog.label(isOther: try row.decode(Bool.self, forColumn: "isOther"), text)
            let (first, last) = (
                try row.decode(Int64.self, forColumn: "first"), try row.decode(Int64.self, forColumn: "last")
            )
            return NameCount(
                name: CountedName(type, label), day: day, count: try row.decode(Int64.self, forColumn: "count"),
                hours: first...max(first, last))
        }
    }

    private static func properties(
        of names: [CountedName], _ source: Int64, _ db: Database
    ) throws -> [CountedName: CountedProperties] {
        let statement = try BoundStatement(
            db,
            sql: """
                SELECT catalogKey.isOther, key, \(DayCatalog.columns.map(\.name).joined(separator: ", "))
                FROM catalogName JOIN catalogKey ON nameId = id
                WHERE source = ? AND type = ? AND catalogName.isOther = ? AND name = ?
                """)
        var properties: [CountedName: CountedProperties] = [:]
        for name in names {
            try DayCatalog.bind(name, source, to: statement)
            var found = CountedProperties()
            try statement.run { row in
                var counts = KindCounts()
                for (index, column) in DayCatalog.columns.enumerated() {
                    counts[column.kind] = row.int64(Int32(2 + index))
                }
                // A key that has its place need not have come.
                guard counts.total > 0 else { return }
                if row.int64(0) == 1 { found.others = counts } else { found.keys[Array(row.bytes(1))] = counts }
            }
            properties[name] = found
        }
        return properties
    }
}
