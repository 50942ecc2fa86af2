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
    /// Judges events by the plans of their sources.
    let planJudges = PlanJudges()
    private let makeSourceId: @Sendable () -> Int64

    /// - Parameters:
    ///   - storage: the days of the folder, or the events of a cluster.
    ///   - settings: carries out changes of the settings.
    package init(
        _ databases: StoreDatabases, storage: any EventStorage, settings: any SettingsChanges,
        makeSourceId: @escaping @Sendable () -> Int64 = WorkspaceEnvironment.randomSourceId
    ) {
        (pool, folder, messages, logger) = (databases.pool, databases.folder, databases.messages, databases.logger)
        (self.storage, self.settings, self.makeSourceId) = (storage, settings, makeSourceId)
    }

    /// Opens a folder of one machine, with its settings and its days of events. An empty folder gets its databases.
    /// - Parameter schema: the tables besides those of days.
    /// - Throws: `WorkspaceError`, as `StoreDatabases` and its `days()` do.
    package convenience init(
        folder: DataFolder, logger: Logger = StoreDatabases.silent,
        makeSourceId: @escaping @Sendable () -> Int64 = WorkspaceEnvironment.randomSourceId,
        schema: SchemaHistory = Schema.history
    ) throws(WorkspaceError) {
        let databases = try StoreDatabases(folder: folder, logger: logger, schema: schema)
        let settings = try databases.localSettings()
        self.init(databases, storage: try databases.days(), settings: settings, makeSourceId: makeSourceId)
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
