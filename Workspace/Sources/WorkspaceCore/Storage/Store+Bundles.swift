package import Foundation
import GRDB

extension Store {
    /// All versions of a source's live plugins, newest first.
    package func bundles(source: Int64) async throws -> [BundleVersion] {
        try await pool.read { db in
            let sql = """
                SELECT version, sha256, bytes, deployedAt, signature, percentage, place FROM bundle
                WHERE source = ? ORDER BY version DESC
                """
            return try Row.fetchAll(db, sql: sql, arguments: [source]).map { try BundleVersion(row: $0) }
        }
    }

    /// The log of a source's deployments: all versions, oldest first.
    package func bundleLog(source: Int64) async throws -> [BundleLog.Entry] {
        try await pool.read { db in
            let sql = "SELECT version, sha256 FROM bundle WHERE source = ? ORDER BY version"
            return try Row.fetchAll(db, sql: sql, arguments: [source]).map { row in
                BundleLog.Entry(
                    version: try row.decode(Int64.self, forColumn: "version"),
                    sha256: try row.decode(String.self, forColumn: "sha256"))
            }
        }
    }

    /// The text of one version.
    package func bundleText(source: Int64, version: Int64) async throws -> (text: Data, sha256: String)? {
        try await pool.read { db in
            let sql = "SELECT body, sha256 FROM bundle WHERE source = ? AND version = ?"
            return try Row.fetchOne(db, sql: sql, arguments: [source, version]).map { row in
                (try row.decode(Data.self, forColumn: "body"), try row.decode(String.self, forColumn: "sha256"))
            }
        }
    }

    /// Adds the next version; the text and the signature are kept together.
    static func insertBundle(
        _ db: Database, source: Int64, text: Data, sha256: String, signature: String?, percentage: Int,
        place: PluginPlace, now: Int64
    ) throws {
        try db.execute(
            sql: """
                INSERT INTO bundle (source, version, sha256, bytes, deployedAt, body, signature, percentage, place)
                SELECT ?, ifnull(max(version), 0) + 1, ?, ?, ?, ?, ?, ?, ? FROM bundle WHERE source = ?
                """,
            arguments: [source, sha256, text.count, now, text, signature, percentage, place.rawValue, source])
    }

    /// Adds an older version once more, as the next one.
    static func repeatBundle(_ db: Database, source: Int64, version: Int64, now: Int64) throws {
        try db.execute(
            sql: """
                INSERT INTO bundle (source, version, sha256, bytes, deployedAt, body, signature, place)
                SELECT source, (SELECT max(version) + 1 FROM bundle WHERE source = ?), sha256, bytes, ?, body, signature,
                    place
                FROM bundle WHERE source = ? AND version = ?
                """,
            arguments: [source, now, source, version])
    }

    /// Gives a version to more devices.
    static func setPercentage(_ db: Database, source: Int64, version: Int64, percentage: Int) throws {
        try db.execute(
            sql: "UPDATE bundle SET percentage = ? WHERE source = ? AND version = ?",
            arguments: [percentage, source, version])
    }
}
