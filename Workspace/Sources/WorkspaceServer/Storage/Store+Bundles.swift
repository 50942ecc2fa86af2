import Foundation
import GRDB

extension Store {
    /// All versions of a source's live plugins, newest first.
    func bundles(source: Int64) async throws -> [BundleVersion] {
        try await pool.read { db in
            let sql = "SELECT version, sha256, bytes, deployedAt FROM bundle WHERE source = ? ORDER BY version DESC"
            return try Row.fetchAll(db, sql: sql, arguments: [source]).map(BundleVersion.init(row:))
        }
    }

    /// The text of one version.
    func bundleText(source: Int64, version: Int64) async throws -> (text: Data, sha256: String)? {
        try await pool.read { db in
            let sql = "SELECT body, sha256 FROM bundle WHERE source = ? AND version = ?"
            return try Row.fetchOne(db, sql: sql, arguments: [source, version]).map { row in
                (try row.decode(Data.self, forColumn: "body"), try row.decode(String.self, forColumn: "sha256"))
            }
        }
    }

    /// Adds the next version. The same text again is a new version too: that is how a rollback is done.
    static func insertBundle(_ db: Database, source: Int64, text: Data, sha256: String, now: Int64) throws {
        try db.execute(
            sql: """
                INSERT INTO bundle (source, version, sha256, bytes, deployedAt, body)
                SELECT ?, ifnull(max(version), 0) + 1, ?, ?, ?, ? FROM bundle WHERE source = ?
                """,
            arguments: [source, sha256, text.count, now, text, source])
    }
}
