import Foundation
package import GRDB
package import TributaryJSON

extension Store {
    /// Adds to the log, in the transaction of the change itself: there is none without the other.
    package static func log(_ db: Database, _ entry: AuditEntry, by administrator: Administrator, now: Int64) throws {
        try db.execute(
            sql: "INSERT INTO audit (at, administrator, token, action, writeKey, details) VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [
                now, administrator.way.rawValue, administrator.token, entry.action.rawValue, entry.writeKey,
                Data(JSON.object(entry.details).encoded()),
            ])
    }

    /// Entries of the log, newest first.
    /// - Throws: `Refusal` when there never was a source of that write key.
    package func audit(before: Int64?, writeKey: String?, limit: Int) async throws -> [JSON] {
        if let writeKey, try await !wasSource(writeKey) { throw try await noSource(named: writeKey) }
        return try await pool.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM audit WHERE sequence < ? AND (?2 IS NULL OR writeKey = ?2)
                    ORDER BY sequence DESC LIMIT ?3
                    """,
                arguments: [before ?? .max, writeKey, limit]
            ).map(Self.entry)
        }
    }

    /// Whether there is a source of that write key, or changes of one that was removed.
    private func wasSource(_ writeKey: String) async throws -> Bool {
        try await pool.read { db in
            for table in ["source", "audit"] {
                let sql = "SELECT EXISTS (SELECT 1 FROM \(table) WHERE writeKey = ?)"
                if try Bool.fetchOne(db, sql: sql, arguments: [writeKey]) == true { return true }
            }
            return false
        }
    }

    private static func entry(_ row: Row) throws -> JSON {
        [
            "sequence": .number(try row.decode(Int64.self, forColumn: "sequence")),
            "at": .time(try row.decode(Int64.self, forColumn: "at")),
            "by": .string(try row.decode(String.self, forColumn: "administrator")),
            "token": try row.decode(String?.self, forColumn: "token").map(JSON.string) ?? .null,
            "action": .string(try row.decode(String.self, forColumn: "action")),
            "writeKey": try row.decode(String?.self, forColumn: "writeKey").map(JSON.string) ?? .null,
            "details": try row.json("details"),
        ]
    }
}
