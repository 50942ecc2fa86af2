import WorkspaceCore

/// The statements that make and change tables of a warehouse in ClickHouse.
struct ClickHouseTables {
    let place: ClickHousePlace

    /// Rows with the same key are one row after the server merged their parts. Tables are ordered by the time of arrival,
    /// so that the rows of a load are found fast.
    private static let engine = """
        ENGINE = ReplacingMergeTree PARTITION BY toYYYYMM(received_at) ORDER BY (received_at, id)
        SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
        """

    /// The statements for changes of one table, in their order.
    func statements(_ changes: [WarehouseSchema.Change]) -> [String] {
        var statements: [String] = []
        var added: [String] = []
        for change in changes {
            switch change {
            case .make(let table, let columns): statements.append(creation(table, columns))
            case .add(_, let column, let type):
                added.append("ADD COLUMN IF NOT EXISTS \(definition(column, type))")
            case .widen: continue
            }
        }
        guard case .add(let table, _, _)? = changes.first(where: \.isAddition) else { return statements }
        return statements + ["ALTER TABLE \(place.table(table)) \(added.joined(separator: ", "))"]
    }

    /// The statements that give columns of one table other types. Together they are much faster than one by one.
    func widening(_ changes: [WarehouseSchema.Change]) -> [String] {
        var statements: [String] = []
        var parts: [String] = []
        var alteration = ""
        for case .widen(let table, let column, let old, let type) in changes {
            alteration = "ALTER TABLE \(place.table(table))"
            parts.append("MODIFY COLUMN \(definition(column, type))")
            guard old == .timestamp, type == .text else { continue }
            // As events write times, and not as ClickHouse does.
            let name = ClickHouseText.name(column)
            statements.append(
                """
                \(alteration) UPDATE \(name) = concat(replaceOne(assumeNotNull(\(name)), ' ', 'T'), 'Z')
                WHERE match(ifNull(\(name), ''), '^[0-9-]{10} [0-9:]{8}[.][0-9]{6}$')
                """)
        }
        return parts.isEmpty ? [] : ["\(alteration) \(parts.joined(separator: ", "))"] + statements
    }

    private func definition(_ column: String, _ type: WarehouseType) -> String {
        "\(ClickHouseText.name(column)) \(ClickHouseTypes.name(type, of: column))"
    }

    private func creation(_ table: String, _ columns: [String: WarehouseType]) -> String {
        let known = WarehouseTable.columns(of: table).map(\.name)
        let names = known + columns.keys.filter { !known.contains($0) }.sorted()
        let list = names.map { definition($0, columns[$0] ?? .text) }.joined(separator: ", ")
        return "CREATE TABLE IF NOT EXISTS \(place.table(table)) (\(list)) \(Self.engine)"
    }

    var positions: String { place.table(WarehouseTable.positions) }

    /// The row with the highest generation counts. The others disappear when the server merges parts.
    var creationOfPositions: String {
        """
        CREATE TABLE IF NOT EXISTS \(positions) (
            source String, destination String, made_at Int64, generation UInt64, position Int64, last_sequence Int64,
            last_id String, deletions Int64, updated_at DateTime64(3, 'UTC'))
        ENGINE = ReplacingMergeTree(generation) ORDER BY (source, destination, made_at)
        SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
        """
    }
}

extension WarehouseSchema.Change {
    fileprivate var isAddition: Bool {
        if case .add = self { true } else { false }
    }

    var isWidening: Bool {
        if case .widen = self { true } else { false }
    }
}
