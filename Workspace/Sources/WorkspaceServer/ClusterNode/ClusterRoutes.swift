import Hummingbird

/// Serves the nodes and the partitions of a cluster to its operators. One machine has neither.
struct ClusterRoutes: Sendable {
    let node: ClusterNode?
    /// Nil on one machine.
    let settings: SharedSettings?
    /// Milliseconds since 1970.
    let now: @Sendable () -> Int64

    /// The time within which the nodes have to answer.
    private static let patience = Duration.milliseconds(500)

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/cluster") { _, _ in
            guard let node else { return Response.json(ClusterStanding.single(at: now())) }
            return Response.json(try await standing(of: node).json)
        }
    }

    private func standing(of node: ClusterNode) async throws -> ClusterStanding {
        async let others = node.nodes.nodes(within: Self.patience)
        let end = try await node.intake.mark()
        let places = await node.progress.standing
        return ClusterStanding(
            at: now(), node: node.report, others: try await others, places: places, end: end,
            settings: await settings?.standing)
    }
}
