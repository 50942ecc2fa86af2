import WorkspaceCore

/// The tables of a warehouse, as the database has them or as they will be.
struct WarehouseSchema: Sendable, Equatable {
    struct Column: Sendable, Equatable {
        /// Nil for a type that no value of an event goes into, because an operator chose it.
        var type: WarehouseType?
        /// Whether the database refuses another type, because a view needs the column.
        var isFixed = false
    }

    enum Change: Sendable, Equatable {
        case make(table: String, columns: [String: WarehouseType])
        case add(table: String, column: String, WarehouseType)
        case widen(table: String, column: String, from: WarehouseType, to: WarehouseType)
    }

    private(set) var tables: [String: [String: Column]] = [:]
    private var eventTables = 0

    init(tables: [String: [String: Column]] = [:]) {
        self.tables = tables
        eventTables = tables.keys.count(where: Self.isOfEvents)
    }

    private static func isOfEvents(_ table: String) -> Bool {
        !WarehouseTable.names.contains(table) && table != WarehouseTable.positions
    }

    /// Whether there is a table for a name of events, or may be one more.
    func admits(_ table: String, new: Set<String>) -> Bool {
        tables[table] != nil || new.contains(table) || eventTables + new.count < Limits.warehouseEventTables
    }

    func has(_ table: String) -> Bool { tables[table] != nil }

    /// The columns of a table, or the first columns of a new one.
    func columns(of table: String) -> [String: Column] {
        if let known = tables[table] { return known }
        let first = WarehouseTable.columns(of: table).map { ($0.name, Column(type: $0.type)) }
        return Dictionary(first, uniquingKeysWith: { first, _ in first })
    }

    /// The changes after which a table has these columns.
    func changes(of table: String, to columns: [String: WarehouseType]) -> [Change] {
        guard let known = tables[table] else {
            let first = WarehouseTable.columns(of: table).map { ($0.name, $0.type) }
            return [.make(table: table, columns: columns.merging(first) { wanted, _ in wanted })]
        }
        return columns.sorted { $0.key < $1.key }.compactMap { name, type in
            guard let column = known[name] else { return .add(table: table, column: name, type) }
            guard let old = column.type, old != type else { return nil }
            return .widen(table: table, column: name, from: old, to: type)
        }
    }

    mutating func apply(_ change: Change) {
        switch change {
        case .make(let table, let columns):
            tables[table] = columns.mapValues { Column(type: $0) }
            if Self.isOfEvents(table) { eventTables += 1 }
        case .add(let table, let column, let type): tables[table]?[column] = Column(type: type)
        case .widen(let table, let column, _, let type): tables[table]?[column]?.type = type
        }
    }

    /// The database does not change the type of that column.
    mutating func fix(_ column: String, of table: String) { tables[table]?[column]?.isFixed = true }
}
