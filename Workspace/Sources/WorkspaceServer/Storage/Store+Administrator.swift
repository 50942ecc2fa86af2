import Foundation
import GRDB

extension Store {
    /// The digest of the admin token; nil before the first start.
    func adminToken() throws -> Data? {
        try pool.read { db in try Data.fetchOne(db, sql: "SELECT token FROM administrator") }
    }

    /// Replaces the admin token. Who logged in with the one before is logged out.
    func setAdminToken(_ digest: Data, now: Int64) throws {
        try pool.write { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO administrator (id, token, changedAt) VALUES (1, ?, ?)",
                arguments: [digest, now])
            try db.execute(sql: "DELETE FROM login")
            try Self.log(db, AuditEntry(action: .tokenReplaced), by: .server, now: now)
        }
    }

    /// When each login was used last, by the digest of its secret.
    func logins() throws -> [Data: Int64] {
        try pool.read { db in
            let rows = try Row.fetchAll(db, sql: "SELECT secret, usedAt FROM login")
            return Dictionary(rows.map { ($0["secret"], $0["usedAt"]) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// Keeps when a login was used; nil forgets it.
    func setLogin(_ secret: Data, usedAt: Int64?) async throws {
        try await pool.write { db in
            if let usedAt {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO login (secret, usedAt) VALUES (?, ?)", arguments: [secret, usedAt])
            } else {
                try db.execute(sql: "DELETE FROM login WHERE secret = ?", arguments: [secret])
            }
        }
    }
}
