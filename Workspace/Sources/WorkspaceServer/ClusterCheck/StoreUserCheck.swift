/// Looks at the settings of the user that a node logs in to the store as.
enum StoreUserCheck {
    /// Settings that a node sends with its requests; a profile may forbid that.
    static let sent: [(name: String, value: String?, since: Int)] = [
        ("insert_quorum", nil, 0), ("insert_quorum_timeout", nil, 0), ("select_sequential_consistency", nil, 0),
        ("max_insert_block_size", nil, 0), ("async_insert", "0", 21), ("insert_quorum_parallel", "0", 21),
        ("insert_deduplication_token", nil, 21),
    ]
    /// Settings that have to have a value in the profile, and what another one does.
    static let needed: [(name: String, value: String, because: String)] = [
        ("readonly", "0", "the user may not insert, or may not send settings"),
        ("insert_deduplicate", "1", "a repeated block is stored twice"),
    ]
    /// All settings that are looked at.
    static var names: [String] { sent.map(\.name) + needed.map(\.name) }

    static func findings(_ host: StoreFacts.Host) -> [CheckFinding] {
        guard !host.settings.isEmpty else { return [] }
        let version = EngineVersion(host.version)?.main ?? 0
        let ofProfile = needed.compactMap { name, value, because -> CheckFinding? in
            guard let found = host.settings[name] else { return nil }
            return CheckFinding(
                .store, host.address, name, found: found.value, isFine: found.value == value,
                advice: "set \(name) to \(value) in the profile of the user: \(because)")
        }
        let ofRequests = sent.compactMap { name, value, since -> CheckFinding? in
            guard since > 0, version >= since else { return fixed(host, name, value) }
            guard let value else { return fixed(host, name, value) }
            return fixed(host, name, value)
                ?? CheckFinding(.store, host.address, name, found: "\(value), sent with each insert")
        }
        return ofProfile + ofRequests
    }

    /// A setting that a request has to change and may not.
    private static func fixed(_ host: StoreFacts.Host, _ name: String, _ value: String?) -> CheckFinding? {
        guard let found = host.settings[name], found.isFixed, value == nil || found.value != value else { return nil }
        return CheckFinding(
            .store, host.address, name, found: "\(found.value), and may not be changed", .wrong,
            advice: "remove the constraint on \(name) from the profile of the user")
    }
}
