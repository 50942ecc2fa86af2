import WorkspaceCore
import WorkspaceServer

/// The table of rows in the column store, and how a row goes into it.
///
/// Each replica has the whole table. A partition holds a day. Rows of the same identity replace one another: the row
/// with the highest `version` stays. That is the first event and the last trace of an id. `slot` is the hour of
/// arrival, and 0 for traces, so that a trace meets the trace that it replaces.
enum ClickHouseTable {
    static let name = "rows"

    /// Rows that a server takes as one block. An insert has far fewer.
    static let rowsInBlock = 1_048_576

    /// The kind of a row without content. It is the last block of a day when rows are erased: servers leave out the
    /// last block that a quorum has confirmed.
    static let markerKind: UInt8 = 0

    static let columns: [(name: String, type: String)] = [
        ("day", "Int32"), ("kind", "UInt8"), ("slot", "Int64"), ("source", "Int64"), ("key", "FixedString(16)"),
        ("version", "UInt64"), ("number", "Int64"), ("receivedAt", "Int64"), ("storedAt", "Int64"),
        ("messageId", "Nullable(String)"), ("type", "String"), ("name", "Nullable(String)"),
        ("userId", "Nullable(String)"), ("anonymousId", "Nullable(String)"), ("timestamp", "Int64"),
        ("originalTimestamp", "Nullable(Int64)"), ("sentAt", "Nullable(Int64)"), ("dropped", "UInt8"),
        ("trackedAt", "Int64"), ("code", "String"), ("reason", "String"), ("mentions", "Array(String)"),
        ("keys", "Array(String)"), ("kinds", "Array(UInt8)"), ("body", "String"),
    ]

    /// The statement that makes the table. `{replica}` is a macro in the configuration of the server.
    /// - Parameter version: the main version of the server.
    static func creation(_ settings: ClickHouseSettings, version: Int) -> String {
        """
        CREATE TABLE IF NOT EXISTS \(settings.database).\(name)
        (\(columns.map { "\($0) \($1)" }.joined(separator: ", ")))
        ENGINE = ReplicatedReplacingMergeTree('/tributary/\(settings.database)/\(name)', '{replica}', version)
        PARTITION BY day ORDER BY (kind, slot, source, key)
        SETTINGS \(options(settings, version: version).map { "\($0) = \($1)" }.joined(separator: ", "))
        """
    }

    /// The settings of the table that safety needs.
    /// - Parameter version: the main version of the server.
    static func options(_ settings: ClickHouseSettings, version: Int) -> [(name: String, value: Int)] {
        [
            ("replicated_deduplication_window", settings.knownBlocks),
            ("replicated_deduplication_window_seconds", settings.knownBlockSeconds),
            ("old_parts_lifetime", settings.oldPartSeconds), ("index_granularity", 8_192),
        ] + (version >= syncing ? syncs.map { ($0, 1) } : [])
    }

    /// Settings with which a server brings an insert to its disk before it answers, and the first version that has both.
    static let syncs = ["fsync_after_insert", "fsync_part_directory"]
    static let syncing = 21
    /// The first version that can change the settings of a table.
    static let changing = 20

    /// The statement that changes a setting of a table.
    static func change(_ option: String, to value: Int, of table: String, version: Int) -> String {
        version >= changing
            ? "ALTER TABLE \(table) MODIFY SETTING \(option) = \(value)"
            : "rename \(table), restart a node, which makes it, and copy the rows (this version cannot change the settings of a table)"
    }

    static func insertion(_ settings: ClickHouseSettings) -> String {
        "INSERT INTO \(settings.database).\(name) (\(columns.map(\.name).joined(separator: ", "))) FORMAT RowBinary"
    }

    /// The hour of a time, since 1970.
    static func slot(_ milliseconds: Int64) -> Int64 {
        let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 3_600_000)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
