import CSQLiteChanges
import Foundation
import GRDB
import WorkspaceCore
import WorkspaceServer

/// Records the changes of a transaction in the tables of settings, as bytes that other nodes can apply (a changeset of
/// SQLite).
enum SettingsRecording {
    /// Carries out some work, and undoes it.
    /// - Returns: the changes of the shared tables; empty when nothing changed.
    static func rehearse<T: Sendable>(
        in pool: DatabasePool, alongside local: @escaping @Sendable (Database) throws -> Void = { _ in },
        _ work: @escaping @Sendable (Database) throws -> T
    ) async throws -> (value: T, changes: [UInt8]) {
        try await undoing(pool) { db in
            try local(db)
            return try record(db) { try work(db) }
        }
    }

    /// The whole content of the shared tables, as changes that would create it in empty tables.
    static func content(of pool: DatabasePool, tables: [String] = SettingsTables.shared) async throws -> [UInt8] {
        try await undoing(pool) { db in
            try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
            for table in tables {
                try db.execute(sql: "CREATE TEMP TABLE content_\(table) AS SELECT * FROM main.\(table)")
            }
            for table in tables { try db.execute(sql: "DELETE FROM main.\(table)") }
            return try record(db) {
                for table in tables {
                    try db.execute(sql: "INSERT INTO main.\(table) SELECT * FROM temp.content_\(table)")
                }
            }.changes
        }
    }

    /// Whether the folder has settings of its own.
    static func hasSettings(_ db: Database) throws -> Bool {
        for table in SettingsTables.shared where table != SettingsTables.healthKey {
            if try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM \(table))") == true { return true }
        }
        return false
    }

    /// Applies changes, in a transaction that is undone when this throws.
    /// - Throws: `SettingsDivergence` when the changes do not fit the present content.
    static func apply(_ changes: [UInt8], _ db: Database) throws {
        let rollouts = try Store.rollouts(db)
        try applyRows(changes, db)
        try forgetSamples(of: rollouts, db)
    }

    /// Replaces the content of the shared tables. This node keeps its counts of sources that remain.
    /// - Parameter content: changes that create the content in empty tables.
    /// - Throws: `SettingsDivergence` when the content does not fit the tables.
    static func replace(by content: [UInt8], _ db: Database) throws {
        let rollouts = try Store.rollouts(db)
        try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
        for table in SettingsTables.shared { try db.execute(sql: "DELETE FROM \(table)") }
        try applyRows(content, db)
        try forgetSamples(of: rollouts, db)
    }

    /// All rows of the shared tables, in the order of their keys.
    static func rows(_ db: Database) throws -> [String: [Row]] {
        var rows: [String: [Row]] = [:]
        for table in SettingsTables.shared {
            let order = try db.primaryKey(table).columns.joined(separator: ", ")
            rows[table] = try Row.fetchAll(db, sql: "SELECT * FROM \(table) ORDER BY \(order)")
        }
        return rows
    }

    private static func applyRows(_ changes: [UInt8], _ db: Database) throws {
        var conflict = tributary_conflict()
        let result = changes.withUnsafeBytes { bytes in
            withNames { names, count in
                tributary_changes_apply(
                    pointer(db), bytes.baseAddress, Int32(bytes.count), names, count, &conflict)
            }
        }
        guard conflict.kind == tributary_conflict_none else { throw SettingsDivergence(conflict) }
        guard result == 0 else { throw failure(ResultCode(rawValue: result)) }
        if conflict.breaks_references != 0 { try removeOrphans(db) }
    }

    /// A full or broken disk may work later, so its error is passed on. All other failures are a divergence.
    private static func failure(_ code: ResultCode) -> any Error {
        let misfits: [ResultCode] = [.SQLITE_ABORT, .SQLITE_CONSTRAINT, .SQLITE_SCHEMA, .SQLITE_MISUSE, .SQLITE_ERROR]
        guard misfits.contains(code.primaryResultCode) else { return DatabaseError(resultCode: code) }
        return SettingsDivergence("a change cannot be applied: \(code)")
    }

    /// Removes this node's counts of deleted sources.
    private static func removeOrphans(_ db: Database) throws {
        for table in SettingsTables.localOfSource {
            try db.execute(sql: "DELETE FROM \(table) WHERE source NOT IN (SELECT id FROM source)")
        }
        do {
            // The commit would not find a violation: SQLite drops its deferred checks when it applies changes.
            try db.checkForeignKeys()
        } catch let error as DatabaseError {
            throw SettingsDivergence(
                "rows of a shared table point at rows that are gone: \(error.message ?? "\(error)")")
        }
    }

    /// Each node has samples of its own, which belong to one roll-out and one comparison.
    private static func forgetSamples(of before: [RolloutRecord], _ db: Database) throws {
        for record in try Store.rollouts(db) {
            let isSame = before.contains {
                $0.source == record.source && $0.kind == record.kind && $0.startedAt == record.startedAt
                    && $0.version == record.version && $0.comparison == record.comparison
            }
            if !isSame || !record.isOpen { try Store.removeSamples(record.kind, of: record.source, db) }
        }
    }

    // MARK: SQLite

    private static func undoing<T: Sendable>(
        _ pool: DatabasePool, _ work: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        try await pool.writeWithoutTransaction { db in
            var value: T?
            try db.inTransaction(.immediate) {
                value = try work(db)
                return .rollback
            }
            guard let value else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
            return value
        }
    }

    private static func record<T>(_ db: Database, _ work: () throws -> T) throws -> (value: T, changes: [UInt8]) {
        var session: UnsafeMutableRawPointer?
        try check(withNames { names, count in tributary_recording_begin(pointer(db), names, count, &session) })
        defer { tributary_recording_end(session) }
        let value = try work()
        var (bytes, count): (UnsafeMutableRawPointer?, Int32) = (nil, 0)
        try check(tributary_recording_changes(session, &bytes, &count))
        defer { tributary_changes_free(bytes) }
        return (value, Array(UnsafeRawBufferPointer(start: bytes, count: Int(count))))
    }

    private static func check(_ result: Int32) throws {
        guard result == 0 else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: result), message: "changes of the settings cannot be recorded")
        }
    }

    private static func pointer(_ db: Database) -> UnsafeMutableRawPointer? {
        db.sqliteConnection.map { UnsafeMutableRawPointer($0) }
    }

    /// Passes the names of the shared tables to C.
    private static func withNames<R>(_ body: (UnsafePointer<UnsafePointer<CChar>?>?, Int32) throws -> R) rethrows -> R {
        let names = SettingsTables.shared.map { strdup($0) }
        defer { for name in names { free(name) } }
        return try names.map { UnsafePointer($0) }.withUnsafeBufferPointer { try body($0.baseAddress, Int32($0.count)) }
    }
}

extension SettingsDivergence {
    fileprivate init(_ conflict: tributary_conflict) {
        let table = withUnsafeBytes(of: conflict.table) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        let what =
            switch conflict.kind {
            case tributary_conflict_values: "a row that it changes has other values"
            case tributary_conflict_missing: "a row that it changes is missing"
            case tributary_conflict_present: "a row that it adds is there already"
            case tributary_conflict_table: "the table is not one of the settings"
            case tributary_conflict_columns: "the table has fewer columns, or another key"
            default: "it breaks a rule of the table"
            }
        self.init("a change of the table \(table) does not fit: \(what)")
    }
}
