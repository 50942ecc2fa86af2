import ClusterTestKit
import Testing

/// Column stores for tests: one group of replicas for the whole run.
enum Stores {
    static let isInstalled = ConditionTrait.enabled(
        if: EnginePackages.missingForClickHouse == nil,
        Comment(rawValue: EnginePackages.missingForClickHouse ?? "the engines are installed"))

    private static let started = Task { try await ClickHouseEngines(replicas: 3) }

    static var engines: ClickHouseEngines { get async throws { try await started.value } }
}
