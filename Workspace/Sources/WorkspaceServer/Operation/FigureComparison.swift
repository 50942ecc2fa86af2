import GRDB
import WorkspaceCore

/// Compares the counters of the workspace, which `/api/stats` shows, with the rows of the days.
///
/// Counters also count rows that were deleted since, so they may be higher than the number of rows, but never lower.
struct FigureComparison {
    /// The lowest right values of counters that are lower.
    private(set) var behind: [WritePlan.Counter: Int] = [:]

    /// - Parameter isBehind: the database is older than the days.
    init(path: String, isBehind: Bool) throws {
        let database = path + "/workspace.sqlite"
        // The counters are read last, because a running workspace goes on counting.
        let numbers =
            isBehind ? RowNumbers(stream: .max, rejected: .max) : try DatabaseState.read(database, Store.numbers)
        let days = try DataFolder.dayFiles(in: path + "/days")
        let counts = try Concurrently.map(days) { day in
            Result { try Self.counts(of: day, isNewest: day == days.last, in: path, through: numbers) }
        }.reduce(into: [WritePlan.Counter: Int]()) { $0.merge(try $1.get(), uniquingKeysWith: +) }
        let counters = try DatabaseState.read(database, Self.counters)
        behind = counts.filter { $0.value > counters[$0.key] ?? 0 }
        // A running workspace keeps only the counts of its present day, so a lower count of a day alone is no fault.
        if behind.keys.allSatisfy({ $0.name.hasPrefix(Store.dayCounters) }) { behind = [:] }
    }

    /// Brings the counters up to what is there.
    func mend(_ db: Database) throws {
        for (counter, count) in behind {
            try db.execute(
                sql: """
                    INSERT INTO counter (source, name, value) SELECT id, ?2, ?3 FROM source WHERE id = ?1
                    ON CONFLICT (source, name) DO UPDATE SET value = excluded.value
                    """,
                arguments: [counter.source, counter.name, count])
        }
    }

    private static func counters(_ db: Database) throws -> [WritePlan.Counter: Int] {
        let rows = try Row.fetchAll(db, sql: "SELECT source, name, value FROM counter")
        return Dictionary(
            try rows.map { row in
                let counter = WritePlan.Counter(
                    source: try row.decode(Int64.self, atIndex: 0), name: try row.decode(String.self, atIndex: 1))
                return (counter, try row.decode(Int.self, atIndex: 2))
            }, uniquingKeysWith: max)
    }

    /// - Parameter isNewest: whether quotas go by the day.
    private static func counts(
        of day: Day, isNewest: Bool, in path: String, through numbers: RowNumbers
    ) throws -> [WritePlan.Counter: Int] {
        do {
            return try DatabaseState.read("\(path)/days/\(day).sqlite") { db in
                var counts: [WritePlan.Counter: Int] = [:]
                func add(_ name: String, _ source: Int64, _ count: Int) {
                    counts[WritePlan.Counter(source: source, name: name), default: 0] += count
                    if isNewest, name != "stored" {
                        counts[WritePlan.Counter(source: source, name: Store.dayCounter(day.number)), default: 0] +=
                            count
                    }
                }
                let events = "SELECT source, type, count(*) FROM event WHERE sequence <= ? GROUP BY source, type"
                for row in try Row.fetchAll(db, sql: events, arguments: [numbers.stream]) {
                    let (source, count) = (try row.decode(Int64.self, atIndex: 0), try row.decode(Int.self, atIndex: 2))
                    add("stored", source, count)
                    add("type:" + (try row.decode(String.self, atIndex: 1)), source, count)
                }
                for (table, name, last) in [
                    ("rejected", "rejected", numbers.rejected), ("signal", "signals", numbers.stream),
                ] {
                    let sql = "SELECT source, count(*) FROM \(table) WHERE sequence <= ? GROUP BY source"
                    for row in try Row.fetchAll(db, sql: sql, arguments: [last]) {
                        add(name, try row.decode(Int64.self, atIndex: 0), try row.decode(Int.self, atIndex: 1))
                    }
                }
                return counts
            }
        } catch let error as DatabaseError where error.isDamage || error.resultCode == .SQLITE_CANTOPEN {
            // A damaged day is reported elsewhere, and a day may be deleted for its age meanwhile.
            return [:]
        }
    }
}
