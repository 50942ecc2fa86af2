import WorkspaceCore
import WorkspaceServer

/// Checks the settings of the user as which a node logs in to the store.
enum StoreUserCheck {
    /// Settings that a node sends with its requests; a profile may forbid that.
    static let sent: [(name: String, value: String?, since: Int)] = [
        ("insert_quorum", nil, 0), ("insert_quorum_timeout", nil, 0), ("select_sequential_consistency", nil, 0),
        ("max_insert_block_size", nil, 0), ("async_insert", "0", 21), ("insert_quorum_parallel", "0", 21),
        ("insert_deduplication_token", nil, 21), ("max_partitions_per_insert_block", nil, 21),
        ("insert_keeper_max_retries", nil, ClickHouseInsert.keeperRetries),
    ]
    /// The names of all settings that are checked.
    static var names: [String] { sent.map(\.name) + ["readonly", "insert_deduplicate", "deduplicate_insert"] }

    static func findings(_ host: StoreFacts.Host) -> [CheckFinding] {
        guard !host.settings.isEmpty else { return [] }
        let version = EngineVersion(host.version)?.main ?? 0
        let ofProfile = [
            finding(host, "readonly", "0", because: "the user may not insert, or may not send settings"),
            recognition(host),
        ].compactMap { $0 }
        let ofRequests = sent.compactMap { name, value, since -> CheckFinding? in
            guard since > 0, version >= since, let value else { return fixed(host, name, value) }
            return fixed(host, name, value)
                ?? CheckFinding(.store, host.address, name, found: "\(value), sent with each insert")
        }
        return ofProfile + ofRequests
    }

    /// Whether the server recognises a repeated block. In newer versions another setting decides that, unless it defers
    /// to the old one.
    private static func recognition(_ host: StoreFacts.Host) -> CheckFinding? {
        let because = "a repeated block is stored twice"
        let new = host.settings["deduplicate_insert"]?.value ?? "backward_compatible_choice"
        guard new == "backward_compatible_choice" else {
            return finding(host, "deduplicate_insert", "enable", because: because)
        }
        return finding(host, "insert_deduplicate", "1", because: because)
    }

    /// The finding for a setting that needs a value in the profile; nil when the server has no such setting.
    private static func finding(
        _ host: StoreFacts.Host, _ name: String, _ value: String, because: String
    ) -> CheckFinding? {
        guard let found = host.settings[name]?.value else { return nil }
        return CheckFinding(
            .store, host.address, name, found: found, isFine: found == value,
            advice: "set \(name) to \(value) in the profile of the user: \(because)")
    }

    /// The finding for a setting that a request has to change and may not.
    private static func fixed(_ host: StoreFacts.Host, _ name: String, _ value: String?) -> CheckFinding? {
        guard let found = host.settings[name], found.isFixed, value == nil || found.value != value else { return nil }
        return CheckFinding(
            .store, host.address, name, found: "\(found.value), and may not be changed", .wrong,
            advice: "remove the constraint on \(name) from the profile of the user")
    }
}
