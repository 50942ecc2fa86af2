import GRDB

/// Deletes rows of a day and overwrites their bytes in its file and its log.
struct DayOverwriting {
    let pool: DatabasePool

    /// A mark in the head of a file, from the deletion of rows until their bytes are overwritten: an interrupted
    /// deletion is finished the next time, also when there are no rows to delete any more.
    private static let mark = 0x6F77_6573

    /// - Parameter delete: deletes rows, in a transaction.
    /// - Throws: also when the rows are deleted and their bytes are not overwritten yet; then it has to be called
    ///   again.
    func delete<Result>(_ delete: (Database) throws -> Result) throws -> Result {
        try pool.writeWithoutTransaction { db in
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
            if try Int.fetchOne(db, sql: "PRAGMA application_id") == Self.mark { try Self.overwrite(db) }
            guard let result else { throw DatabaseError(message: "the rows of a day were not deleted") }
            return result
        }
    }

    /// Rewrites the file and empties the log, which still has the old pages.
    private static func overwrite(_ db: Database) throws {
        try db.execute(sql: "VACUUM")
        let isBusy = try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)") ?? 1
        guard isBusy == 0 else {
            throw DatabaseError(resultCode: .SQLITE_BUSY, message: "the log of a day is being read; try again")
        }
        try db.execute(sql: "PRAGMA application_id = 0")
    }
}
