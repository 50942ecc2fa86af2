import GRDB

extension Store {
    /// Figures of one source, or of all of them.
    /// - Throws: `Refusal` when there is no such source.
    package func statistics(writeKey: String?) async throws -> Statistics {
        var statistics = Statistics()
        let (source, counters) = try await pool.read { db in
            (
                try Int64.fetchOne(db, sql: "SELECT id FROM source WHERE writeKey = ?", arguments: [writeKey]),
                try Self.counters(db, writeKey)
            )
        }
        if let writeKey, source == nil { throw try await noSource(named: writeKey) }
        for (name, value) in counters { statistics.add(value, named: name) }
        let figures = try await storage.figures(source: source)
        if let counted = figures.counted {
            (statistics.byType, statistics.rejected) = (counted.byType, counted.rejected)
            statistics.stored = counted.byType.values.reduce(0, +)
        }
        statistics.tracedDrops = figures.tracedDrops
        statistics.latencies = figures.latencies.sorted()
        return statistics
    }

    private static func counters(_ db: Database, _ writeKey: String?) throws -> [(String, Int64)] {
        let sql = """
            SELECT counter.name, sum(counter.value) AS value FROM counter JOIN source ON source.id = counter.source
            WHERE ?1 IS NULL OR source.writeKey = ?1 GROUP BY counter.name
            """
        return try Row.fetchAll(db, sql: sql, arguments: [writeKey]).map {
            (try $0.decode(String.self, atIndex: 0), try $0.decode(Int64.self, atIndex: 1))
        }
    }
}

extension Statistics {
    fileprivate mutating func add(_ value: Int64, named name: String) {
        switch name {
        case "stored": stored = value
        case "duplicates": duplicates = value
        case "rejected": rejected = value
        case let name where name.hasPrefix("type:"): byType[String(name.dropFirst(5))] = value
        default: break
        }
    }
}
