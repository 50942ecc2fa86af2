import TributaryJSON
import WorkspaceCore

/// The types of columns in ClickHouse, and the bytes of their values.
enum ClickHouseTypes {
    /// The columns that every row has a value in.
    static let keys: Set<String> = ["id", "received_at"]

    private static let times = "DateTime64(6, 'UTC')"

    /// The type of a new column.
    static func name(_ type: WarehouseType, of column: String) -> String {
        let plain = plain(type)
        return keys.contains(column) ? plain : "Nullable(\(plain))"
    }

    private static func plain(_ type: WarehouseType) -> String {
        switch type {
        case .boolean: "Bool"
        case .bigint: "Int64"
        case .double: "Float64"
        case .timestamp: times
        case .text, .json: "String"
        }
    }

    /// The type of the values that a column takes; nil for a type that an operator chose, and that no value of an event goes into.
    static func type(_ name: String, of column: String) -> WarehouseType? {
        guard column != WarehouseTable.extra else { return name == "Nullable(String)" ? .json : nil }
        let known: [WarehouseType] = [.boolean, .bigint, .double, .timestamp, .text]
        if name == "LowCardinality(Nullable(String))" { return .text }
        return known.first { self.name($0, of: column) == name }
    }

    /// Rows in the format RowBinaryWithNamesAndTypes. The server compares names and types with those of the table, and refuses
    /// rows that were cut off.
    /// - Parameter types: those of the columns, as the table has them.
    static func bytes(_ load: WarehouseLoad, _ rows: [[String?]], types: [String]) -> [UInt8] {
        var writer = RowBinaryWriter()
        writer.write(count: load.columns.count)
        for column in load.columns { writer.write(column.name) }
        for type in types { writer.write(type) }
        for row in rows {
            for (value, column) in zip(row, load.columns) {
                write(value, column.type, isKey: keys.contains(column.name), &writer)
            }
        }
        return writer.bytes
    }

    private static func write(
        _ value: String?, _ type: WarehouseType, isKey: Bool, _ writer: inout RowBinaryWriter
    ) {
        if isKey {
            return type == .timestamp
                ? writer.write(value.flatMap(microseconds) ?? 0 as Int64) : writer.write(value ?? "")
        }
        switch type {
        case .boolean: writer.write(value.map { $0 == "true" })
        case .bigint: writer.write(value.flatMap { Int64($0) })
        case .double: writer.write(value.flatMap { Double($0) })
        case .timestamp: writer.write(value.flatMap(microseconds))
        case .text, .json: writer.write(value)
        }
    }

    /// Microseconds since 1970 of a time as events have it.
    static func microseconds(_ text: String) -> Int64? {
        guard let milliseconds = ISO8601.milliseconds(text) else { return nil }
        // Behind the milliseconds, up to three digits of the fraction.
        let fraction = text.dropFirst("2026-11-24T10:00:00".count)
        guard fraction.first == "." else { return milliseconds * 1_000 }
        let digits = fraction.dropFirst().prefix { ("0"..."9").contains($0) }.dropFirst(3).prefix(3)
        let rest = digits + String(repeating: "0", count: 3 - digits.count)
        return milliseconds * 1_000 + (Int64(rest) ?? 0)
    }
}
