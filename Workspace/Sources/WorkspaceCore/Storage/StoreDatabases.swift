import Foundation
package import GRDB
package import Logging
import TributaryJSON

/// The databases of a data folder that a store opens before its events: the settings, and the index of message ids.
package struct StoreDatabases {
    package let pool: DatabasePool
    let folder: DataFolder
    let messages: MessageIndex
    package let logger: Logger

    package static let silent = Logger(label: "tributary.store") { _ in SwiftLogNoOpLogHandler() }

    /// Opens the databases of a folder, and makes them when the folder is empty.
    /// - Parameter schema: the tables besides those of days.
    /// - Throws: `WorkspaceError`, also when another version wrote them, or when days are there and the database of the
    ///   workspace is missing.
    package init(
        folder: DataFolder, logger: Logger = Self.silent, schema: SchemaHistory = Schema.history
    ) throws(WorkspaceError) {
        try FolderContents(of: folder.path).checkStart()
        (self.folder, self.logger) = (folder, logger)
        (pool, messages) = try Self.explaining(folder) {
            try SQLiteLog.check(folder.databasePath)
            let pool = try Store.open(folder, schema)
            return (pool, try Store.messages(folder, pool))
        }
    }

    /// Opens the days of the folder, and logs which ones are missing.
    /// - Throws: `WorkspaceError` when the database of the workspace does not belong to the days.
    package func days() throws(WorkspaceError) -> SQLiteDays {
        try Self.explaining(folder) {
            let days = try SQLiteDays(folder, logger: logger, isKnown: messages.hasMessages) { [pool] source in
                try pool.read { db in try Self.plan(of: source, db) }
            }
            try days.checkSources(try pool.read(Store.writeKeys), in: folder.path)
            try lookForMissingDays(besides: days.days())
            return days
        }
    }

    /// Changes settings in this folder only.
    package func localSettings() throws(WorkspaceError) -> LocalSettings {
        try Self.explaining(folder) { try LocalSettings(pool) }
    }

    private static func plan(of source: Int64, _ db: Database) throws -> TrackingPlan {
        let text = try Data.fetchOne(db, sql: "SELECT plan FROM source WHERE id = ?", arguments: [source])
        return try text.map { try TrackingPlan(try JSON.parse([UInt8]($0))) } ?? TrackingPlan.none
    }

    /// Takes up the days that are there, and says which ones should be.
    private func lookForMissingDays(besides files: [Day]) throws {
        let missing = try pool.write { db in
            try DayRecords.adopt(files, db)
            return try DayRecords(db).missing(besides: files)
        }
        guard !missing.isEmpty else { return }
        logger.error(
            """
            days of events are missing, and this workspace did not delete them; put their files back, or let `tributary \
            doctor --repair` note that they are lost
            """,
            metadata: ["days": "\(missing.map(\.description).joined(separator: ", "))", "folder": "\(folder.path)"])
    }

    /// Says in an error of a database what an operator can do.
    private static func explaining<Result>(
        _ folder: DataFolder, _ body: () throws -> Result
    ) throws(WorkspaceError) -> Result {
        do {
            return try body()
        } catch let error as WorkspaceError {
            throw error
        } catch let error as DatabaseError where error.isDamage {
            throw WorkspaceError(
                .dataFolder,
                "\(folder.path)/workspace.sqlite is damaged: \(error.message ?? "\(SystemReason.text(error))"). Nothing was changed. "
                    + "`tributary doctor --repair \(folder.path)` saves what can be read; or make a folder of a backup with "
                    + "`tributary restore BACKUP NEW`")
        } catch let damage as MessageFile.Damage {
            throw WorkspaceError(
                .dataFolder,
                "a file of the index of message ids cannot be used: \(damage). Nothing was changed. "
                    + "`tributary doctor --repair \(folder.path)` makes the index from the days")
        } catch {
            throw WorkspaceError(
                .dataFolder, "the database in \(folder.path) cannot be used: \(SystemReason.text(error))")
        }
    }
}
