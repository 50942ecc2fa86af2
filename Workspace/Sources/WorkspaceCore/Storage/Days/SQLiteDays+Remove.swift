import GRDB

extension SQLiteDays {
    /// Day by day, and in each in steps: rows are looked for beside the indexer, and it stores events between two steps.
    package func removeAll(
        of source: Int64, overwriting: Bool, _ progress: @escaping @Sendable (ErasureProgress) -> Void
    ) async throws -> Int {
        let days = days()
        var state = ErasureProgress(days: days.count)
        progress(state)
        for day in days {
            try await removeAll(of: source, from: day, overwriting: overwriting) { erased in
                state.erased = state.erased + erased
                progress(state)
            }
            state.daysDone += 1
            progress(state)
        }
        return state.erased.events
    }

    /// - Parameter step: called after each step with what it deleted.
    private func removeAll(
        of source: Int64, from day: Day, overwriting: Bool, _ step: (Erased) -> Void
    ) async throws {
        guard let pool = try files.pool(for: day) else { return }
        try summaries.erase(day)
        let deletion = DayOverwriting(pool: pool)
        for kind in RowIdentity.Kind.allCases {
            var last = Int64.min
            while true {
                try Task.checkCancellation()
                let numbers = try await pool.read { [last] db in try Self.numbers(of: kind, source, after: last, db) }
                guard let newest = numbers.last else { break }
                last = newest
                let delete: @Sendable (Database) throws -> Int = { db in try Self.delete(kind, numbers, db) }
                let count = try await overwriting ? deletion.delete(delete) : pool.write(delete)
                step(Erased(count, of: kind))
            }
        }
        try await pool.write { db in try Self.deleteName(of: source, db) }
        if overwriting { try await deletion.finish() }
        // One that was made meanwhile may have been made of rows that are gone now.
        try summaries.erase(day)
        try await change {
            // The day may have been given up meanwhile.
            guard self.files.extents[day] != nil else { return }
            self.files.setExtent(try pool.read { try DayExtent($0) }, of: day)
            self.forgetFigures(of: day)
        }
    }

    /// The next rows of a source, oldest first, as many as one step deletes.
    private static func numbers(
        of kind: RowIdentity.Kind, _ source: Int64, after last: Int64, _ db: Database
    ) throws -> [Int64] {
        let sql = """
            SELECT sequence FROM \(DaySchema.table(of: kind)) WHERE sequence > ? AND source = ? ORDER BY sequence LIMIT ?
            """
        return try Int64.fetchAll(db, sql: sql, arguments: [last, source, Limits.rowsErasedAtOnce])
    }

    /// Deletes rows, their mentions of users, and their counts in the catalog.
    /// - Parameter numbers: in ascending order.
    /// - Returns: how many there were.
    private static func delete(_ kind: RowIdentity.Kind, _ numbers: [Int64], _ db: Database) throws -> Int {
        guard let first = numbers.first, let last = numbers.last else { return 0 }
        let list = numbers.map(String.init).joined(separator: ",")
        let parts = [first, last].map { $0 / DaySchema.rowsOfIndexPart }
        try db.execute(
            sql: "DELETE FROM mention WHERE part BETWEEN ? AND ? AND kind = ? AND number IN (\(list))",
            arguments: [parts[0], parts[1], kind.rawValue])
        if kind == .event { try CatalogTally.subtract(numbers, db) }
        try db.execute(sql: "DELETE FROM \(DaySchema.table(of: kind)) WHERE sequence IN (\(list))")
        let count = db.changesCount
        if count > 0 { try DaySchema.revise(db) }
        return count
    }

    /// When the last row is gone, nothing says any more that the source was there.
    private static func deleteName(of source: Int64, _ db: Database) throws {
        let before = db.totalChangesCount
        try db.execute(sql: "DELETE FROM source WHERE id = ?", arguments: [source])
        try db.execute(sql: "DELETE FROM erasure WHERE source = ?", arguments: [source])
        try DayCatalog.forget(source, db)
        if db.totalChangesCount > before { try DaySchema.revise(db) }
    }
}

extension Erased {
    fileprivate init(_ count: Int, of kind: RowIdentity.Kind) {
        self.init()
        switch kind {
        case .event: events = count
        case .rejected: rejected = count
        case .trace: traces = count
        case .signal: signals = count
        }
    }
}
