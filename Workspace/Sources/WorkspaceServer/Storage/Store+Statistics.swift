import GRDB

extension Store {
    /// Figures of one source, or of all of them.
    func statistics(writeKey: String?) async throws -> Statistics {
        try await pool.read { db in
            var statistics = Statistics()
            try Self.addCounters(db, writeKey, to: &statistics)
            statistics.tracedDrops = try Self.tracedDrops(db, writeKey)
            statistics.latencies = try Self.latencies(db, writeKey)
            return statistics
        }
    }

    private static func addCounters(_ db: Database, _ writeKey: String?, to statistics: inout Statistics) throws {
        let sql = """
            SELECT counter.name, sum(counter.value) AS value FROM counter JOIN source ON source.id = counter.source
            WHERE ? IS NULL OR source.writeKey = ? GROUP BY counter.name
            """
        for row in try Row.fetchAll(db, sql: sql, arguments: [writeKey, writeKey]) {
            let value = try row.decode(Int64.self, forColumn: "value")
            switch try row.decode(String.self, forColumn: "name") {
            case "stored": statistics.stored = value
            case "duplicates": statistics.duplicates = value
            case "rejected": statistics.rejected = value
            case let name where name.hasPrefix("type:"): statistics.byType[String(name.dropFirst(5))] = value
            default: break
            }
        }
    }

    private static func tracedDrops(_ db: Database, _ writeKey: String?) throws -> Int64 {
        let sql = """
            SELECT count(*) FROM trace JOIN source ON source.id = trace.source
            WHERE trace.dropped = 1 AND (? IS NULL OR source.writeKey = ?)
            """
        return try Int64.fetchOne(db, sql: sql, arguments: [writeKey, writeKey]) ?? 0
    }

    /// Milliseconds from the call on the device to the database, in ascending order.
    ///
    /// Both clocks are taken at their word; a device's clock that is ahead of the server's gives a negative one.
    private static func latencies(_ db: Database, _ writeKey: String?) throws -> [Int64] {
        let sql = """
            SELECT event.storedAt - trace.trackedAt AS latency
            FROM trace JOIN event ON event.messageId = trace.messageId AND event.source = trace.source
                JOIN source ON source.id = trace.source
            WHERE ? IS NULL OR source.writeKey = ?
            ORDER BY trace.sequence DESC LIMIT ?
            """
        return try Int64.fetchAll(db, sql: sql, arguments: [writeKey, writeKey, Limits.latencyWindow]).sorted()
    }
}
