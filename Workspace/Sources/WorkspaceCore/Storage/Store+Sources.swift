import Foundation
package import GRDB
import TributaryJSON

extension Store {
    /// All sources, oldest first.
    package func sources() throws -> [Source] { try pool.read(Self.allSources) }

    static func allSources(_ db: Database) throws -> [Source] {
        try Source.fetchAll(db, sql: Source.selection + " ORDER BY source.createdAt, source.id")
    }

    /// The source of that name; nil when there is none.
    package func source(_ writeKey: String) async throws -> Source? {
        try await pool.read { db in try Self.source(db, writeKey) }
    }

    /// The numbers that identify sources in rows.
    package func sourceIds() async throws -> Set<Int64> {
        try await pool.read { db in Set(try Int64.fetchAll(db, sql: "SELECT id FROM source")) }
    }

    /// Makes a source, or gives an existing one another name when one is given.
    func putSource(writeKey: String, name: String?, now: Int64) async throws -> (source: Source, isNew: Bool) {
        let administrator = Administrator.current
        return try await change { db in
            try self.putSource(db, writeKey: writeKey, name: name, by: administrator, now: now)
        }
    }

    /// Makes a source.
    /// - Throws: `Refusal` when it is there already.
    package func makeSource(writeKey: String, name: String?, now: Int64) async throws -> Source {
        let administrator = Administrator.current
        return try await change { db in
            guard try Self.source(db, writeKey) == nil else {
                throw Refusal(.conflict, "there is a source \(writeKey) already")
            }
            return try self.putSource(db, writeKey: writeKey, name: name, by: administrator, now: now).source
        }
    }

    /// Makes the sources that are missing, before the server runs on one machine.
    package func ensureSources(writeKeys: [String], now: Int64) throws {
        try settings.changeNow { db in
            for key in writeKeys { _ = try putSource(db, writeKey: key, name: nil, by: .server, now: now) }
        }
    }

    /// Does what `ensureSources` does, also in a cluster.
    package func addSources(_ writeKeys: [String], now: Int64) async throws {
        try await change { db in
            for key in writeKeys { _ = try self.putSource(db, writeKey: key, name: nil, by: .server, now: now) }
        }
    }

    /// Changes a source in one transaction; nil when there is no such source.
    /// - Parameter change: makes the change and says what the audit log says of it.
    func changeSource(
        writeKey: String, now: Int64, _ change: @escaping @Sendable (Database, Source) throws -> AuditEntry
    ) async throws -> Source? {
        let administrator = Administrator.current
        return try await self.change { db in
            guard let source = try Self.source(db, writeKey) else { return nil }
            var entry = try change(db, source)
            entry.writeKey = writeKey
            try Self.log(db, entry, by: administrator, now: now)
            try db.execute(
                sql: "UPDATE source SET revision = revision + 1, updatedAt = ? WHERE id = ?",
                arguments: [now, source.id])
            let changed = try Self.source(db, writeKey)
            if changed?.bundleForAll?.version != source.bundleForAll?.version {
                try Self.compareFiltersAgain(of: source.id, now: now, db)
            }
            return changed
        }
    }

    private static func source(_ db: Database, _ writeKey: String) throws -> Source? {
        let sql = Source.selection + " WHERE source.writeKey = ?"
        return try Source.fetchOne(db, sql: sql, arguments: [writeKey])
    }

    private func putSource(
        _ db: Database, writeKey: String, name: String?, by administrator: Administrator, now: Int64
    ) throws -> (source: Source, isNew: Bool) {
        let owner = try String.fetchOne(
            db,
            sql: "SELECT writeKey FROM source WHERE id = (SELECT source FROM sourceKey WHERE key = ?)",
            arguments: [writeKey])
        guard owner == nil || owner == writeKey else { throw Refusal.isTaken(writeKey) }
        if let known = try Self.source(db, writeKey) {
            guard let name else { return (known, false) }
            let entry = AuditEntry(action: .sourceRenamed, writeKey: writeKey, details: ["name": .string(name)])
            try Self.log(db, entry, by: administrator, now: now)
            try db.execute(
                sql: "UPDATE source SET name = ?, revision = revision + 1, updatedAt = ? WHERE writeKey = ?",
                arguments: [name, now, writeKey])
        } else {
            try Self.insertSource(db, id: newSourceId(db), writeKey: writeKey, name: name ?? writeKey, now: now)
            try Self.log(db, AuditEntry(action: .sourceMade, writeKey: writeKey), by: administrator, now: now)
        }
        guard let source = try Self.source(db, writeKey) else { throw DatabaseError(resultCode: .SQLITE_NOTFOUND) }
        return (source, owner == nil)
    }

    /// Adds a source with its first key.
    package static func insertSource(_ db: Database, id: Int64, writeKey: String, name: String, now: Int64) throws {
        try db.execute(
            sql: """
                INSERT INTO source (id, writeKey, name, createdAt, updatedAt, revision, integrations)
                VALUES (?, ?, ?, ?, ?, 1, ?)
                """,
            arguments: [id, writeKey, name, now, now, Data("{}".utf8)])
        try db.execute(
            sql: "INSERT INTO sourceKey (key, source, name, createdAt) VALUES (?, ?, 'first', ?)",
            arguments: [writeKey, id, now])
    }

    /// Adds a key to a source.
    package static func addKey(_ db: Database, _ key: String, name: String, to source: Source, now: Int64) throws {
        guard source.keys.count < Limits.keysOfSource else {
            throw Refusal(.conflict, "a source has at most \(Limits.keysOfSource) keys, with those that were revoked")
        }
        let isTaken = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM sourceKey WHERE key = ?)", arguments: [key])
        if let own = source.keys.first(where: { $0.key == key }), !own.isValid {
            throw Refusal(.conflict, "the key \(key) of this source was revoked, and a revoked key never comes back")
        }
        guard isTaken == false else { throw Refusal.isTaken(key) }
        try db.execute(
            sql: "INSERT INTO sourceKey (key, source, name, createdAt) VALUES (?, ?, ?, ?)",
            arguments: [key, source.id, name, now])
    }

    /// Makes a key worth nothing, for ever.
    package static func revokeKey(_ db: Database, _ key: String, of source: Source, now: Int64) throws {
        guard let known = source.keys.first(where: { $0.key == key }), known.isValid else {
            throw Refusal.notFound("the source has no valid key \(key)")
        }
        guard source.keys.contains(where: { $0.isValid && $0.key != key }) else {
            throw Refusal(.conflict, "that is the last valid key of the source; add another one first")
        }
        try db.execute(sql: "UPDATE sourceKey SET revokedAt = ? WHERE key = ?", arguments: [now, key])
    }
}

extension Refusal {
    /// It does not say of which source: a key that was revoked there must never speak for another one.
    fileprivate static func isTaken(_ key: String) -> Refusal {
        Refusal(.conflict, "the key \(key) is, or was, the key of another use")
    }
}
