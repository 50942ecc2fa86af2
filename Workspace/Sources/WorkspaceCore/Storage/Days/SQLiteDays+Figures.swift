import GRDB
import Synchronization

extension SQLiteDays {
    /// The index of messages knows.
    package func places(of messageId: String, sources: Set<Int64>) -> [Int64: MessageLocation]? { nil }

    /// Each day is counted once; the counts stay valid until a write to the day.
    package func figures(source: Int64?) async throws -> StorageFigures {
        let days = files.extents.sorted { $0.value.stream?.upperBound ?? 0 > $1.value.stream?.upperBound ?? 0 }
        var total = StorageFigures()
        for (index, day) in days.map(\.key).enumerated() {
            guard let figures = try await figures(of: day, source) else { continue }
            total.tracedDrops += figures.tracedDrops
            if index < Limits.latencyDays {
                total.latencies += figures.latencies.prefix(Limits.latencyWindow - total.latencies.count)
            }
        }
        return total
    }

    private func figures(of day: Day, _ source: Int64?) async throws -> StorageFigures? {
        // No source has the number 0.
        if let known = knownFigures.withLock({ $0[day]?[source ?? 0] }) { return known }
        let extent = files.extents[day]
        let figures = try await read(day) { db in
            StorageFigures(tracedDrops: try Self.tracedDrops(db, source), latencies: try Self.latencies(db, source))
        }
        guard let figures else { return nil }
        // The extent changes before figures are forgotten, so figures that are kept here are current, or are forgotten
        // later.
        knownFigures.withLock { known in
            if files.extents[day] == extent { known[day, default: [:]][source ?? 0] = figures }
        }
        return figures
    }

    private static func tracedDrops(_ db: Database, _ source: Int64?) throws -> Int64 {
        let sql = "SELECT count(*) FROM trace WHERE dropped = 1 AND (?1 IS NULL OR source = ?1)"
        return try Int64.fetchOne(db, sql: sql, arguments: [source]) ?? 0
    }

    /// Milliseconds from the call on the device to the database, newest first.
    ///
    /// Both clocks are taken at their word. A device's clock that is ahead of the server's says nothing, and is left out.
    private static func latencies(_ db: Database, _ source: Int64?) throws -> [Int64] {
        let sql = """
            SELECT storedAt - trackedAt FROM trace
            WHERE (?1 IS NULL OR source = ?1) AND storedAt >= trackedAt ORDER BY sequence DESC LIMIT ?2
            """
        return try Int64.fetchAll(db, sql: sql, arguments: [source, Limits.latencyWindow])
    }
}
