import GRDB

/// Deletes rows of a day so that their bytes are gone from its file and its log.
///
/// Every connection that writes a day has `secure_delete` on from the first row (`DurablePool`), so SQLite overwrites
/// deleted and moved bytes in the file. Only older pages in the log remain.
struct DayOverwriting {
    let pool: DatabasePool

    /// A mark in the head of a file, from the deletion of rows until the log is empty: an interrupted deletion is
    /// finished the next time, also when there are no rows to delete any more.
    private static let mark = 0x6F77_6573

    /// Deletes some rows in a transaction. `finish` comes after the last of them.
    func delete<Result: Sendable>(_ delete: @escaping @Sendable (Database) throws -> Result) async throws -> Result {
        try await pool.write { db in
            let before = db.totalChangesCount
            let result = try delete(db)
            if db.totalChangesCount > before { try db.execute(sql: "PRAGMA application_id = \(Self.mark)") }
            return result
        }
    }

    /// - Throws: when the rows are deleted but their bytes are not gone yet; then it has to be called again.
    func finish() async throws {
        try await pool.writeWithoutTransaction { db in
            guard try Self.isUnfinished(db) else { return }
            // A day that ended would never use the room again.
            if try Self.isMostlyFree(db) { try db.execute(sql: "VACUUM") }
            let isBusy = try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)") ?? 1
            guard isBusy == 0 else {
                throw DatabaseError(resultCode: .SQLITE_BUSY, message: "the log of a day is being read; try again")
            }
            try db.execute(sql: "PRAGMA application_id = 0")
        }
    }

    /// Whether bytes of deleted rows may still be in the log.
    static func isUnfinished(_ db: Database) throws -> Bool {
        try Int.fetchOne(db, sql: "PRAGMA application_id") == mark
    }

    private static func isMostlyFree(_ db: Database) throws -> Bool {
        let free = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
        return free > (try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0) / 2
    }
}
