import ClusterTestKit
import Foundation
import Testing

@testable import WorkspaceServer

/// Column stores for tests: one group of replicas for the whole run, and a database of its own for each test.
enum ColumnStores {
    static let isInstalled = ConditionTrait.enabled(
        if: EnginePackages.missingForClickHouse == nil,
        Comment(rawValue: EnginePackages.missingForClickHouse ?? "the engines are installed"))

    private static let started = Task { try await ClickHouseEngines(replicas: 3) }

    static var engines: ClickHouseEngines { get async throws { try await started.value } }

    /// Settings for a new database of the replicas.
    static func settings() async throws -> ClickHouseSettings { try settings(of: await engines) }

    static func settings(of engines: ClickHouseEngines) throws -> ClickHouseSettings {
        let name = "test_" + UUID().uuidString.lowercased().replacing("-", with: "")
        var settings = try ClickHouseSettings(hosts: engines.addresses, database: name)
        // Servers delete replaced parts early, so that a test sees the bytes of erased rows go.
        settings.oldPartSeconds = 1
        return settings
    }
}
