package import GRDB

extension Store {
    /// The counts of a source in the half hours of a day.
    package struct Strip: Sendable, Equatable {
        /// By kind, a count for each half hour, oldest first.
        package var events: [StripCounter.Kind: [Int64]] = [:]
        /// The same for each destination.
        package var destinations: [Int64: [StripCounter.Kind: [Int64]]] = [:]
    }

    /// The counts of the last day.
    /// - Parameter last: the half hour that runs now.
    package func strip(of source: Int64, through last: Int64) async throws -> Strip {
        let first = last - StripCounter.cells + 1
        let rows = try await pool.read { db in
            try Row.fetchAll(
                db, sql: "SELECT name, value FROM counter WHERE source = ? AND name >= ? AND name < ?",
                arguments: [source, StripCounter.start(first), StripCounter.end]
            ).map { (try $0.decode(String.self, atIndex: 0), try $0.decode(Int64.self, atIndex: 1)) }
        }
        var strip = Strip()
        let empty = [Int64](repeating: 0, count: Int(StripCounter.cells))
        for (name, value) in rows {
            guard let (number, kind, destination) = StripCounter.parse(name), (first...last).contains(number) else {
                continue
            }
            let cell = Int(number - first)
            if let destination {
                strip.destinations[destination, default: [:]][kind, default: empty][cell] = value
            } else {
                strip.events[kind, default: empty][cell] = value
            }
        }
        return strip
    }

    /// Counts events of a destination that is there.
    package static func addToStrip(
        _ counts: [(StripCounter.Kind, Int64, at: Int64)], of destination: Int64, _ db: Database
    ) throws {
        guard !counts.isEmpty else { return }
        let sql = "SELECT source FROM destination WHERE id = ?"
        guard let source = try Int64.fetchOne(db, sql: sql, arguments: [destination]) else { return }
        for (kind, count, at) in counts {
            let name = StripCounter.name(at, kind, destination: destination)
            try add(Int(count), to: WritePlan.Counter(source: source, name: name), db)
        }
    }

    /// Notes how long events wait for destinations, and deletes the counts that are over for a day.
    /// - Parameter lags: milliseconds, by destination and its source.
    package func noteLags(_ lags: [(source: Int64, destination: Int64, lag: Int64)], now: Int64) async throws {
        let oldest = StripCounter.start(StripCounter.number(of: now) - StripCounter.cells)
        try await pool.write { db in
            for (source, destination, lag) in lags {
                try db.execute(
                    sql: """
                        INSERT INTO counter (source, name, value) SELECT id, ?2, ?3 FROM source WHERE id = ?1
                        ON CONFLICT (source, name) DO UPDATE SET value = max(value, excluded.value)
                        """,
                    arguments: [source, StripCounter.name(now, .lag, destination: destination), lag])
            }
            for source in try Int64.fetchAll(db, sql: "SELECT id FROM source") {
                try db.execute(
                    sql: "DELETE FROM counter WHERE source = ? AND name >= ? AND name < ?",
                    arguments: [source, StripCounter.prefix, oldest])
            }
        }
    }
}
