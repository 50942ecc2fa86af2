package import Foundation
package import GRDB

extension Store {
    /// The digest of the admin token; nil before the first start.
    package func adminToken() throws -> Data? { try pool.read(Self.adminToken) }

    package static func adminToken(_ db: Database) throws -> Data? {
        try Data.fetchOne(db, sql: "SELECT token FROM administrator")
    }

    /// Replaces the admin token and ends all logins, before the server runs on one machine. Named tokens stay valid.
    package func setAdminToken(_ digest: Data, now: Int64) throws {
        try settings.changeNow { db in try Self.setAdminToken(digest, now: now, db) }
    }

    /// Does what `setAdminToken` does, also in a cluster.
    package func replaceAdminToken(by digest: Data, now: Int64) async throws {
        try await change { db in try Self.setAdminToken(digest, now: now, db) }
    }

    private static func setAdminToken(_ digest: Data, now: Int64, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO administrator (id, token, changedAt) VALUES (1, ?, ?)",
            arguments: [digest, now])
        try db.execute(sql: "DELETE FROM login")
        try db.execute(sql: "DELETE FROM personLogin")
        try log(db, AuditEntry(action: .tokenReplaced), by: .server, now: now)
    }

    /// Who may use the administration, as it stands at one moment.
    package func access() async throws -> (
        token: Data?, tokens: [NamedToken], logins: [Data: (usedAt: Int64, token: String?)],
        persons: [Data: PersonLogin]
    ) {
        try await pool.read { db in
            (try Self.adminToken(db), try Self.namedTokens(db), try Self.logins(db), try Self.personLogins(db))
        }
    }

    /// When each login was used last and the name of its token, by the digest of its secret.
    package func logins() throws -> [Data: (usedAt: Int64, token: String?)] { try pool.read(Self.logins) }

    package static func logins(_ db: Database) throws -> [Data: (usedAt: Int64, token: String?)] {
        let rows = try Row.fetchAll(db, sql: "SELECT secret, usedAt, token FROM login")
        return Dictionary(rows.map { ($0["secret"], ($0["usedAt"], $0["token"])) }) { first, _ in first }
    }

    /// Keeps when a login was used, and the name of its token; nil forgets it.
    package func setLogin(_ secret: Data, _ login: (usedAt: Int64, token: String?)?) async throws {
        try await change { db in
            if let login {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO login (secret, usedAt, token) VALUES (?, ?, ?)",
                    arguments: [secret, login.usedAt, login.token])
            } else {
                try db.execute(sql: "DELETE FROM login WHERE secret = ?", arguments: [secret])
            }
        }
    }
}
