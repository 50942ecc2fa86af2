import WorkspaceCore
import WorkspaceServer

/// Queries one server of the store.
struct HostQueries {
    let client: ClickHouseClient
    let index: Int

    /// The error codes of a server without ZooKeeper. Old servers say that it is missing; newer ones do not have its
    /// table.
    static let noKeeper: Set<Int> = [225, 60]
    /// The error codes for denied access to a database and to a table.
    static let forbidden: Set<Int> = [291, 497]

    func version() async throws -> String { try await text("SELECT version()") ?? "" }

    func macro() async throws -> String? {
        try await text("SELECT substitution FROM system.macros WHERE macro = 'replica'")
    }

    /// Older servers do not say whether a setting may be changed.
    func settings(ofVersion version: Int) async throws -> [String: StoreFacts.Setting] {
        let names = StoreUserCheck.names.map { "'\($0)'" }.joined(separator: ", ")
        let fixed = version >= 20 ? "toUInt8(readonly)" : "toUInt8(0)"
        var answer = try await client.read(
            ClickHouseQuery("SELECT name, value, \(fixed) FROM system.settings WHERE name IN (\(names))"), from: index)
        var settings: [String: StoreFacts.Setting] = [:]
        while !answer.isAtEnd {
            let (name, value) = (try answer.text(), try answer.text())
            settings[name] = StoreFacts.Setting(value, isFixed: try answer.number(UInt8.self) == 1)
        }
        return settings
    }

    func engine() async throws -> String? {
        try await text("SELECT engine_full FROM system.tables WHERE \(isTable("name"))")
    }

    /// The server's default settings of a table.
    func tableDefaults() async throws -> [String: Int] {
        let names = ClickHouseTable.syncs.map { "'\($0)'" }.joined(separator: ", ")
        var answer = try await client.read(
            ClickHouseQuery("SELECT name, value FROM system.merge_tree_settings WHERE name IN (\(names))"), from: index)
        var defaults: [String: Int] = [:]
        while !answer.isAtEnd {
            let (name, value) = (try answer.text(), try answer.text())
            defaults[name] = Int(value)
        }
        return defaults
    }

    func columns() async throws -> [String] {
        var answer = try await client.read(
            ClickHouseQuery("SELECT name FROM system.columns WHERE \(isTable("table"))"), from: index)
        var names: [String] = []
        while !answer.isAtEnd { names.append(try answer.text()) }
        return names
    }

    func replica() async throws -> StoreFacts.Replica? {
        var answer = try await client.read(
            ClickHouseQuery(
                """
                SELECT replica_name, zookeeper_path, toUInt8(is_readonly), toUInt64(total_replicas), \
                toUInt64(active_replicas), toUInt64(absolute_delay) FROM system.replicas WHERE \(isTable("table"))
                """), from: index)
        guard !answer.isAtEnd else { return nil }
        var replica = StoreFacts.Replica()
        (replica.name, replica.path) = (try answer.text(), try answer.text())
        replica.isReadOnly = try answer.number(UInt8.self) == 1
        replica.replicas = Int(clamping: try answer.number(UInt64.self))
        replica.activeReplicas = Int(clamping: try answer.number(UInt64.self))
        replica.delay = Int(clamping: try answer.number(UInt64.self))
        return replica
    }

    func askKeeper() async throws {
        _ = try await client.read(
            ClickHouseQuery("SELECT count() FROM system.zookeeper WHERE path = '/'"), from: index)
    }

    /// The database has a name of letters, digits and `_` only.
    private func isTable(_ column: String) -> String {
        "database = '\(client.settings.database)' AND \(column) = '\(ClickHouseTable.name)'"
    }

    /// The first value of an answer.
    private func text(_ statement: String) async throws -> String? {
        var answer = try await client.read(ClickHouseQuery(statement), from: index)
        return answer.isAtEnd ? nil : try answer.text()
    }
}
