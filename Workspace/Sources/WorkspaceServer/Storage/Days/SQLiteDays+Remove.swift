import GRDB

extension SQLiteDays {
    func removeAll(of source: Int64) async throws -> Int {
        var count = 0
        for day in days() {
            count += try await change { try self.removeAll(of: source, from: day) }
        }
        return count
    }

    private func removeAll(of source: Int64, from day: Day) throws -> Int {
        guard let pool = try files.pool(for: day) else { return 0 }
        let count = try pool.write { db in
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM event WHERE source = ?", arguments: [source])
            for table in DaySchema.tables {
                try db.execute(sql: "DELETE FROM \(table) WHERE source = ?", arguments: [source])
            }
            try db.execute(sql: "DELETE FROM source WHERE id = ?", arguments: [source])
            return count ?? 0
        }
        files.setExtent(try pool.read { try DayExtent($0) }, of: day)
        forgetFigures(of: day)
        return count
    }
}
