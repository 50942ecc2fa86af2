import Crypto
package import Foundation
package import GRDB
import TributaryJSON

/// An entry of the list of suppressed users and devices, as an operator sees it.
package struct Suppression: Sendable, Equatable {
    package let digest: Data
    package let kind: SuppressionList.Kind
    package let mark: SuppressionList.Mark
    package let reason: String
    /// Who made the entry: the name of a token, or the way of the change.
    package let administrator: String
    package let at: Int64
}

extension Store {
    static func suppressionList(_ db: Database) throws -> SuppressionList {
        var marks: [Data: SuppressionList.Mark] = [:]
        let rows = try Row.fetchCursor(db, sql: "SELECT digest, isSuppressed, erasedThrough FROM suppression")
        while let row = try rows.next() { marks[try row.decode(Data.self, atIndex: 0)] = try mark(row) }
        return SuppressionList(secret: try healthKey(db), marks: marks)
    }

    /// Stores nothing more of a user or a device.
    package func suppress(_ kind: SuppressionList.Kind, _ id: String, reason: String, now: Int64) async throws
        -> Suppression
    {
        let administrator = Administrator.current
        return try await change { db in
            let digest = try Self.digest(kind, Data(id.utf8), db)
            try Self.put(
                digest, kind, person: digest, .init(isSuppressed: true), reason: reason, by: administrator, now: now, db
            )
            try Self.log(db, Self.entry(.suppressed, digest, ["reason": .string(reason)]), by: administrator, now: now)
            guard let made = try Self.suppression(digest, db) else { throw DatabaseError(resultCode: .SQLITE_NOTFOUND) }
            return made
        }
    }

    /// Notes that a user is erased, with the digests of the user's devices. The devices of a suppressed user are
    /// suppressed, too.
    /// - Parameter time: events from before this time are not stored again.
    package func noteErased(_ userId: String, devices: Set<Data>, through time: Int64, now: Int64) async throws {
        let administrator = Administrator.current
        try await change { db in
            let person = try Self.digest(.user, Data(userId.utf8), db)
            let known = try Self.suppression(person, db)
            let mark = SuppressionList.Mark(isSuppressed: known?.mark.isSuppressed ?? false, erasedThrough: time)
            let reason = known?.reason ?? "erased"
            try Self.put(person, .user, person: person, mark, reason: reason, by: administrator, now: now, db)
            for device in devices {
                let digest = try Self.digest(.device, device, db)
                try Self.put(digest, .device, person: person, mark, reason: reason, by: administrator, now: now, db)
            }
        }
    }

    /// Lets events of a user or a device in again, including the devices of an erased user. Erased events stay erased.
    /// - Returns: how many entries there were.
    package func endSuppression(_ kind: SuppressionList.Kind, _ id: String, now: Int64) async throws -> Int {
        let administrator = Administrator.current
        return try await change { db in
            let digest = try Self.digest(kind, Data(id.utf8), db)
            try db.execute(
                sql: "UPDATE suppression SET isSuppressed = 0 WHERE isSuppressed AND (digest = ?1 OR person = ?1)",
                arguments: [digest])
            let count = db.changesCount
            try db.execute(sql: "DELETE FROM suppression WHERE NOT isSuppressed AND erasedThrough = 0")
            if count > 0 { try Self.log(db, Self.entry(.suppressionEnded, digest, [:]), by: administrator, now: now) }
            return count
        }
    }

    package func suppression(_ kind: SuppressionList.Kind, _ id: String) async throws -> Suppression? {
        try await pool.read { db in try Self.suppression(Self.digest(kind, Data(id.utf8), db), db) }
    }

    /// The entries, in the order of their digests.
    package func suppressions(after digest: Data, limit: Int) async throws -> [Suppression] {
        try await pool.read { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM suppression WHERE digest > ? ORDER BY digest LIMIT ?",
                arguments: [digest, limit]
            ).map(Self.suppression)
        }
    }

    // MARK: Rows

    package static func digest(_ kind: SuppressionList.Kind, _ id: Data, _ db: Database) throws -> Data {
        SuppressionList.digest(kind, id, secret: try healthKey(db))
    }

    /// A stronger mark that is there already stays.
    private static func put(
        _ digest: Data, _ kind: SuppressionList.Kind, person: Data, _ mark: SuppressionList.Mark, reason: String,
        by administrator: Administrator, now: Int64, _ db: Database
    ) throws {
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM suppression") ?? 0
        guard count < Limits.suppressions else {
            throw Refusal(.conflict, "at most \(Limits.suppressions) users and devices can be suppressed or erased")
        }
        try db.execute(
            sql: """
                INSERT INTO suppression (digest, kind, person, isSuppressed, erasedThrough, reason, administrator, at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (digest) DO UPDATE SET
                    isSuppressed = max(isSuppressed, excluded.isSuppressed),
                    erasedThrough = max(erasedThrough, excluded.erasedThrough), reason = excluded.reason,
                    administrator = excluded.administrator, at = excluded.at
                """,
            arguments: [
                digest, kind.rawValue, person, mark.isSuppressed, mark.erasedThrough, reason,
                administrator.token ?? administrator.way.rawValue, now,
            ])
    }

    private static func suppression(_ digest: Data, _ db: Database) throws -> Suppression? {
        try Row.fetchOne(db, sql: "SELECT * FROM suppression WHERE digest = ?", arguments: [digest]).map(suppression)
    }

    private static func suppression(_ row: Row) throws -> Suppression {
        Suppression(
            digest: try row.decode(forColumn: "digest"),
            kind: SuppressionList.Kind(rawValue: try row.decode(forColumn: "kind")) ?? .user, mark: try mark(row),
            reason: try row.decode(forColumn: "reason"), administrator: try row.decode(forColumn: "administrator"),
            at: try row.decode(forColumn: "at"))
    }

    private static func mark(_ row: Row) throws -> SuppressionList.Mark {
        SuppressionList.Mark(
            isSuppressed: try row.decode(forColumn: "isSuppressed"),
            erasedThrough: try row.decode(forColumn: "erasedThrough"))
    }

    private static func entry(_ action: AuditEntry.Action, _ digest: Data, _ more: JSONObject) -> AuditEntry {
        var details: JSONObject = ["digest": .string(digest.hexadecimal)]
        for (name, value) in more { details[name] = value }
        return AuditEntry(action: action, details: details)
    }
}
