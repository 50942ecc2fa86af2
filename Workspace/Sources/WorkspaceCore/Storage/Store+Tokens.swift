import Foundation
package import GRDB
import TributaryJSON

extension Store {
    package func namedTokens() throws -> [NamedToken] { try pool.read(Self.namedTokens) }

    package static func namedTokens(_ db: Database) throws -> [NamedToken] {
        try Row.fetchAll(db, sql: "SELECT * FROM namedToken").compactMap(token)
    }

    /// Stands before the role of a token with limits. A node of a version before them knows no such role, so there the token
    /// allows nothing, instead of all that its role allows.
    private static let limited = "limited "

    /// Nil for what this program does not know, a role or a limit: such a token allows nothing.
    private static func token(_ row: Row) throws -> NamedToken? {
        let text = try row.decode(String.self, forColumn: "role")
        let isLimited = text.hasPrefix(limited)
        guard let role = Role(rawValue: isLimited ? String(text.dropFirst(limited.count)) : text),
            let personalData = Sight.PersonalData(rawValue: try row.decode(forColumn: "personalData"))
        else { return nil }
        var sources: Set<Int64>?
        if let list = try row.decode(String?.self, forColumn: "sources") {
            guard let numbers = try? JSON.parse(Array(list.utf8)).elements?.map(\.intValue), !numbers.contains(nil)
            else {
                return nil
            }
            sources = Set(numbers.compactMap { $0.map(Int64.init) })
        }
        let token = NamedToken(
            name: try row.decode(forColumn: "name"), role: role,
            sight: Sight(sources: sources, personalData: personalData), digest: try row.decode(forColumn: "digest"),
            createdAt: try row.decode(forColumn: "createdAt"), endsAt: try row.decode(forColumn: "endsAt"),
            usedAt: try row.decode(forColumn: "usedAt"))
        // Limits that were lost with damage must not make a token that has none.
        return isLimited == token.isLimited ? token : nil
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
                sql: """
                    INSERT INTO namedToken (name, role, digest, createdAt, sources, personalData, endsAt)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    token.name, (token.isLimited ? Self.limited : "") + token.role.rawValue, token.digest,
                    token.createdAt, Self.list(token.sight.sources), token.sight.personalData.rawValue, token.endsAt,
                ])
            var details: JSONObject = ["name": .string(token.name), "role": .string(token.role.rawValue)]
            if let sources = token.sight.sources {
                let names = try Self.writeKeys(db)
                details["sources"] = .array(sources.compactMap { names[$0] }.sorted().map(JSON.string))
            }
            if token.sight.personalData == .hidden { details["personalData"] = "hidden" }
            if let endsAt = token.endsAt { details["endsAt"] = .time(endsAt) }
            try Self.log(
                db, AuditEntry(action: .tokenMade, details: details), by: administrator, now: token.createdAt)
        }
    }

    private static func list(_ numbers: Set<Int64>?) -> String? {
        numbers.map { "[" + $0.sorted().map(String.init).joined(separator: ",") + "]" }
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

extension NamedToken {
    /// Whether it has limits besides its role.
    fileprivate var isLimited: Bool { !sight.isAll || endsAt != nil }
}
