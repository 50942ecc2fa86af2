import Dispatch
package import GRDB
package import Logging
import Synchronization

/// Keeps events in a database per day of their arrival: a day goes by deleting its file, and a broken file costs one day.
package final class SQLiteDays: EventStorage {
    package let files: DayFiles
    let summaries: DaySummaries
    package let logger: Logger
    /// Figures of days that nothing was written to since they were asked for.
    let knownFigures = Mutex<[Day: [Int64: StorageFigures]]>([:])
    /// The names that came most often on the day before the newest, by source.
    let namesOfDays = Mutex<[Int64: (day: Day, names: KnownNames)]>([:])
    /// The plan of a source.
    package let plan: @Sendable (Int64) throws -> TrackingPlan
    /// Changes follow one another; reading does not wait for them.
    private let changes = DispatchQueue(label: "tributary.days")

    /// - Parameters:
    ///   - isKnown: whether a day is known to have messages.
    ///   - plan: the plan of a source; its names and properties have their places in the catalog.
    package init(
        _ folder: DataFolder, logger: Logger, isKnown: (Day) throws -> Bool = { _ in false },
        plan: @escaping @Sendable (Int64) throws -> TrackingPlan = { _ in .none }
    ) throws {
        (self.plan, self.logger) = (plan, logger)
        files = try DayFiles(folder, logger: logger, isKnown: isKnown)
        summaries = try DaySummaries(folder, files.revisionsAtStart)
    }

    package func close() throws { try files.close() }

    package var hasDayFiles: Bool { true }
    package var people: (any PeopleStorage)? { self }

    package func confirmed() -> Int64? { nil }

    package func highest() -> RowNumbers {
        files.extents.values.reduce(RowNumbers()) { numbers, extent in
            .max(
                numbers, RowNumbers(stream: extent.stream?.upperBound ?? 0, rejected: extent.rejected?.upperBound ?? 0))
        }
    }

    package func mayHaveTraces() -> Bool { files.extents.values.contains(where: \.mayHaveTraces) }

    package func days() -> [Day] { files.extents.keys.sorted() }

    package func remove(_ day: Day) async throws {
        try await change {
            self.summaries.drop(day)
            try self.files.remove(day)
            self.forgetFigures(of: day)
        }
    }

    /// Does one thing after the other, on a thread that may wait for the disk.
    package func change<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            changes.async { continuation.resume(with: Swift.Result(catching: body)) }
        }
    }

    /// Reads from a day; nil when there is no such day, or it turns out to be broken, which sets it aside.
    package func read<Result: Sendable>(_ day: Day, _ body: @escaping @Sendable (Database) throws -> Result)
        async throws
        -> Result?
    {
        do {
            return try await files.pool(for: day)?.read(body)
        } catch let error as DatabaseError where error.isDamage {
            try await change { try self.setAside(day, because: error) }
            return nil
        }
    }

    package func setAside(_ day: Day, because error: any Error) throws {
        // A reader may have set the day aside at the same time.
        guard files.extents[day] != nil else { return }
        summaries.drop(day)
        try files.setAside(day, because: error)
        forgetFigures(of: day)
    }

    func forgetFigures(of day: Day) { knownFigures.withLock { $0[day] = nil } }
}

extension SQLiteDays {
    package func backlog(of source: Int64, after number: Int64, atMost limit: Int) async throws -> EventBacklog {
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

extension SQLiteDays {
    /// Sees to it that the workspace knows all sources that the days name, and that the days name them by their keys.
    /// - Throws: `WorkspaceError` when the database of the workspace is another one's, or older than a source.
    func checkSources(_ writeKeys: [Int64: String], in path: String) throws {
        for (day, extent) in files.extents.sorted(by: { $0.key < $1.key }) {
            if let unknown = extent.sources.first(where: { writeKeys[$0.key] == nil }) {
                let name = unknown.value.isEmpty ? "\(unknown.key)" : unknown.value
                throw WorkspaceError(
                    .dataFolder,
                    "the day \(day) in \(path) has events of the source \(name), which workspace.sqlite does not know: it "
                        + "is the database of another workspace, or an older one. Put the right one back, or let "
                        + "`tributary doctor --repair \(path)` take up the source")
            }
            let unnamed = extent.sources.filter { $0.value.isEmpty }
            guard !unnamed.isEmpty, let pool = try files.pool(for: day) else { continue }
            try pool.write { db in
                try DaySchema.revise(db)
                for source in unnamed.keys { try DaySchema.name(source, writeKeys[source] ?? "", db) }
            }
        }
    }
}
