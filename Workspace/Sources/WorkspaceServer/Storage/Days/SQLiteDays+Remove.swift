import GRDB

extension SQLiteDays {
    func removeAll(of source: Int64, overwriting: Bool) async throws -> Int {
        var count = 0
        for day in days() {
            count += try await change { try self.removeAll(of: source, from: day, overwriting: overwriting) }
        }
        return count
    }

    private func removeAll(of source: Int64, from day: Day, overwriting: Bool) throws -> Int {
        guard let pool = try files.pool(for: day) else { return 0 }
        func delete(_ db: Database) throws -> Int {
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM event WHERE source = ?", arguments: [source])
            for table in DaySchema.tables {
                try db.execute(sql: "DELETE FROM \(table) WHERE source = ?", arguments: [source])
            }
            try db.execute(sql: "DELETE FROM source WHERE id = ?", arguments: [source])
            if try db.tableExists("erasure") {
                try db.execute(sql: "DELETE FROM erasure WHERE source = ?", arguments: [source])
            }
            return count ?? 0
        }
        let count = try overwriting ? DayOverwriting(pool: pool).delete(delete) : pool.write(delete)
        files.setExtent(try pool.read { try DayExtent($0) }, of: day)
        forgetFigures(of: day)
        return count
    }
}
