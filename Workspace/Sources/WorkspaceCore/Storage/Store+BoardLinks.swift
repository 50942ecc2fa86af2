package import Foundation
import GRDB
import TributaryJSON

extension Store {
    /// The links to the board by name, with those that are over.
    package func boardLinks() async throws -> [BoardLink] {
        try await pool.read { db in try Row.fetchAll(db, sql: "SELECT * FROM boardLink ORDER BY name").map(Self.link) }
    }

    /// The link with a token of that digest; nil when there is none, or it was revoked.
    package func boardLink(_ digest: Data) async throws -> BoardLink? {
        try await pool.read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM boardLink WHERE digest = ?", arguments: [digest]).map(Self.link)
        }
    }

    /// - Throws: `Refusal` with 409 when the name is taken or there are too many.
    package func addBoardLink(_ link: BoardLink) async throws {
        let administrator = Administrator.current
        try await change { db in
            guard try Int.fetchOne(db, sql: "SELECT count(*) FROM boardLink") ?? 0 < Limits.boardLinks else {
                throw Refusal(.conflict, "there are \(Limits.boardLinks) links already; revoke one first")
            }
            let isTaken = "SELECT EXISTS (SELECT 1 FROM boardLink WHERE name = ?)"
            guard try Bool.fetchOne(db, sql: isTaken, arguments: [link.name]) == false else {
                throw Refusal(.conflict, "there is a link \(link.name) already; revoke it first")
            }
            try db.execute(
                sql: "INSERT INTO boardLink (digest, name, createdAt, endsAt) VALUES (?, ?, ?, ?)",
                arguments: [link.digest, link.name, link.createdAt, link.endsAt])
            let entry = AuditEntry(
                action: .boardLinkMade, details: ["name": .string(link.name), "endsAt": .time(link.endsAt)])
            try Self.log(db, entry, by: administrator, now: link.createdAt)
        }
    }

    /// - Throws: `Refusal` with 404 when there is no such link.
    package func removeBoardLink(named name: String, now: Int64) async throws {
        let administrator = Administrator.current
        try await change { db in
            try db.execute(sql: "DELETE FROM boardLink WHERE name = ?", arguments: [name])
            guard db.changesCount > 0 else { throw Refusal.notFound("there is no link \(name)") }
            let entry = AuditEntry(action: .boardLinkRevoked, details: ["name": .string(name)])
            try Self.log(db, entry, by: administrator, now: now)
        }
    }

    /// Keeps when a link was used.
    package func setUse(of link: BoardLink) async throws {
        try await change { db in
            try db.execute(
                sql: "UPDATE boardLink SET usedAt = ? WHERE digest = ?", arguments: [link.usedAt, link.digest])
        }
    }

    private static func link(_ row: Row) throws -> BoardLink {
        BoardLink(
            name: try row.decode(forColumn: "name"), digest: try row.decode(forColumn: "digest"),
            createdAt: try row.decode(forColumn: "createdAt"), endsAt: try row.decode(forColumn: "endsAt"),
            usedAt: try row.decode(forColumn: "usedAt"))
    }
}
