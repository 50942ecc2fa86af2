import ClusterTestKit
import Foundation
import Testing

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

/// Column stores for tests: one of each kind for the whole run, and a database of its own for each test.
enum ColumnStores {
    /// What a test runs against.
    enum Kind: CaseIterable, Sendable {
        /// Three replicas of Debian's ClickHouse.
        case replicas
        /// A current version of ClickHouse without replication.
        case modern

        /// Why tests do not run against it; nil when they do.
        var missing: String? {
            switch self {
            case .replicas: EnginePackages.missingForClickHouse
            case .modern: EnginePackages.missingForModernClickHouse
            }
        }
    }

    /// The kinds that tests run against.
    static let installed = Kind.allCases.filter { $0.missing == nil }

    static let isInstalled = ConditionTrait.enabled(
        if: EnginePackages.missingForClickHouse == nil,
        Comment(rawValue: EnginePackages.missingForClickHouse ?? "the engines are installed"))

    static let isModernInstalled = ConditionTrait.enabled(
        if: EnginePackages.missingForModernClickHouse == nil,
        Comment(rawValue: EnginePackages.missingForModernClickHouse ?? "chdb is installed"))

    static let isModernReplicaInstalled = ConditionTrait.enabled(
        if: EnginePackages.missingForModernReplica == nil,
        Comment(rawValue: EnginePackages.missingForModernReplica ?? "chdb and ZooKeeper are installed"))

    private static let started = Task { try await ClickHouseEngines(replicas: 3) }
    private static let modernStarted = Task { try await ModernClickHouse() }

    static var engines: ClickHouseEngines { get async throws { try await started.value } }
    static var modern: ModernClickHouse { get async throws { try await modernStarted.value } }

    /// Settings for a new database. The modern server stands for three replicas, so nodes send it all that they send to a
    /// quorum.
    static func settings(_ kind: Kind = .replicas) async throws -> ClickHouseSettings {
        switch kind {
        case .replicas: try settings(of: await engines)
        case .modern: try settings(hosts: Array(repeating: await modern.address, count: 3))
        }
    }

    static func settings(of engines: ClickHouseEngines) throws -> ClickHouseSettings {
        try settings(hosts: engines.addresses)
    }

    private static func settings(hosts: [String]) throws -> ClickHouseSettings {
        let name = "test_" + UUID().uuidString.lowercased().replacing("-", with: "")
        var settings = try ClickHouseSettings(hosts: hosts, database: name)
        // Servers delete replaced parts early, so that a test sees the bytes of erased rows go.
        settings.oldPartSeconds = 1
        return settings
    }
}
