import Crypto
import Foundation
import GRDB
package import TributaryJSON

extension Store {
    /// All versions of a source's filter rules, newest first.
    package func filterSets(source: Int64) async throws -> [FilterSet] {
        try await pool.read { db in
            let sql = """
                SELECT version, sha256, count, deployedAt, percentage FROM filterSet
                WHERE source = ? ORDER BY version DESC
                """
            return try Row.fetchAll(db, sql: sql, arguments: [source]).map { try FilterSet(row: $0) }
        }
    }

    /// The rules of one version; nil when there is no such version.
    package func filterRules(source: Int64, version: Int64) async throws -> JSON? {
        try await pool.read { db in
            let sql = "SELECT body FROM filterSet WHERE source = ? AND version = ?"
            return try Data.fetchOne(db, sql: sql, arguments: [source, version]).map { try JSON.parse([UInt8]($0)) }
        }
    }

    /// Adds the next version.
    /// - Returns: the SHA-256 of the rules.
    @discardableResult
    static func insertFilters(
        _ db: Database, source: Int64, rules: JSON, percentage: Int, now: Int64
    ) throws -> String {
        let body = Data(rules.encoded())
        let sha256 = SHA256.hash(data: body).hexadecimal
        try db.execute(
            sql: """
                INSERT INTO filterSet (source, version, sha256, count, deployedAt, body, percentage)
                SELECT ?, ifnull(max(version), 0) + 1, ?, ?, ?, ?, ? FROM filterSet WHERE source = ?
                """,
            arguments: [source, sha256, rules.elements?.count ?? 0, now, body, percentage, source])
        return sha256
    }

    /// Adds an older version once more, as the next one; version 0 has no rules.
    static func repeatFilters(_ db: Database, source: Int64, version: Int64, now: Int64) throws {
        guard version > 0 else {
            try insertFilters(db, source: source, rules: [], percentage: 100, now: now)
            return
        }
        try db.execute(
            sql: """
                INSERT INTO filterSet (source, version, sha256, count, deployedAt, body)
                SELECT source, (SELECT max(version) + 1 FROM filterSet WHERE source = ?), sha256, count, ?, body
                FROM filterSet WHERE source = ? AND version = ?
                """,
            arguments: [source, now, source, version])
    }

    /// Gives a version to more devices.
    static func setFilterPercentage(_ db: Database, source: Int64, version: Int64, percentage: Int) throws {
        try db.execute(
            sql: "UPDATE filterSet SET percentage = ? WHERE source = ? AND version = ?",
            arguments: [percentage, source, version])
    }
}
