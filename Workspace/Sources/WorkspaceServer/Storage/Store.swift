import Foundation
import GRDB

/// The database of a workspace: what was committed here survives the power going out.
///
/// One writer, any number of readers; every method may be called from any thread.
final class Store: Sendable {
    let pool: DatabasePool
    let folder: DataFolder

    /// Opens the database of a folder, makes it when it is missing and brings an older one up to date.
    init(folder: DataFolder) throws(WorkspaceError) {
        self.folder = folder
        do {
            pool = try Self.open(folder)
        } catch let error as WorkspaceError {
            throw error
        } catch {
            throw WorkspaceError(.dataFolder, "the database in \(folder.path) cannot be used: \(error)")
        }
    }

    /// Ends all work; what is in a transaction is committed first.
    func close() throws {
        defer { folder.release() }
        try pool.close()
    }

    private static func open(_ folder: DataFolder) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.label = "workspace"
        configuration.maximumReaderCount = 4
        let pool = try DatabasePool(path: folder.databasePath, configuration: configuration)
        try refuseNewer(pool, folder)
        try Schema.migrator.migrate(pool)
        try pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA user_version = \(Schema.version)")
            // Opening a pool in WAL mode leaves NORMAL behind, which may lose the last commits with the power.
            try db.execute(sql: "PRAGMA synchronous = FULL")
            try assertDurable(db)
        }
        return pool
    }

    private static func refuseNewer(_ pool: DatabasePool, _ folder: DataFolder) throws {
        let version = try pool.read { db in try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0 }
        guard version > Schema.version else { return }
        throw WorkspaceError(
            .newerDataFolder,
            "the data folder \(folder.path) has format \(version); this version reads up to \(Schema.version)")
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
