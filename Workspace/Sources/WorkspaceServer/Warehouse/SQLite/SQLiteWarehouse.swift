import Foundation
import GRDB
import Synchronization
package import TributaryJSON
import WorkspaceCore

/// The events of one source in the layout of a warehouse, as tables of an SQLite database that one process fills and asks.
///
/// A column holds values of the types that JSON has: true and false are 1 and 0, times are texts that SQLite's functions for
/// dates take.
package final class SQLiteWarehouse: Sendable {
    /// The rows that a query gave.
    package struct Answer: Sendable {
        package let columns: [String]
        package let rows: [[JSON]]
        /// Whether there were more rows than the query may give.
        package let isCut: Bool
    }

    /// A table, for people who write a query.
    package struct Table: Sendable, Equatable {
        package let name: String
        package let rows: Int
        package let columns: [String]
    }

    /// Why a query gave no answer.
    package struct QueryError: Error, CustomStringConvertible {
        package let description: String
    }

    private struct Shape {
        var layout = WarehouseLayout()
        var schema = WarehouseSchema()
        var events = 0
    }

    /// How many events came into it.
    package var events: Int { shape.withLock(\.events) }
    private let queue: DatabaseQueue
    private let shape = Mutex(Shape())

    /// - Parameter path: the file of the database, which does not exist yet; empty for one that ends with the process.
    package init(path: String = "") throws {
        var configuration = Configuration()
        configuration.maximumReaderCount = 1
        queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { db in
            // The file is made anew for each run, so a crash may cost it.
            try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        }
        try shape.withLock { shape in
            try queue.write { db in
                for table in WarehouseTable.names.sorted() where table != "accounts" {
                    try Self.change(shape.schema.changes(of: table, to: [:]), &shape.schema, db)
                }
            }
        }
    }

    /// Puts events into their tables.
    /// - Parameter stored: rows of the list of events.
    package func add(_ stored: [JSON]) throws {
        try shape.withLock { shape in
            var batch = WarehouseBatch()
            for row in stored {
                guard let event = ListedEvent.withTimes(row) else { continue }
                batch.add(event, layout: &shape.layout, schema: shape.schema)
            }
            var loads = batch.tables.map { batch.load(of: $0, shape.schema) }
            loads += [batch.identityLoad, batch.sessionLoad { _ in true }]
            try queue.write { db in
                for load in loads { try Self.load(load, &shape.schema, db) }
            }
            shape.events += stored.count
        }
    }

    /// The tables with rows, and their columns in the order in which they came.
    package func tables() throws -> [Table] {
        let names = shape.withLock { $0.schema.tables.keys.sorted() }
        return try queue.read { db in
            try names.compactMap { name in
                let rows = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(Self.quoted(name))") ?? 0
                guard rows > 0 else { return nil }
                return Table(name: name, rows: rows, columns: try db.columns(in: name).map(\.name))
            }
        }
    }

    /// Asks a query.
    /// - Parameters:
    ///   - limit: the most rows that it gives.
    ///   - seconds: how long it may take.
    /// - Throws: `QueryError` for a text that is no query, that changes something, or that takes too long.
    package func answer(_ sql: String, limit: Int, seconds: Double) async throws -> Answer {
        let end = Task { [queue] in
            try await Task.sleep(for: .seconds(seconds))
            queue.interrupt()
        }
        defer { end.cancel() }
        do {
            return try await queue.read { db in try Self.answer(sql, limit: limit, db) }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            throw QueryError(description: "the query took longer than \(Int(seconds)) seconds")
        } catch let error as DatabaseError {
            throw QueryError(description: error.message ?? "\(error)")
        }
    }

    /// Finds what is wrong with a query whatever the tables hold. Tables and columns that are missing may come with events.
    /// - Throws: `QueryError`.
    package func check(_ sql: String) throws {
        do {
            _ = try queue.read { db in try Self.statement(sql, db) }
        } catch let error as DatabaseError {
            let message = error.message ?? "\(error)"
            guard !message.hasPrefix("no such table"), !message.hasPrefix("no such column") else { return }
            throw QueryError(description: message)
        }
    }

    private static func answer(_ sql: String, limit: Int, _ db: Database) throws -> Answer {
        let statement = try statement(sql, db)
        var rows: [[JSON]] = []
        let cursor = try Row.fetchCursor(statement)
        while let row = try cursor.next() {
            guard rows.count < limit else { return Answer(columns: statement.columnNames, rows: rows, isCut: true) }
            rows.append(row.databaseValues.map(json))
        }
        return Answer(columns: statement.columnNames, rows: rows, isCut: false)
    }

    private static func statement(_ sql: String, _ db: Database) throws -> Statement {
        let onlyReads = QueryError(description: "a query only reads: it begins with SELECT, WITH or VALUES")
        guard !sql.allSatisfy(\.isWhitespace) else { throw onlyReads }
        let statement = try db.makeStatement(sql: sql)
        guard statement.isReadonly, statement.columnCount > 0 else { throw onlyReads }
        return statement
    }

    private static func json(_ value: DatabaseValue) -> JSON {
        switch value.storage {
        case .null: .null
        case .int64(let number): .number(JSONNumber(number))
        case .double(let number): JSONNumber(number).map(JSON.number) ?? .string("\(number)")
        case .string(let text): .string(text)
        case .blob(let data): .string(data.map { String(format: "%02x", $0) }.joined())
        }
    }

    // MARK: Tables

    private static func change(
        _ changes: [WarehouseSchema.Change], _ schema: inout WarehouseSchema, _ db: Database
    ) throws {
        for change in changes {
            switch change {
            case .make(let table, let columns): try make(table, columns, db)
            case .add(let table, let column, _):
                try db.execute(sql: "ALTER TABLE \(quoted(table)) ADD COLUMN \(quoted(column))")
            // A column takes values of every type.
            case .widen: break
            }
            schema.apply(change)
        }
    }

    private static func make(_ table: String, _ columns: [String: WarehouseType], _ db: Database) throws {
        let first = WarehouseTable.columns(of: table).map(\.name)
        let names = first + columns.keys.filter { !first.contains($0) }.sorted()
        let key = WarehouseTable.key(of: table).map(quoted).joined(separator: ", ")
        let list = names.map(quoted).joined(separator: ", ")
        try db.execute(sql: "CREATE TABLE \(quoted(table)) (\(list), PRIMARY KEY (\(key))) WITHOUT ROWID")
    }

    private static func load(_ load: WarehouseLoad, _ schema: inout WarehouseSchema, _ db: Database) throws {
        guard !load.rows.isEmpty else { return }
        let columns = Dictionary(load.columns.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
        try change(schema.changes(of: load.table, to: columns), &schema, db)
        let statement = try db.makeStatement(sql: insertion(load))
        for row in load.rows {
            let values = zip(load.columns, row).map { column, text in text.flatMap { value($0, column.type) } }
            try statement.execute(arguments: StatementArguments(values))
        }
    }

    /// Rows that come again change what is there, as in the other warehouses: events stay as they are.
    private static func insertion(_ load: WarehouseLoad) -> String {
        let key = WarehouseTable.key(of: load.table)
        let names = load.columns.map(\.name)
        let head =
            "INSERT INTO \(quoted(load.table)) (\(names.map(quoted).joined(separator: ", "))) "
            + "VALUES (\(names.map { _ in "?" }.joined(separator: ", "))) "
        let others = names.filter { !key.contains($0) }.map(quoted)
        let conflict = "ON CONFLICT (\(key.map(quoted).joined(separator: ", "))) DO "
        func update(_ value: (String) -> String) -> String {
            head + conflict + "UPDATE SET " + others.map { "\($0) = \(value($0))" }.joined(separator: ", ")
        }
        switch load.table {
        case WarehouseTable.users: return update { "coalesce(excluded.\($0), \($0))" }
        case WarehouseTable.identities, WarehouseTable.sessions:
            return update { column in
                switch column {
                case "\"first_seen_at\"", "\"started_at\"": "min(\(column), excluded.\(column))"
                case "\"last_seen_at\"", "\"ended_at\"": "max(\(column), excluded.\(column))"
                case "\"events\"": "\(column) + excluded.\(column)"
                default: "coalesce(excluded.\(column), \(column))"
                }
            }
        default: return head + conflict + "NOTHING"
        }
    }

    private static func value(_ text: String, _ type: WarehouseType) -> (any DatabaseValueConvertible)? {
        switch type {
        case .boolean: text == "true"
        case .bigint: Int64(text)
        case .double: Double(text)
        case .timestamp, .text, .json: text
        }
    }

    private static func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }
}
