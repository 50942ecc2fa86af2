import Foundation
import GRDB
import TributaryJSON
import WorkspaceCore

/// Copies the readable rows of a damaged database into an intact one with the same schema.
struct Salvage {
    /// The result for a table.
    struct Table: Sendable, Equatable {
        let name: String
        /// Rows that were saved or were already there.
        let saved: Int
        /// Rows that the table had, as far as the file still shows it.
        let expected: Int
        var lost: Int { expected - saved }
    }

    private let db: Database
    private let shapes: [RecordShape]
    private var saved: [String: Set<Int64>] = [:]
    private var savedWithoutNumber: [String: Int] = [:]

    /// - Parameter db: the intact database. Its own rows stay as they are.
    init(into db: Database) throws {
        self.db = db
        shapes = try RecordShape.all(db)
    }

    /// Copies some tables.
    /// - Throws: an error of the intact database; damage of the other one never throws.
    mutating func copy(_ tables: [String], from pages: SQLitePages) throws -> [Table] {
        var recovery = SQLiteRecovery(pages, shapes: shapes)
        let expected = try recovery.forEachRow { row in
            guard tables.contains(row.shape.table), Self.isUsable(row) else { return }
            try insert(row)
        }
        return tables.map { name in
            let saved = saved[name]?.count ?? savedWithoutNumber[name] ?? 0
            return Table(name: name, saved: saved, expected: max(saved, expected[name] ?? 0))
        }
    }

    private mutating func insert(_ row: SQLiteRecovery.FoundRow) throws {
        let columns = row.shape.columns.prefix(row.values.count).map(\.name).joined(separator: ", ")
        let marks = row.values.map { _ in "?" }.joined(separator: ", ")
        let statement = try BoundStatement(
            db, sql: "INSERT OR IGNORE INTO \(row.shape.table) (\(columns)) VALUES (\(marks))")
        for (index, value) in row.values.enumerated() {
            try statement.bind(index == row.shape.rowidColumn ? .integer(row.rowid) : value, at: Int32(index + 1))
        }
        try statement.run()
        if row.shape.hasRowids {
            saved[row.shape.table, default: []].insert(row.rowid)
        } else {
            savedWithoutNumber[row.shape.table, default: 0] += db.changesCount
        }
    }

    // MARK: Conditions for a row

    /// Columns that the server reads as JSON: an invalid value would stop a list, or the server's start.
    private static let json: Set<String> = [
        "event.body", "trace.body", "signal.body", "rejected.body", "source.integrations", "filterSet.body",
        "source.policy", "source.plan", "destination.settings", "audit.details", "healthHour.body", "rollout.body",
        "notice.body",
    ]

    private static func isUsable(_ row: SQLiteRecovery.FoundRow) -> Bool {
        zip(row.values, row.shape.columns).allSatisfy { value, column in
            switch value {
            case .text(let bytes): String(bytes: bytes, encoding: .utf8) != nil
            case .bytes(let bytes): !json.contains("\(row.shape.table).\(column.name)") || isJSON(bytes)
            case .null, .integer, .real: true
            }
        }
    }

    private static func isJSON(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { buffer in
            var scanner = JSONScanner(buffer)
            do {
                try scanner.document { scanner throws(JSONError) in _ = try scanner.value() }
                return true
            } catch {
                return false
            }
        }
    }
}

extension BoundStatement {
    fileprivate func bind(_ value: SQLiteValue, at index: Int32) throws {
        switch value {
        case .null: try bind(nil as Int64?, at: index)
        case .integer(let number): try bind(number, at: index)
        case .real(let number): try bind(number, at: index)
        case .text(let bytes): try bind(String(decoding: bytes, as: UTF8.self), at: index)
        case .bytes(let bytes): try bytes.withUnsafeBytes { try bind($0, at: index) }
        }
    }
}

extension [Salvage.Table] {
    /// `events 43,431 of 43,468`, for tables that had rows.
    var described: String {
        let parts = filter { $0.expected > 0 }.map { "\($0.name) \($0.saved) of \($0.expected)" }
        return parts.isEmpty ? "no row could be found" : "saved: " + parts.joined(separator: ", ")
    }

    var lost: Int { reduce(0) { $0 + $1.lost } }
}
