import GRDB
import WorkspaceCore

/// The types of the columns of a table or of an index, by which a row is recognised when the file does not say which
/// table its page belongs to.
struct RecordShape {
    enum Kind: String { case integer = "INTEGER", text = "TEXT", bytes = "BLOB" }

    struct Column {
        let name: String
        /// Nil accepts any type.
        let kind: Kind?
        let isNullable: Bool
    }

    /// The name in the schema; a damaged file may still say by it where its pages are.
    let name: String
    let table: String
    /// Whether records are rows of the table; else they are entries of an index, which end with the number of their
    /// row.
    let isTable: Bool
    /// Whether an index has an entry for every row.
    var isComplete = true
    let hasRowids: Bool
    /// In the order of the record.
    let columns: [Column]
    /// Columns that were added later may be missing at the end.
    let fewest: Int
    /// The column with the row's number, which is not in the record.
    var rowidColumn: Int?

    /// Whether a record can be one of these.
    func fits(_ values: [SQLiteValue], rowid: Int64) -> Bool {
        guard (fewest...columns.count).contains(values.count), rowidColumn == nil || rowid > 0 else { return false }
        return zip(values, columns).enumerated().allSatisfy { index, pair in
            if index == rowidColumn { return pair.0 == .null }
            switch (pair.0, pair.1.kind) {
            case (.null, _): return pair.1.isNullable
            case (.integer, .integer), (.text, .text), (.bytes, .bytes), (_, nil): return true
            default: return false
            }
        }
    }
}

extension RecordShape {
    /// The shapes of all tables and indexes of an intact database with the same schema.
    static func all(_ db: Database) throws -> [RecordShape] {
        var shapes = [
            RecordShape(
                name: "sqlite_schema", table: "sqlite_schema", isTable: true, hasRowids: true,
                columns: zip(
                    ["type", "name", "tbl_name", "rootpage", "sql"], [.text, .text, .text, .integer, .text] as [Kind]
                ).map { Column(name: $0, kind: $1, isNullable: $0 == "sql") }, fewest: 5)
        ]
        let tables = try Row.fetchAll(db, sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
        for row in tables {
            let table = try row.decode(String.self, atIndex: 0)
            let hasRowids = try !row.decode(String.self, atIndex: 1).contains("WITHOUT ROWID")
            let shape = try RecordShape(table: table, hasRowids: hasRowids, db)
            shapes.append(shape)
            for index in try indexes(on: table, db) where hasRowids || index.origin != "pk" {
                shapes.append(RecordShape(index: index, on: shape))
            }
        }
        return shapes
    }

    private init(table: String, hasRowids: Bool, _ db: Database) throws {
        let sql = "SELECT name, type, \"notnull\", dflt_value, pk FROM pragma_table_info(?)"
        let infos = try Row.fetchAll(db, sql: sql, arguments: [table])
        var found: [(column: Column, pk: Int, hasDefault: Bool)] = []
        for info in infos {
            let pk = try info.decode(Int.self, atIndex: 4)
            let isNullable = try !info.decode(Bool.self, atIndex: 2) && (hasRowids || pk == 0)
            let column = Column(
                name: try info.decode(String.self, atIndex: 0),
                kind: Kind(rawValue: try info.decode(String.self, atIndex: 1)),
                isNullable: isNullable)
            found.append((column, pk, try info.decode(String?.self, atIndex: 3) != nil))
        }
        let keys = found.filter { $0.pk > 0 }.sorted { $0.pk < $1.pk }
        // Without numbers, a record begins with its key.
        let ordered = hasRowids ? found : keys + found.filter { $0.pk == 0 }
        name = table
        self.table = table
        isTable = true
        self.hasRowids = hasRowids
        columns = ordered.map(\.column)
        fewest = (ordered.lastIndex { !$0.column.isNullable && !$0.hasDefault } ?? -1) + 1
        if hasRowids, keys.count == 1, let key = keys.first, key.column.kind == .integer {
            rowidColumn = found.firstIndex { $0.pk > 0 }
        }
    }

    private struct IndexInfo {
        let name: String
        let origin: String
        let isComplete: Bool
        /// Nil for an expression, which is a number.
        let columns: [String?]
    }

    private static func indexes(on table: String, _ db: Database) throws -> [IndexInfo] {
        try Row.fetchAll(
            db, sql: "SELECT name, origin, partial, \"unique\" FROM pragma_index_list(?)", arguments: [table]
        )
        .map { row in
            let name = try row.decode(String.self, atIndex: 0)
            return IndexInfo(
                name: name, origin: try row.decode(String.self, atIndex: 1),
                isComplete: try !row.decode(Bool.self, atIndex: 2) && row.decode(Bool.self, atIndex: 3),
                columns: try Optional<String>.fetchAll(
                    db, sql: "SELECT name FROM pragma_index_info(?) ORDER BY seqno", arguments: [name]))
        }
    }

    private init(index: IndexInfo, on table: RecordShape) {
        name = index.name
        self.table = table.table
        isTable = false
        isComplete = index.isComplete
        hasRowids = false
        columns =
            index.columns.compactMap { name in
                guard let name else { return Column(name: "", kind: .integer, isNullable: false) }
                return table.columns.first { $0.name == name }
            }
            + [Column(name: "rowid", kind: .integer, isNullable: false)]
        fewest = columns.count
    }
}
