import TributaryJSON
import WorkspaceCore

/// The rows of some events for one table, with the columns that they need.
struct WarehouseLoad: Sendable, Equatable {
    let table: String
    /// The columns of the rows, in their order.
    private(set) var columns: [(name: String, type: WarehouseType)] = []
    /// The values as text; nil for none.
    private(set) var rows: [[String?]] = []

    static func == (left: WarehouseLoad, right: WarehouseLoad) -> Bool {
        left.table == right.table && left.rows == right.rows
            && left.columns.elementsEqual(right.columns) { $0.name == $1.name && $0.type == $1.type }
    }

    /// The ids of the rows.
    var ids: [String] {
        guard let column = columns.firstIndex(where: { $0.name == "id" }) else { return [] }
        return rows.compactMap { $0[column] }
    }

    /// The values of a row by the names of their columns.
    func values(_ row: Int) -> [String: String] {
        var values: [String: String] = [:]
        for (column, value) in zip(columns, rows[row]) { values[column.name] = value }
        return values
    }

    init(table: String, columns: [(name: String, type: WarehouseType)], rows: [[String?]]) {
        (self.table, self.columns, self.rows) = (table, columns, rows)
    }

    /// Finds a column for each value.
    init(
        table: String, _ rows: [WarehouseRow], _ known: [String: WarehouseSchema.Column], _ times: WarehouseTimes = .all
    ) {
        self.table = table
        var columns = WarehouseColumns(of: table, known, times)
        let placed = rows.map { columns.place($0) }
        columns.decide()
        self.columns = columns.used
        self.rows = placed.map { columns.values($0) }
    }

    /// One row for each key; a later value of a column replaces an earlier one.
    func merged() -> WarehouseLoad {
        guard let key = columns.firstIndex(where: { $0.name == "id" }) else { return self }
        var places: [String: Int] = [:]
        var merged: [[String?]] = []
        for row in rows {
            guard let id = row[key] else { continue }
            guard let place = places[id] else {
                places[id] = merged.count
                merged.append(row)
                continue
            }
            for (index, value) in row.enumerated() where value != nil { merged[place][index] = value }
        }
        return WarehouseLoad(table: table, columns: columns, rows: merged)
    }
}

/// The columns of a table while rows are placed in it.
private struct WarehouseColumns {
    struct Cell {
        let column: Int
        let kind: WarehouseValue.Kind
        let text: String
        let path: [String]
        let json: JSON?
    }

    struct Placed {
        var cells: [Cell] = []
        var extra: JSONObject
    }

    private struct Column {
        let name: String
        let known: WarehouseSchema.Column?
        /// The type of a column that every row has.
        let standard: WarehouseType?
        var kinds: Set<WarehouseValue.Kind> = []
        var type = WarehouseType.text
    }

    private let known: [String: WarehouseSchema.Column]
    private let standard: [String: WarehouseType]
    private let times: WarehouseTimes
    private var columns: [Column] = []
    private var indices: [String: Int] = [:]
    private var count: Int

    init(of table: String, _ known: [String: WarehouseSchema.Column], _ times: WarehouseTimes) {
        self.times = times
        let pairs = WarehouseTable.columns(of: table).map { ($0.name, $0.type) }
        standard = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
        self.known = known
        count = known.count
    }

    var used: [(name: String, type: WarehouseType)] { columns.map { ($0.name, $0.type) } }

    mutating func place(_ row: WarehouseRow) -> Placed {
        var placed = Placed(extra: row.extra)
        var texts: [Int: String] = [:]
        for (name, value) in row.fixed {
            guard let index = index(name) else {
                placed.extra[name] = .string(value.text)
                continue
            }
            texts[index] = value.text
            placed.cells.append(cell(index, value, [name], nil))
        }
        for field in row.fields {
            guard let value = WarehouseValue(field.json) else { continue }
            guard let name = field.column, name != WarehouseTable.extra, let index = index(name) else {
                placed.extra.put(field.json, at: field.path[...])
                continue
            }
            if let first = texts[index] {
                if first != value.text { placed.extra.put(field.json, at: field.path[...]) }
                continue
            }
            texts[index] = value.text
            placed.cells.append(cell(index, value, field.path, field.json))
        }
        if !placed.extra.isEmpty { _ = index(WarehouseTable.extra) }
        return placed
    }

    private mutating func cell(_ index: Int, _ value: WarehouseValue, _ path: [String], _ json: JSON?) -> Cell {
        let kind = times.kind(of: value)
        columns[index].kinds.insert(kind)
        return Cell(column: index, kind: kind, text: value.text, path: path, json: json)
    }

    /// The place of a column; nil when the table has as many as it can have, or an operator chose another type.
    private mutating func index(_ name: String) -> Int? {
        if let index = indices[name] { return index }
        if let column = known[name], column.type == nil { return nil }
        if known[name] == nil, standard[name] == nil {
            guard count < Limits.warehouseColumns else { return nil }
            count += 1
        }
        columns.append(Column(name: name, known: known[name], standard: standard[name]))
        indices[name] = columns.count - 1
        return columns.count - 1
    }

    /// Decides on the types, when all rows are placed.
    mutating func decide() {
        // A value that no column holds goes there.
        _ = index(WarehouseTable.extra)
        for index in columns.indices {
            let column = columns[index]
            let isFixed = column.standard != nil || column.known?.isFixed == true
            columns[index].type =
                isFixed
                ? column.known?.type ?? column.standard ?? .text
                : WarehouseType.joined(column.known?.type, column.kinds)
        }
    }

    func values(_ placed: Placed) -> [String?] {
        var values = [String?](repeating: nil, count: columns.count)
        var extra = placed.extra
        for cell in placed.cells {
            let column = columns[cell.column]
            if column.type.holds(cell.kind) {
                values[cell.column] = cell.text
            } else {
                extra.put(cell.json ?? .string(cell.text), at: cell.path[...])
            }
        }
        guard !extra.isEmpty, let index = indices[WarehouseTable.extra] else { return values }
        values[index] = WarehouseValue.withoutNull(.object(extra)).description
        return values
    }
}
