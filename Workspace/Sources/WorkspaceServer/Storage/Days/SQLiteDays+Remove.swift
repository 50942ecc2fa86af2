import GRDB

extension SQLiteDays {
    func removeAll(of source: Int64, overwriting: Bool) async throws -> Int {
        var count = 0
        for day in days() { count += try await removeAll(of: source, from: day, overwriting: overwriting) }
        return count
    }

    private func removeAll(of source: Int64, from day: Day, overwriting: Bool) async throws -> Int {
        guard let pool = try files.pool(for: day) else { return 0 }
        let delete: @Sendable (Database) throws -> Int = { db in try Self.delete(source, db) }
        let count: Int
        if overwriting {
            let overwriting = DayOverwriting(pool: pool)
            count = try await overwriting.delete(delete)
            try await overwriting.finish()
        } else {
            count = try await pool.write(delete)
        }
        try await change {
            // The day may have been given up meanwhile.
            guard self.files.extents[day] != nil else { return }
            self.files.setExtent(try pool.read { try DayExtent($0) }, of: day)
            self.forgetFigures(of: day)
        }
        return count
    }

    /// - Returns: how many events there were.
    private static func delete(_ source: Int64, _ db: Database) throws -> Int {
        let before = db.totalChangesCount
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM event WHERE source = ?", arguments: [source])
        for kind in RowIdentity.Kind.allCases {
            let table = DaySchema.table(of: kind)
            try db.execute(
                sql: """
                    DELETE FROM mention WHERE kind = ? AND number IN (SELECT sequence FROM \(table) WHERE source = ?)
                    """, arguments: [kind.rawValue, source])
            try db.execute(sql: "DELETE FROM \(table) WHERE source = ?", arguments: [source])
        }
        try db.execute(sql: "DELETE FROM source WHERE id = ?", arguments: [source])
        try db.execute(sql: "DELETE FROM erasure WHERE source = ?", arguments: [source])
        if db.totalChangesCount > before { try DaySchema.revise(db) }
        return count ?? 0
    }
}
