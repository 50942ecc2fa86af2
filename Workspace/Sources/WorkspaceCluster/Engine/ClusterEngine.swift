import ServiceLifecycle
import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// A node of a cluster: requests wait in the log that all nodes share, and so do the events in their column store.
struct ClusterEngine: WorkspaceEngine {
    let node: ClusterNode
    let settings: SharedSettings

    /// The time within which the other nodes have to answer.
    private static let patience = Duration.milliseconds(500)

    var intake: any Intake { node.intake }
    var quotas: QuotaLedger { node.quotas }
    var suppressions: SuppressionBook { node.suppressions }
    var rests: PausedDestinations { node.rests }
    var isNode: Bool { true }
    var isCoordinator: Bool { node.isCoordinator }

    func forwards(to destination: Int64) -> Bool { node.forwards(to: destination) }

    /// A node stores elsewhere, so nothing there has to wait for a search.
    func isIngestBusy() -> Bool { false }

    func storing(
        _ parts: WorkspaceParts, _ configuration: WorkspaceConfiguration, _ supervisor: ForwardingSupervisor,
        committed: @escaping @Sendable () -> Void
    ) -> [any Service] {
        let failures = RepeatedFailures(now: configuration.environment.now)
        let scripts = BlockScripts(
            program: configuration.program, store: parts.store, sources: parts.sources, inbox: parts.healthInbox,
            now: configuration.environment.now, logger: configuration.logger)
        return [
            SettingsFollower(settings: settings, parts: parts, supervisor: supervisor, logger: configuration.logger),
            node.worker.taking(scripts),
            ClusterFollower(
                places: node.places, intake: node.intake, partitions: node.log.partitions, pause: Limits.clusterLook,
                owned: node.worker.owned, logger: configuration.logger, failures: failures, confirmed: committed
            ) { await supervisor.follow() },
            ClusterBalance(
                nodes: node.nodes, owned: node.worker.owned, partitions: node.log.partitions, own: node.worker.name,
                quotas: node.quotas, rests: node.rests, settings: settings, logger: configuration.logger,
                failures: failures),
            ClusterTrimmer(
                log: node.log, owned: node.worker.owned, pause: Limits.clusterTrim, logger: configuration.logger,
                failures: failures),
        ]
    }

    func countingHealth(
        _ parts: WorkspaceParts, _ configuration: WorkspaceConfiguration, _ steps: RolloutSteps
    ) -> [any Service] {
        [
            HealthSender(
                store: parts.store, inbox: parts.healthInbox, health: node.health, logger: configuration.logger),
            HealthFollower(
                store: parts.store, sources: parts.sources, health: node.health, steps: steps, metrics: parts.metrics,
                pause: Limits.healthLook, rolloutPause: configuration.rolloutPause,
                now: configuration.environment.now, logger: configuration.logger,
                failures: RepeatedFailures(now: configuration.environment.now)),
        ]
    }

    func healthCover(within patience: Duration) async -> HealthCover { await node.health.cover(within: patience) }

    func figures(now: Int64) async -> [EngineFigure] { await ClusterFigures.of(node, settings, now: now) }

    func clusterState(now: Int64) async throws -> JSON {
        async let others = node.nodes.nodes(within: Self.patience)
        let end = try await node.intake.mark()
        let places = await node.progress.standing
        return ClusterState(
            at: now, node: node.report, others: try await others, places: places, end: end,
            settings: await settings.standing
        ).json
    }

    func close() async { await node.log.close() }
}
