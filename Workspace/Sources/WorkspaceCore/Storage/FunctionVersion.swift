import Foundation
package import GRDB
package import TributaryJSON

/// The code and the settings of a function as an administrator stored them, without secrets.
package struct FunctionVersion: Sendable, Equatable, FetchableRecord {
    /// The function of a destination, or that of a source.
    package struct Owner: Sendable, Equatable {
        let source: Int64
        /// 0 for the function of the source.
        let destination: Int64

        package static func source(_ id: Int64) -> Owner { Owner(source: id, destination: 0) }

        package static func destination(_ id: Int64, of source: Int64) -> Owner {
            Owner(source: source, destination: id)
        }
    }

    /// From 1. No number is used twice, as long as the function is there.
    package let version: Int64
    /// The name of the token of the author, or the way in which the change came; empty where no one noted it.
    package let administrator: String
    /// Milliseconds since 1970.
    package let storedAt: Int64
    package let settings: JSONObject

    package init(row: Row) throws {
        version = try row.decode(forColumn: "version")
        administrator = try row.decode(forColumn: "administrator")
        storedAt = try row.decode(forColumn: "storedAt")
        settings = try row.json("body").objectValue ?? [:]
    }

    private init(version: Int64, administrator: String, storedAt: Int64, settings: JSONObject) {
        (self.version, self.administrator, self.storedAt, self.settings) = (version, administrator, storedAt, settings)
    }

    /// Adds settings as the newest version, unless they are those of the newest one. The oldest of too many versions go.
    /// - Parameter old: the settings before the change, and when they were stored. They become version 1 when no version was
    ///   noted, because an earlier program stored them.
    package static func note(
        _ settings: JSONObject, of owner: Owner, replacing old: (settings: JSONObject, storedAt: Int64)?,
        by administrator: Administrator, now: Int64, _ db: Database
    ) throws {
        var newest = try all(of: owner, limit: 1, db).first
        if newest == nil, let old {
            let first = FunctionVersion(
                version: 1, administrator: "", storedAt: old.storedAt, settings: old.settings)
            try first.insert(owner, db)
            newest = first
        }
        guard newest?.settings != settings else { return }
        let next = FunctionVersion(
            version: (newest?.version ?? 0) + 1, administrator: administrator.token ?? administrator.way.rawValue,
            storedAt: now, settings: settings)
        try next.insert(owner, db)
        try db.execute(
            sql: "DELETE FROM functionVersion WHERE source = ? AND destination = ? AND version <= ?",
            arguments: [owner.source, owner.destination, next.version - Limits.functionVersions])
    }

    /// Newest first.
    package static func all(
        of owner: Owner, limit: Int64 = Limits.functionVersions, _ db: Database
    ) throws -> [FunctionVersion] {
        let sql = "SELECT * FROM functionVersion WHERE source = ? AND destination = ? ORDER BY version DESC LIMIT ?"
        return try fetchAll(db, sql: sql, arguments: [owner.source, owner.destination, limit])
    }

    package static func remove(of owner: Owner, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM functionVersion WHERE source = ? AND destination = ?",
            arguments: [owner.source, owner.destination])
    }

    private func insert(_ owner: Owner, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO functionVersion (source, destination, version, administrator, storedAt, body)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                owner.source, owner.destination, version, administrator, storedAt,
                Data(JSON.object(settings).encoded()),
            ])
    }
}

extension Limits {
    /// Versions of a function that are kept.
    package static let functionVersions: Int64 = 50
}

extension Store {
    /// The versions of a function, newest first. A function that an earlier program stored has none before it is changed.
    package func versions(of owner: FunctionVersion.Owner) async throws -> [FunctionVersion] {
        try await pool.read { db in try FunctionVersion.all(of: owner, db) }
    }
}
