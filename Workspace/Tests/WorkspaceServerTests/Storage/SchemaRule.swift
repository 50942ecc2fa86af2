import Foundation
import GRDB

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

/// What the steps of a schema have to keep to, so that nodes of two versions can share settings.
struct SchemaRule {
    let history: SchemaHistory
    private let folder: TemporaryFolder

    init(_ history: SchemaHistory) throws { (self.history, folder) = (history, try TemporaryFolder()) }

    /// What breaks the rule: nothing, or a sentence for each table and each older version.
    func violations() async throws -> [String] {
        var all: [String] = []
        for version in history.readable.dropLast() {
            all += try await violations(since: history.through(version)).map { "version \(version): \($0)" }
        }
        return all
    }

    private func violations(since before: SchemaHistory) async throws -> [String] {
        let old = try pool("old-\(before.version)", before)
        // Later versions may share more tables. A node of before has none of their rows.
        let names = try await old.read { db in try SettingsTables.shared.filter { try db.tableExists($0) } }
        try await old.write { db in try Self.fill(names, db) }
        let content = try await SettingsRecording.content(of: old, tables: names)
        let tables = try await old.read { db in try names.map { try Table($0, db) } }
        try old.close()
        let updated = try pool("old-\(before.version)", history)
        let new = try pool("new-\(before.version)", history)
        var violations: [String] = []
        for table in tables { violations += try await new.read { try table.violations(in: Table(table.name, $0)) } }
        do {
            try await new.write { db in try SettingsRecording.replace(by: content, db) }
        } catch {
            return violations + ["what it changed does not fit: \(error)"]
        }
        let (here, there) = (try updated.read(SettingsRecording.rows), try new.read(SettingsRecording.rows))
        for table in SettingsTables.shared where here[table] != there[table] {
            violations.append("a folder that is brought up to date has other rows in \(table) than one that joins")
        }
        return violations
    }

    private func pool(_ name: String, _ history: SchemaHistory) throws -> DatabasePool {
        try DurablePool.open(
            "\(folder.path)/\(name).sqlite", label: name, readers: 1, cacheKilobytes: 1_000, formats: history.readable,
            prepare: history.prepare)
    }

    /// Two rows for each table, or one where there is room for one. Those of roll-outs would have to be real ones.
    private static func fill(_ names: [String], _ db: Database) throws {
        for table in names.reversed() where table != "rollout" {
            let columns = try db.columns(in: table)
            for number in 1...2 {
                let values: [(any DatabaseValueConvertible)?] = columns.map { column in
                    // Keys of other tables are numbers, but for the name of a token.
                    switch column.type {
                    case "INTEGER": number
                    case "TEXT": "text-\(number)"
                    default: Data([UInt8(number)])
                    }
                }
                let marks = columns.map { _ in "?" }.joined(separator: ", ")
                try db.execute(
                    sql: "INSERT OR IGNORE INTO \(table) VALUES (\(marks))", arguments: StatementArguments(values))
            }
        }
    }

    /// What changes of a table depend on.
    private struct Table {
        let name: String
        let columns: [ColumnInfo]
        let uniqueKeys: Set<[String]>
        let references: Set<String>
        let triggers: [String]

        init(_ name: String, _ db: Database) throws {
            self.name = name
            columns = try db.columns(in: name)
            uniqueKeys = Set(try db.indexes(on: name).filter(\.isUnique).map(\.columns))
            references = Set(
                try db.foreignKeys(on: name).map {
                    "\($0.originColumns) \($0.destinationTable) \($0.destinationColumns)"
                })
            triggers = try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?", arguments: [name])
        }

        func violations(in newer: Table) throws -> [String] {
            var violations: [String] = []
            func text(_ column: ColumnInfo) -> String {
                "\(column.name) \(column.type) \(column.isNotNull) \(column.primaryKeyIndex)"
            }
            if newer.columns.prefix(columns.count).map(text) != columns.map(text) {
                violations.append("\(name) does not begin with the same columns")
            }
            for column in newer.columns.dropFirst(columns.count)
            where column.primaryKeyIndex > 0 || column.isNotNull && column.defaultValueSQL == nil {
                violations.append("\(name).\(column.name) has no value when an older version makes a row")
            }
            if newer.uniqueKeys != uniqueKeys { violations.append("\(name) has other unique keys") }
            if newer.references != references { violations.append("\(name) has other references") }
            if newer.triggers != triggers { violations.append("\(name) has other triggers") }
            return violations
        }
    }
}

extension SchemaHistory {
    /// This history as the program had it that made a version.
    func through(_ version: Int) -> SchemaHistory {
        SchemaHistory(oldest: oldest, tables: tables, steps: Array(steps.prefix(version - oldest)))
    }

    /// This history with one more version.
    func next(_ step: String) -> SchemaHistory { SchemaHistory(oldest: oldest, tables: tables, steps: steps + [step]) }
}
