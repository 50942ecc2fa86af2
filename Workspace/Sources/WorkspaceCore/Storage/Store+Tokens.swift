import Foundation
package import GRDB
import TributaryJSON

extension Store {
    package func namedTokens() throws -> [NamedToken] { try pool.read(Self.namedTokens) }

    package static func namedTokens(_ db: Database) throws -> [NamedToken] {
        try Row.fetchAll(db, sql: "SELECT * FROM namedToken").compactMap(token)
    }

    /// Nil for a role that this program does not know: such a token allows nothing.
    private static func token(_ row: Row) throws -> NamedToken? {
        guard let role = Role(rawValue: try row.decode(forColumn: "role")) else { return nil }
        return NamedToken(
            name: try row.decode(forColumn: "name"), role: role, digest: try row.decode(forColumn: "digest"),
            createdAt: try row.decode(forColumn: "createdAt"), usedAt: try row.decode(forColumn: "usedAt"))
    }

    /// - Throws: `Refusal` with 409 when the name is taken or there are too many.
    package func addToken(_ token: NamedToken) async throws {
        let administrator = Administrator.current
        try await change { db in
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM namedToken") ?? 0
            guard count < Limits.namedTokens else {
                throw Refusal(.conflict, "there are \(Limits.namedTokens) tokens already; revoke one first")
            }
            let isTaken = "SELECT EXISTS (SELECT 1 FROM namedToken WHERE name = ?)"
            guard try Bool.fetchOne(db, sql: isTaken, arguments: [token.name]) == false else {
                throw Refusal(.conflict, "there is a token \(token.name) already; revoke it first")
            }
            try db.execute(
                sql: "INSERT INTO namedToken (name, role, digest, createdAt) VALUES (?, ?, ?, ?)",
                arguments: [token.name, token.role.rawValue, token.digest, token.createdAt])
            let details: JSONObject = ["name": .string(token.name), "role": .string(token.role.rawValue)]
            try Self.log(
                db, AuditEntry(action: .tokenMade, details: details), by: administrator, now: token.createdAt)
        }
    }

    /// Removes a token with the logins that were made with it.
    /// - Throws: `Refusal` with 404 when there is no such token.
    package func removeToken(named name: String, now: Int64) async throws {
        let administrator = Administrator.current
        try await change { db in
            try db.execute(sql: "DELETE FROM namedToken WHERE name = ?", arguments: [name])
            guard db.changesCount > 0 else { throw Refusal.notFound("there is no token \(name)") }
            let entry = AuditEntry(action: .tokenRevoked, details: ["name": .string(name)])
            try Self.log(db, entry, by: administrator, now: now)
        }
    }

    /// Keeps when a token was used.
    package func setUse(of token: NamedToken) async throws {
        try await change { db in
            try db.execute(
                sql: "UPDATE namedToken SET usedAt = ? WHERE name = ?", arguments: [token.usedAt, token.name])
        }
    }
}
