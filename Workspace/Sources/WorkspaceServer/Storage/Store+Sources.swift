import Foundation
import GRDB
import TributaryJSON

extension Store {
    /// All sources, oldest first.
    func sources() throws -> [Source] {
        try pool.read { db in
            try Row.fetchAll(db, sql: Source.selection + " ORDER BY source.id").map(Source.init(row:))
        }
    }

    /// Makes a source, or gives an existing one another name when one is given.
    func putSource(writeKey: String, name: String?, now: Int64) async throws -> (source: Source, isNew: Bool) {
        let administrator = Administrator.current
        return try await pool.write { db in
            try Self.putSource(db, writeKey: writeKey, name: name, by: administrator, now: now)
        }
    }

    /// Makes the sources that are missing, before the server runs.
    func ensureSources(writeKeys: [String], now: Int64) throws {
        try pool.write { db in
            for key in writeKeys { _ = try Self.putSource(db, writeKey: key, name: nil, by: .server, now: now) }
        }
    }

    /// Changes a source in one transaction; nil when there is no such source.
    /// - Parameter change: makes the change and says what the audit log says of it.
    func changeSource(
        writeKey: String, now: Int64, _ change: @escaping @Sendable (Database, Source) throws -> AuditEntry
    ) async throws -> Source? {
        let administrator = Administrator.current
        return try await pool.write { db in
            guard let source = try Self.source(db, writeKey) else { return nil }
            var entry = try change(db, source)
            entry.writeKey = writeKey
            try Self.log(db, entry, by: administrator, now: now)
            try db.execute(
                sql: "UPDATE source SET revision = revision + 1, updatedAt = ? WHERE id = ?",
                arguments: [now, source.id])
            return try Self.source(db, writeKey)
        }
    }

    private static func source(_ db: Database, _ writeKey: String) throws -> Source? {
        let sql = Source.selection + " WHERE source.writeKey = ?"
        return try Row.fetchOne(db, sql: sql, arguments: [writeKey]).map(Source.init(row:))
    }

    private static func putSource(
        _ db: Database, writeKey: String, name: String?, by administrator: Administrator, now: Int64
    ) throws -> (source: Source, isNew: Bool) {
        try db.execute(
            sql: """
                INSERT INTO source (writeKey, name, createdAt, updatedAt, revision, integrations, filters)
                VALUES (?, ?, ?, ?, 1, ?, ?) ON CONFLICT (writeKey) DO NOTHING
                """,
            arguments: [writeKey, name ?? writeKey, now, now, Data("{}".utf8), Data("[]".utf8)])
        let isNew = db.changesCount > 0
        if isNew { try log(db, AuditEntry(action: .sourceMade, writeKey: writeKey), by: administrator, now: now) }
        if !isNew, let name {
            let entry = AuditEntry(action: .sourceRenamed, writeKey: writeKey, details: ["name": .string(name)])
            try log(db, entry, by: administrator, now: now)
            try db.execute(
                sql: "UPDATE source SET name = ?, revision = revision + 1, updatedAt = ? WHERE writeKey = ?",
                arguments: [name, now, writeKey])
        }
        guard let source = try source(db, writeKey) else { throw DatabaseError(resultCode: .SQLITE_NOTFOUND) }
        return (source, isNew)
    }
}
