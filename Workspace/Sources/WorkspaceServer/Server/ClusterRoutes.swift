import Hummingbird
import WorkspaceCore

/// Serves the nodes and the partitions of a cluster to its operators. One machine has neither.
struct ClusterRoutes: Sendable {
    let engine: any WorkspaceEngine
    /// Milliseconds since 1970.
    let now: @Sendable () -> Int64

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/cluster") { _, _ in Response.json(try await engine.clusterState(now: now())) }
    }
}
