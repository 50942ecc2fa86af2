import Foundation
import GRDB

extension Store {
    /// The digest of the admin token; nil before the first start.
    func adminToken() throws -> Data? {
        try pool.read { db in try Data.fetchOne(db, sql: "SELECT token FROM administrator") }
    }

    /// Replaces the admin token and ends all logins. Named tokens stay valid.
    func setAdminToken(_ digest: Data, now: Int64) throws {
        try pool.write { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO administrator (id, token, changedAt) VALUES (1, ?, ?)",
                arguments: [digest, now])
            try db.execute(sql: "DELETE FROM login")
            try Self.log(db, AuditEntry(action: .tokenReplaced), by: .server, now: now)
        }
    }

    /// When each login was used last and the name of its token, by the digest of its secret.
    func logins() throws -> [Data: (usedAt: Int64, token: String?)] {
        try pool.read { db in
            let rows = try Row.fetchAll(db, sql: "SELECT secret, usedAt, token FROM login")
            return Dictionary(rows.map { ($0["secret"], ($0["usedAt"], $0["token"])) }) { first, _ in first }
        }
    }

    /// Keeps when a login was used, and the name of its token; nil forgets it.
    func setLogin(_ secret: Data, _ login: (usedAt: Int64, token: String?)?) async throws {
        try await pool.write { db in
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
