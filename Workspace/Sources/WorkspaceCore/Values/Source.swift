import Foundation
package import GRDB
package import TributaryJSON

/// A source of events, with the settings that its clients get.
package struct Source: Sendable, Equatable, FetchableRecord {
    package let id: Int64
    package let writeKey: String
    package let name: String
    package let createdAt: Int64
    package let updatedAt: Int64
    /// Increases with every change.
    package let revision: Int64
    /// Settings of destinations by their name, as set by the operator.
    package let integrations: JSONObject
    /// The newest version of the filter rules; nil when none was deployed.
    package let newestFilters: ServedFilters?
    /// The newest version for all devices. It is `newestFilters` unless that version is staged.
    package let filtersForAll: ServedFilters?
    /// The newest version of the live plugins; nil when none was deployed.
    package let bundle: BundleVersion?
    /// The newest version for all devices. It is `bundle` unless that version is staged.
    package let bundleForAll: BundleVersion?
    /// The log of deployments; nil when versions are missing in it.
    package let bundleLog: BundleLog?
    /// The proofs that these two versions stand in the log. Every client asks for them, so they are made once.
    package let bundleProof: BundleLog.Proof?
    package let bundleForAllProof: BundleLog.Proof?
    /// The write keys with which clients send for this source, oldest first.
    package let keys: [SourceKey]
    package let policy: SourcePolicy
    package let plan: TrackingPlan
    /// The function that makes events of requests of other services; nil when there is none.
    package let function: SourceFunction?
    /// What is stopped on its devices for a while.
    package let stops: DeviceStops
    /// The consent categories that each destination of the server needs, by its name.
    package let destinationCategories: [String: [String]]
    /// The share of devices that run the newest version of the live plugins as a shadow, in percent; nil when none does.
    package let shadowPercentage: Int?
    /// Whether a newest version goes to some of the devices only, or has a plan that is not over.
    package let isRollingOut: Bool

    /// The name of this server among the destinations in the settings.
    package static let cloudName = "Segment.io"

    package static let selection = """
        SELECT source.*, \(BundleVersion.columns(of: "newest", prefix: "newest_")),
            \(BundleVersion.columns(of: "forAll", prefix: "forAll_")),
            \(ServedFilters.columns(of: "newestFilters", prefix: "newestFilters_")),
            \(ServedFilters.columns(of: "filtersForAll", prefix: "filtersForAll_")),
            (SELECT json_group_array(json_object('key', key, 'name', name, 'createdAt', createdAt, 'revokedAt', revokedAt))
                FROM (SELECT * FROM sourceKey WHERE sourceKey.source = source.id ORDER BY createdAt, key)) AS keys,
            (SELECT json_group_object(name, json(categories))
                FROM destination WHERE destination.source = source.id) AS destinationCategories,
            (SELECT json_group_array(json_array(version, sha256))
                FROM (SELECT * FROM bundle WHERE bundle.source = source.id ORDER BY version)) AS deployments,
            EXISTS (SELECT 1 FROM rollout WHERE rollout.source = source.id
                AND rollout.state IN ('running', 'paused')) AS hasOpenRollout,
            (SELECT json_extract(CAST(body AS TEXT), '$.plan.shadow') FROM rollout WHERE rollout.source = source.id
                AND rollout.kind = 'livePlugins' AND rollout.version = newest.version
                AND rollout.state IN ('running', 'paused')
                AND json_extract(CAST(body AS TEXT), '$.isShadow')) AS shadowPercentage
        FROM source LEFT JOIN bundle AS newest ON newest.source = source.id
            AND newest.version = (SELECT max(version) FROM bundle WHERE bundle.source = source.id)
        LEFT JOIN bundle AS forAll ON forAll.source = source.id AND forAll.version =
            (SELECT max(version) FROM bundle WHERE bundle.source = source.id AND bundle.percentage = 100)
        LEFT JOIN filterSet AS newestFilters ON newestFilters.source = source.id AND newestFilters.version =
            (SELECT max(version) FROM filterSet WHERE filterSet.source = source.id)
        LEFT JOIN filterSet AS filtersForAll ON filtersForAll.source = source.id AND filtersForAll.version =
            (SELECT max(version) FROM filterSet WHERE filterSet.source = source.id AND filterSet.percentage = 100)
        """

    package init(row: Row) throws {
        id = try row.decode(forColumn: "id")
        writeKey = try row.decode(forColumn: "writeKey")
        name = try row.decode(forColumn: "name")
        createdAt = try row.decode(forColumn: "createdAt")
        updatedAt = try row.decode(forColumn: "updatedAt")
        revision = try row.decode(forColumn: "revision")
        integrations = try row.json("integrations").objectValue ?? [:]
        newestFilters = try ServedFilters(rowOfJoin: row, prefix: "newestFilters_")
        filtersForAll = try ServedFilters(rowOfJoin: row, prefix: "filtersForAll_")
        bundle = try BundleVersion(rowOfJoin: row, prefix: "newest_")
        bundleForAll = try BundleVersion(rowOfJoin: row, prefix: "forAll_")
        let log = BundleLog(try Self.deployments(row))
        bundleLog = log
        bundleProof = bundle.flatMap { log?.proof(of: $0.version) }
        bundleForAllProof = bundleForAll.flatMap { log?.proof(of: $0.version) }
        keys = try JSON.parse(try row.decode(String.self, forColumn: "keys")).decode()
        policy = try SourcePolicy(try row.json("policy"))
        plan = try TrackingPlan(try row.json("plan"))
        function = try SourceFunction(stored: try row.decode(String.self, forColumn: "function"))
        stops = try DeviceStops(stored: try row.decode(String.self, forColumn: "stops"))
        let needs = try JSON.parse(try row.decode(String.self, forColumn: "destinationCategories")).objectValue ?? [:]
        destinationCategories = needs.reduce(into: [:]) { needs, entry in
            needs[entry.key] = entry.value.elements?.compactMap(\.stringValue) ?? []
        }
        shadowPercentage = try row.decode(forColumn: "shadowPercentage")
        isRollingOut =
            try row.decode(Bool.self, forColumn: "hasOpenRollout") || bundle?.isStaged == true
            || newestFilters?.set.isStaged == true
    }

    private static func deployments(_ row: Row) throws -> [BundleLog.Entry] {
        let entries = try JSON.parse(try row.decode(String.self, forColumn: "deployments")).elements ?? []
        return entries.map { entry in
            BundleLog.Entry(version: Int64(entry[0]?.intValue ?? 0), sha256: entry[1]?.stringValue ?? "")
        }
    }

    /// The filter rules for all devices. The server forwards by them, too.
    package var filters: JSON { filtersForAll?.rules ?? [] }

    /// The newest version of a kind, and the share of devices that it is for; nil when none was deployed.
    package func newest(_ kind: RolloutKind) -> (version: Int64, percentage: Int)? {
        switch kind {
        case .livePlugins: bundle.map { ($0.version, $0.percentage) }
        case .filters: newestFilters.map { ($0.set.version, $0.set.percentage) }
        }
    }

    /// The newest version for all devices. Before the first one, there are no live plugins, and filters without rules.
    package func versionForAll(_ kind: RolloutKind) -> Int64? {
        switch kind {
        case .livePlugins: bundleForAll?.version
        case .filters: filtersForAll?.set.version ?? 0
        }
    }

    /// The source as the administration shows it.
    package var summary: JSON {
        [
            "writeKey": .string(writeKey), "name": .string(name), "createdAt": .time(createdAt),
            "updatedAt": .time(updatedAt),
            "livePlugins": bundle.flatMap { $0.isOff ? nil : .number($0.version) } ?? .null,
            "filters": .number(filters.elements?.count ?? 0), "integrations": .object(integrations),
            "keys": .array(keys.map(\.summary)), "policy": policy.json, "plannedEvents": .number(plan.events.count),
        ]
    }
}

/// A write key of a source.
///
/// Several keys are valid at a time, so an operator can replace a key while older versions of an app still send with
/// it.
package struct SourceKey: Sendable, Equatable, Decodable {
    package let key: String
    /// The name that the operator gave it.
    package let name: String
    package let createdAt: Int64
    /// When it was revoked; nil while it is valid.
    package let revokedAt: Int64?

    package var isValid: Bool { revokedAt == nil }

    package var summary: JSON {
        ["key": .string(key), "name": .string(name), "createdAt": .time(createdAt), "revokedAt": .time(revokedAt)]
    }
}
