import WorkspaceCore

/// The tables of a warehouse that follow from the others, as views. So they need no counting, and agree with the rows whatever
/// happened to a load.
struct ClickHouseViews {
    let place: ClickHousePlace
    let schema: WarehouseSchema

    /// The tables of calls. Each event is in one of them, once.
    private static let calls = [
        WarehouseTable.tracks, WarehouseTable.identifies, WarehouseTable.pages, WarehouseTable.screens,
        WarehouseTable.groups, WarehouseTable.aliases,
    ]
    private static let session = "context_session_id"
    /// Columns of an identify that its user does not have.
    private static let ofCall: Set<String> = [
        "id", "anonymous_id", "user_id", "received_at", "sent_at", "original_timestamp", "timestamp",
    ]

    /// The statements that make the views, by the names of these.
    var statements: [String: String] {
        var views: [String: String] = [:]
        views[WarehouseTable.users] = users
        views[WarehouseTable.identities] = identities
        views[WarehouseTable.sessions] = sessions
        return views.reduce(into: [:]) { statements, view in
            statements[view.key] = "CREATE OR REPLACE VIEW \(place.table(view.key)) AS \(view.value)"
        }
    }

    private var calls: [String] { Self.calls.filter(schema.has) }

    /// The latest value of each trait. A trait that an event does not name stays.
    private var users: String? {
        guard let columns = schema.tables[WarehouseTable.identifies] else { return nil }
        let traits = columns.keys.filter { !Self.ofCall.contains($0) }.sorted()
        // Inside, columns have other names than outside, because a name outside means the aggregate.
        let inside = traits.enumerated().map { ", \(ClickHouseText.name($1)) AS v\($0)" }.joined()
        let latest = traits.enumerated().map { ", argMax(v\($0), at) AS \(ClickHouseText.name($1))" }.joined()
        return """
            SELECT assumeNotNull(u) AS id, max(at) AS received_at\(latest)
            FROM (SELECT user_id AS u, received_at AS at\(inside) FROM \(place.table(WarehouseTable.identifies))
                WHERE isNotNull(user_id)) GROUP BY u
            """
    }

    private var identities: String? {
        var pairs = calls.map { (table: $0, column: "anonymous_id") }
        if schema.has(WarehouseTable.aliases) { pairs.append((WarehouseTable.aliases, "previous_id")) }
        guard !pairs.isEmpty else { return nil }
        let parts = pairs.map { table, column in
            """
            SELECT \(column) AS a, user_id AS u, ifNull(timestamp, received_at) AS at FROM \(place.table(table))
            WHERE isNotNull(\(column)) AND isNotNull(user_id)
            """
        }
        return """
            SELECT assumeNotNull(a) AS anonymous_id, assumeNotNull(u) AS user_id, min(at) AS first_seen_at,
                max(at) AS last_seen_at FROM (\(parts.joined(separator: " UNION ALL "))) GROUP BY a, u
            """
    }

    private var sessions: String? {
        let tables = calls.filter { schema.tables[$0]?[Self.session] != nil }
        guard !tables.isEmpty else { return nil }
        let parts = tables.map { table in
            """
            SELECT toString(assumeNotNull(\(Self.session))) AS s, ifNull(anonymous_id, '') AS a, user_id AS u,
                ifNull(timestamp, received_at) AS at, id AS e FROM \(place.table(table)) WHERE isNotNull(\(Self.session))
            """
        }
        return """
            SELECT s AS id, a AS anonymous_id, argMax(u, at) AS user_id, min(at) AS started_at, max(at) AS ended_at,
                toInt64(uniqExact(e)) AS events FROM (\(parts.joined(separator: " UNION ALL "))) GROUP BY s, a
            """
    }
}
