import Foundation
package import GRDB
package import Logging
import TributaryJSON

/// All data of a workspace. Committed data survives a power cut.
///
/// `pool` holds configuration, the audit log and counters; `storage` holds what clients sent; `messages` says which
/// messages are there.
/// One writer, any number of readers; every method may be called from any thread.
package final class Store: Sendable {
    package let pool: DatabasePool
    package let folder: DataFolder
    package let storage: any EventStorage
    package let messages: MessageIndex
    /// Carries out changes of the settings.
    package let settings: any SettingsChanges
    package let logger: Logger
    private let makeSourceId: @Sendable () -> Int64

    /// Opens the databases of a folder, and makes them when the folder is empty.
    /// - Parameters:
    ///   - storage: the events of a cluster; nil when they are in the folder.
    ///   - schema: the tables besides those of days.
    ///   - settings: makes what settings are changed by, from the database that has them.
    /// - Throws: `WorkspaceError`, also when another version wrote them, or when the database of the workspace is
    ///   missing or does not belong to the days, or when the folder has events and those of a cluster are given.
    package init(
        folder: DataFolder, logger: Logger = Logger(label: "tributary.store") { _ in SwiftLogNoOpLogHandler() },
        makeSourceId: @escaping @Sendable () -> Int64 = WorkspaceEnvironment.randomSourceId,
        storage shared: (any EventStorage)? = nil, schema: SchemaHistory = Schema.history,
        settings: (DatabasePool) throws -> any SettingsChanges = LocalSettings.init
    ) throws(WorkspaceError) {
        (self.folder, self.logger, self.makeSourceId) = (folder, logger, makeSourceId)
        let contents = FolderContents(of: folder.path)
        try contents.checkStart()
        if shared != nil { try contents.checkNode() }
        do {
            try SQLiteLog.check(folder.databasePath)
            let pool = try Self.open(folder, schema)
            self.pool = pool
            self.settings = try settings(pool)
            let messages = try Self.messages(folder, pool)
            self.messages = messages
            if let shared {
                storage = shared
            } else {
                let days = try SQLiteDays(folder, logger: logger, isKnown: messages.hasMessages) { source in
                    try pool.read { db in try Self.plan(of: source, db) }
                }
                storage = days
                try days.checkSources(try pool.read(Self.writeKeys), in: folder.path)
                try Self.lookForMissingDays(besides: days.days(), pool, folder, logger)
            }
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

    private static func plan(of source: Int64, _ db: Database) throws -> TrackingPlan {
        let text = try Data.fetchOne(db, sql: "SELECT plan FROM source WHERE id = ?", arguments: [source])
        return try text.map { try TrackingPlan(try JSON.parse([UInt8]($0))) } ?? TrackingPlan.none
    }

    /// Takes up the days that are there, and says which ones should be.
    private static func lookForMissingDays(
        besides files: [Day], _ pool: DatabasePool, _ folder: DataFolder, _ logger: Logger
    ) throws {
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

    /// The days that this workspace made and did not delete, and that have no file; oldest first.
    package func missingDays() async throws -> [Day] {
        guard storage.hasDayFiles else { return [] }
        let files = try await storage.days()
        return try await pool.read { try DayRecords($0).missing(besides: files) }
    }

    /// Ends all work; open transactions are committed first.
    package func close() throws {
        defer { folder.release() }
        messages.close()
        try storage.close()
        try pool.closeWhole()
    }

    /// The index of messages, for a process that may change it.
    package static func messages(_ folder: DataFolder, _ pool: DatabasePool) throws -> MessageIndex {
        try folder.makeFolder(folder.messagesPath)
        let messages = try pool.read { try MessageIndex($0, folder: folder.messagesPath) }
        try messages.tidy()
        return messages
    }

    /// A number for a new source that no source has.
    func newSourceId(_ db: Database) throws -> Int64 { try Self.newSourceId(db, makeSourceId) }

    static func newSourceId(_ db: Database, _ make: () -> Int64) throws -> Int64 {
        while true {
            let id = make()
            let isTaken = try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM source WHERE id = ?)", arguments: [id])
            if isTaken == false { return id }
        }
    }

    /// The database besides the days.
    package static func open(_ folder: DataFolder, _ schema: SchemaHistory = Schema.history) throws -> DatabasePool {
        try DurablePool.open(
            folder.databasePath, label: "workspace", readers: 4, cacheKilobytes: Limits.workspaceCacheKilobytes,
            formats: schema.readable, prepare: schema.prepare)
    }
}

extension Store {
    /// The counter of what a source sent on a day, in days since 1970.
    package static func dayCounter(_ day: Int64) -> String { "\(dayCounters)\(day)" }

    /// The prefix of the names of these counters.
    package static let dayCounters = "day:"

    /// How much each source sent on a day, as far as it is stored. Counters of other days go.
    package func received(on day: Int64) throws -> [Int64: Int] {
        try pool.write { db in
            try db.execute(
                sql: "DELETE FROM counter WHERE name LIKE 'day:%' AND name <> ?", arguments: [Self.dayCounter(day)])
            let sql = "SELECT source, value FROM counter WHERE name = ?"
            let rows = try Row.fetchAll(db, sql: sql, arguments: [Self.dayCounter(day)])
            return Dictionary(
                try rows.map { (try $0.decode(Int64.self, atIndex: 0), try $0.decode(Int.self, atIndex: 1)) },
                uniquingKeysWith: { first, _ in first })
        }
    }
}

extension Store {
    /// Deletes everything that clients of a source sent. Numbers go on, so that listeners notice new events.
    /// - Returns: how many events there were; nil when there is no such source.
    package func deleteEvents(writeKey: String, now: Int64) async throws -> Int? {
        let administrator = Administrator.current
        let id = try await pool.read { db in
            try Int64.fetchOne(db, sql: "SELECT id FROM source WHERE writeKey = ?", arguments: [writeKey])
        }
        guard let id else { return nil }
        let count = try await storage.removeAll(of: id, overwriting: false) { _ in }
        try await change(alongside: { db in
            // This node's counts, and its index of messages.
            try self.messages.noteForgotten(id, db)
            try db.execute(sql: "DELETE FROM counter WHERE source = ?", arguments: [id])
        }) { db in
            try db.execute(
                sql: "DELETE FROM undelivered WHERE destination IN (SELECT id FROM destination WHERE source = ?)",
                arguments: [id])
            let entry = AuditEntry(
                action: .eventsDeleted, writeKey: writeKey, details: ["events": .number(count)])
            try Self.log(db, entry, by: administrator, now: now)
        }
        try await messages.forget(id, in: pool)
        return count
    }
}
