import GRDB

extension Store {
    /// Figures of one source, or of all that the author of the request sees.
    /// - Throws: `Refusal` when there is no such source.
    package func statistics(writeKey: String?) async throws -> Statistics {
        guard Administrator.current.sight.sources != nil else { return try await figures(of: writeKey) }
        let seen = try await seenWriteKeys().values
        if let writeKey {
            guard seen.contains(writeKey) else { throw try await noSource(named: writeKey) }
            return try await figures(of: writeKey)
        }
        var all = Statistics()
        for writeKey in seen { all.add(try await figures(of: writeKey)) }
        return all
    }

    private func figures(of writeKey: String?) async throws -> Statistics {
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
            WHERE (?1 IS NULL OR source.writeKey = ?1) AND (counter.name < ?2 OR counter.name >= ?3)
                AND (counter.name < ?4 OR counter.name >= ?5) GROUP BY counter.name
            """
        // The figures have none of these counters, of which there are many.
        let others = [PlanCounter.prefix, PlanCounter.end, StripCounter.prefix, StripCounter.end]
        return try Row.fetchAll(db, sql: sql, arguments: [writeKey] + StatementArguments(others)).map {
            (try $0.decode(String.self, atIndex: 0), try $0.decode(Int64.self, atIndex: 1))
        }
    }
}

extension Statistics {
    fileprivate mutating func add(_ other: Statistics) {
        stored += other.stored
        duplicates += other.duplicates
        rejected += other.rejected
        tracedDrops += other.tracedDrops
        byType.merge(other.byType, uniquingKeysWith: +)
        latencies = (latencies + other.latencies).sorted()
    }

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
