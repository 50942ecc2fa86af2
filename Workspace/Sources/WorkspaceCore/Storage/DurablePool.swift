import Foundation
import GRDB

/// Opens databases that are a record of what was acknowledged.
enum DurablePool {
    /// Opens a file, makes it when it is missing, and makes sure that a commit survives the power going out.
    ///
    /// - Parameters:
    ///   - readers: connections that read at once.
    ///   - cacheKilobytes: what the writer may keep of the file in memory; pages that do not fit are written and read
    ///     again within a transaction.
    ///   - formats: the `user_version` of files that this program reads.
    ///   - prepare: makes the tables in a new file, and brings older ones up to date.
    static func open(
        _ path: String, label: String, readers: Int, cacheKilobytes: Int, formats: ClosedRange<Int>,
        prepare: (Database) throws -> Void
    ) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.label = label
        configuration.maximumReaderCount = readers
        // A question looks into each part of an index. When the pages of that do not fit, each one is read again every time.
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA cache_size = -\(Limits.readerCacheKilobytes)")
        }
        // A backup or the doctor may be at the file for a moment.
        configuration.busyMode = .timeout(5)
        let pool = try DatabasePool(path: path, configuration: configuration)
        let found = try pool.read { db in try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0 }
        if let refusal = WorkspaceError.otherFormat(found, insteadOf: formats, in: path) { throw refusal }
        try pool.writeWithoutTransaction { db in
            // Opening a pool in WAL mode leaves NORMAL behind, which may lose the last commits with the power.
            try db.execute(sql: "PRAGMA synchronous = FULL")
            // It also leaves its own commit in the log, without a sync. A power cut that takes it and leaves the next
            // one would look like a damaged log. So its pages go to the file, and the log begins again. A sync alone is
            // not enough: when it fails, the system forgets the bytes, and the next sync succeeds without them.
            _ = try Row.fetchAll(db, sql: "PRAGMA wal_checkpoint(RESTART)")
            // Erased bytes must not stay readable in the file. The setting is on from the first row, so that no page
            // that was split or merged keeps an older copy of one.
            try db.execute(sql: "PRAGMA secure_delete = ON")
            try prepare(db)
            try db.execute(sql: "PRAGMA cache_size = -\(cacheKilobytes)")
            // A page that many transactions change is written to the file once for all of them.
            try db.execute(sql: "PRAGMA wal_autocheckpoint = \(Limits.pagesInLog)")
            try assertDurable(db)
        }
        // The database goes on when it cannot sync the name of its log, and never tries again.
        try AtomicFolder.sync(URL(fileURLWithPath: path).deletingLastPathComponent().path)
        return pool
    }

    /// An acknowledgement promises durability, so the promise is checked rather than believed.
    private static func assertDurable(_ db: Database) throws {
        let synchronous = try Int.fetchOne(db, sql: "PRAGMA synchronous")
        let journal = try String.fetchOne(db, sql: "PRAGMA journal_mode")
        guard synchronous == 2, journal == "wal" else {
            throw WorkspaceError(
                .dataFolder,
                "the database does not promise durability: synchronous \(synchronous ?? -1), journal \(journal ?? "?")")
        }
    }
}

extension DatabasePool {
    /// Closes the database and leaves one file. Closing alone keeps the log after a read, because a reading connection
    /// is then the last one.
    package func closeWhole() throws {
        // The log stays when this fails, and is read at the next start.
        _ = try? writeWithoutTransaction { db in try Row.fetchAll(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        try close()
    }
}

extension DatabaseError {
    /// The file itself is broken, so the cause is not a full disk or another process.
    package var isDamage: Bool { [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(resultCode.primaryResultCode) }
}
