import Foundation
import GRDB
import GRDBSQLite
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
        /// In words; begins with `line L, column C:` when it is about a place in the query.
        package let description: String
        /// Whether a table or a column is missing, which may come with events.
        fileprivate var isAboutTables = false

        init(description: String) { self.description = description }

        /// - Parameters:
        ///   - offset: the place in bytes; below 0 when it is not known.
        ///   - sql: the query.
        fileprivate init(_ error: DatabaseError, at offset: Int, of sql: String) {
            let message = error.message ?? "\(error)"
            isAboutTables = message.hasPrefix("no such table") || message.hasPrefix("no such column")
            guard offset >= 0 else {
                description = message
                return
            }
            let before = String(decoding: sql.utf8.prefix(offset), as: UTF8.self)
            let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
            description = "line \(lines.count), column \((lines.last?.count ?? 0) + 1): \(message)"
        }
    }

    /// Where the tables are.
    package enum Place: Sendable {
        /// In files without names, which end with the process.
        case temporary
        /// In a new file.
        case file(String)
        /// In memory, and never in files.
        case memory
    }

    private struct Shape {
        var layout = WarehouseLayout()
        var schema = WarehouseSchema()
        var events = 0
        /// The tables for which rows came.
        var filled: Set<String> = []
    }

    /// How many events came into it.
    package var events: Int { shape.withLock(\.events) }
    private let queue: DatabaseQueue
    private let shape = Mutex(Shape())
    /// The query in small letters, when only the tables that it names get rows.
    private let only: String?

    /// - Parameters:
    ///   - place: where the tables are.
    ///   - query: only tables that this text names get rows, which saves time and memory; all, unless given.
    package init(_ place: Place = .temporary, onlyTablesOf query: String? = nil) throws {
        var configuration = Configuration()
        configuration.maximumReaderCount = 1
        only = query?.lowercased()
        switch place {
        case .temporary: queue = try DatabaseQueue(path: "", configuration: configuration)
        case .file(let path): queue = try DatabaseQueue(path: path, configuration: configuration)
        case .memory:
            queue = try DatabaseQueue(configuration: configuration)
            try queue.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA temp_store = MEMORY")
                // One value of a query must not fill the memory.
                sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, Int32(Limits.warehouseValue))
            }
        }
        try queue.writeWithoutTransaction { db in
            // The tables are made anew for each run, so a crash may cost them.
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

    /// Bounds the memory of all databases of this process. What needs more fails.
    package static func limitMemory(to bytes: Int) { sqlite3_hard_heap_limit64(Int64(bytes)) }

    /// Puts events into their tables.
    /// - Parameter stored: rows of the list of events.
    /// - Throws: `QueryError` when the tables need more memory than they may have.
    package func add(_ stored: [JSON]) throws {
        do {
            try put(stored)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_NOMEM {
            throw QueryError(description: "the tables of these events need more memory than they may have")
        }
    }

    private func put(_ stored: [JSON]) throws {
        try shape.withLock { shape in
            var batch = WarehouseBatch()
            for row in stored {
                guard let event = ListedEvent.withTimes(row) else { continue }
                batch.add(event, layout: &shape.layout, schema: shape.schema)
            }
            var loads = batch.tables.map { batch.load(of: $0, shape.schema) }
            loads += [batch.identityLoad, batch.sessionLoad { _ in true }]
            try queue.write { db in
                for load in loads where !load.rows.isEmpty {
                    shape.filled.insert(load.table)
                    try Self.widen(load, &shape.schema, db)
                    if only?.contains(load.table.lowercased()) ?? true { try Self.load(load, db) }
                }
            }
            shape.events += stored.count
        }
    }

    /// The tables for which rows came, and their columns in the order in which they came.
    package func columns() throws -> [(table: String, columns: [String])] {
        let names = shape.withLock { $0.filled.sorted() }
        return try queue.read { db in try names.map { ($0, try db.columns(in: $0).map(\.name)) } }
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
            return try await queue.read { db in try Self.answer(sql, limit: limit, bytes: .max, db) }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            throw QueryError(description: "the query took longer than \(Int(seconds)) seconds")
        }
    }

    /// Asks a query, for as long as it takes.
    /// - Parameters:
    ///   - limit: the most rows that it gives.
    ///   - bytes: about how many bytes of values the rows may have together.
    /// - Throws: `QueryError`.
    package func answer(_ sql: String, limit: Int, bytes: Int) throws -> Answer {
        try queue.read { db in try Self.answer(sql, limit: limit, bytes: bytes, db) }
    }

    /// Finds what is wrong with a query whatever the tables hold. Tables and columns that are missing may come with events.
    /// - Throws: `QueryError`.
    package func check(_ sql: String) throws {
        do {
            _ = try queue.read { db in try Self.statement(sql, db) }
        } catch let error as QueryError {
            guard !error.isAboutTables else { return }
            throw error
        }
    }

    private static func answer(_ sql: String, limit: Int, bytes: Int, _ db: Database) throws -> Answer {
        let statement = try statement(sql, db)
        do {
            return try rows(of: statement, limit: limit, bytes: bytes)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_NOMEM {
            throw QueryError(description: "the query needs more memory than it may have")
        } catch let error as DatabaseError where error.resultCode == .SQLITE_TOOBIG {
            throw QueryError(description: "a value has more than \(Limits.warehouseValue) bytes")
        } catch let error as DatabaseError where error.resultCode != .SQLITE_INTERRUPT {
            throw QueryError(description: error.message ?? "\(error)")
        }
    }

    private static func rows(of statement: Statement, limit: Int, bytes: Int) throws -> Answer {
        var rows: [[JSON]] = []
        var left = bytes
        let cursor = try Row.fetchCursor(statement)
        while let row = try cursor.next() {
            let values: [JSON] = row.databaseValues.map(json)
            left -= values.reduce(0) { $0 + 8 + ($1.stringValue?.utf8.count ?? 0) }
            guard rows.count < limit, left >= 0 else {
                return Answer(columns: statement.columnNames, rows: rows, isCut: true)
            }
            rows.append(values)
        }
        return Answer(columns: statement.columnNames, rows: rows, isCut: false)
    }

    /// - Throws: `QueryError`.
    private static func statement(_ sql: String, _ db: Database) throws -> Statement {
        let onlyReads = QueryError(description: "a query only reads: it begins with SELECT, WITH or VALUES")
        guard !sql.allSatisfy(\.isWhitespace) else { throw onlyReads }
        do {
            let statement = try db.makeStatement(sql: sql)
            guard statement.isReadonly, statement.columnCount > 0 else { throw onlyReads }
            return statement
        } catch let error as DatabaseError where error.resultCode == .SQLITE_MISUSE {
            throw QueryError(description: "there are multiple statements; write one query")
        } catch let error as DatabaseError {
            throw QueryError(error, at: Int(sqlite3_error_offset(db.sqliteConnection)), of: sql)
        }
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

    /// Makes the columns that rows need.
    private static func widen(_ load: WarehouseLoad, _ schema: inout WarehouseSchema, _ db: Database) throws {
        let columns = Dictionary(load.columns.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
        try change(schema.changes(of: load.table, to: columns), &schema, db)
    }

    private static func load(_ load: WarehouseLoad, _ db: Database) throws {
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
