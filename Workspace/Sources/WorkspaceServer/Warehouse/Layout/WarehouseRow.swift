import TributaryJSON

/// One event as a row of one table.
struct WarehouseRow: Sendable, Equatable {
    struct Field: Sendable, Equatable {
        /// Nil when no column can be named after it.
        let column: String?
        /// Where the event has it.
        let path: [String]
        let json: JSON
    }

    let table: String
    /// The columns that every row of the table has. Their types do not change.
    var fixed: [(column: String, value: WarehouseValue)] = []
    /// In the order in which they get their columns.
    var fields: [Field] = []
    /// Members for which no column is looked for.
    var extra = JSONObject()

    init(table: String) { self.table = table }

    static func == (left: WarehouseRow, right: WarehouseRow) -> Bool {
        left.table == right.table && left.fields == right.fields && left.extra == right.extra
            && left.fixed.map(\.column) == right.fixed.map(\.column)
            && left.fixed.map(\.value) == right.fixed.map(\.value)
    }

    subscript(fixed column: String) -> String? { fixed.first { $0.column == column }?.value.text }
}

extension JSONObject {
    /// Puts a value at a path; objects on the way are made.
    mutating func put(_ value: JSON, at path: ArraySlice<String>) {
        guard let first = path.first else { return }
        guard path.count > 1 else {
            self[first] = value
            return
        }
        var inner = self[first]?.objectValue ?? JSONObject()
        inner.put(value, at: path.dropFirst())
        self[first] = .object(inner)
    }
}
