import GRDB

extension SQLiteDays {
    func backlog(of source: Int64, after number: Int64, atMost limit: Int) async throws -> EventBacklog {
        let days = files.extents.filter { $0.value.stream?.upperBound ?? 0 > number }.keys.sorted()
        var total = EventBacklog()
        for day in days where total.count < limit {
            let rest = limit - total.count
            let found = try await read(day) { db in try Self.backlog(db, source, number, rest) }
            guard let found, found.count > 0 else { continue }
            total.count += found.count
            total.oldest = [total.oldest, found.oldest].compactMap { $0 }.min()
        }
        return total
    }

    private static func backlog(_ db: Database, _ source: Int64, _ number: Int64, _ limit: Int) throws -> EventBacklog {
        let sql = """
            SELECT count(*) AS count, min(receivedAt) AS oldest
            FROM (SELECT receivedAt FROM event WHERE sequence > ? AND source = ? ORDER BY sequence LIMIT ?)
            """
        guard let row = try Row.fetchOne(db, sql: sql, arguments: [number, source, limit]) else {
            return EventBacklog()
        }
        return EventBacklog(
            count: try row.decode(Int.self, forColumn: "count"),
            oldest: try row.decode(Int64?.self, forColumn: "oldest"))
    }
}
