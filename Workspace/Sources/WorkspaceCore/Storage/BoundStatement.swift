package import GRDB
import GRDBSQLite

/// A prepared statement that binds its values with SQLite's own calls.
///
/// The library boxes each value and their list; for the rows of events that cost as much as storing them. Belongs to
/// the access to the database in which it was made.
package struct BoundStatement {
    private let statement: Statement
    private let db: Database
    private var handle: SQLiteStatement { statement.sqliteStatement }

    package init(_ db: Database, sql: String) throws {
        statement = try db.cachedStatement(sql: sql)
        self.db = db
        // Resetting a statement after a failure returns that failure again.
        sqlite3_reset(handle)
    }

    // MARK: Values, counted from 1

    package func bind(_ value: Int64?, at index: Int32) throws {
        try check(value.map { sqlite3_bind_int64(handle, index, $0) } ?? sqlite3_bind_null(handle, index))
    }

    package func bind(_ value: Double, at index: Int32) throws { try check(sqlite3_bind_double(handle, index, value)) }

    package func bind(_ value: String?, at index: Int32) throws {
        guard var value else { return try check(sqlite3_bind_null(handle, index)) }
        try check(
            value.withUTF8 { text in
                // An empty text still needs an address.
                text.withMemoryRebound(to: CChar.self) { text in
                    text.isEmpty
                        ? sqlite3_bind_text(handle, index, "", 0, Self.isCopied)
                        : sqlite3_bind_text(handle, index, text.baseAddress, Int32(text.count), Self.isCopied)
                }
            })
    }

    package func bind(_ bytes: UnsafeRawBufferPointer, at index: Int32) throws {
        try check(
            bytes.isEmpty
                ? sqlite3_bind_zeroblob(handle, index, 0)
                : sqlite3_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count), Self.isCopied))
    }

    // MARK: Execution

    /// Executes the statement with its values, and calls for each row of its result.
    package func run(_ row: (BoundRow) throws -> Void = { _ in }) throws {
        defer { sqlite3_reset(handle) }
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: try row(BoundRow(handle: handle))
            case SQLITE_DONE: return
            case let code: throw error(code)
            }
        }
    }

    private func check(_ code: Int32) throws {
        if code != SQLITE_OK { throw error(code) }
    }

    private func error(_ code: Int32) -> DatabaseError {
        DatabaseError(resultCode: ResultCode(rawValue: code), message: db.lastErrorMessage, sql: statement.sql)
    }

    /// Makes SQLite copy the value.
    private static var isCopied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}

/// A row of a result, valid until the statement moves on. Columns are counted from 0.
package struct BoundRow {
    fileprivate let handle: SQLiteStatement

    package func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// The bytes of a column; they are there until the next row.
    package func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: sqlite3_column_blob(handle, column), count: Int(sqlite3_column_bytes(handle, column)))
    }
}
