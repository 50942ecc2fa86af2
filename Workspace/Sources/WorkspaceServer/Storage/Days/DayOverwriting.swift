import GRDB

/// Deletes rows of a day and overwrites their bytes in its file and its log.
struct DayOverwriting {
    let pool: DatabasePool

    /// A mark in the head of a file, from the deletion of rows until their bytes are overwritten: an interrupted
    /// deletion is finished the next time, also when there are no rows to delete any more.
    private static let mark = 0x6F77_6573

    /// - Parameter delete: deletes rows, in a transaction.
    /// - Throws: also when the rows are deleted but their bytes are not gone yet; then it has to be called again.
    func delete<Result: Sendable>(_ delete: @escaping @Sendable (Database) throws -> Result) async throws -> Result {
        try await pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA secure_delete = ON")
            // Left on, it would only make later deletions slower.
            defer { try? db.execute(sql: "PRAGMA secure_delete = OFF") }
            let before = db.totalChangesCount
            var result: Result?
            try db.inTransaction {
                result = try delete(db)
                if db.totalChangesCount > before { try db.execute(sql: "PRAGMA application_id = \(Self.mark)") }
                return .commit
            }
            if try Self.isUnfinished(db) { try Self.overwrite(db) }
            guard let result else { throw DatabaseError(message: "the rows of a day were not deleted") }
            return result
        }
    }

    /// Whether bytes of deleted rows may still be in a file.
    static func isUnfinished(_ db: Database) throws -> Bool {
        try Int.fetchOne(db, sql: "PRAGMA application_id") == mark
    }

    /// Writes the file anew, and empties the log, where the old pages are still to be read.
    private static func overwrite(_ db: Database) throws {
        try db.execute(sql: "VACUUM")
        let isBusy = try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)") ?? 1
        guard isBusy == 0 else {
            throw DatabaseError(resultCode: .SQLITE_BUSY, message: "the log of a day is being read; try again")
        }
        try db.execute(sql: "PRAGMA application_id = 0")
    }
}
