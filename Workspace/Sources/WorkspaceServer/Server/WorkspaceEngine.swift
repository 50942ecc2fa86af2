package import ServiceLifecycle
package import TributaryJSON
package import WorkspaceCore

/// What a workspace does in one way on one machine and in another as a node of a cluster.
package protocol WorkspaceEngine: Sendable {
    /// Where acknowledged requests wait until they are stored.
    var intake: any Intake { get }
    /// Counts the events of sources that have a quota.
    var quotas: QuotaLedger { get }
    /// The users and devices for which nothing is stored.
    var suppressions: SuppressionBook { get }
    /// The destinations to which nothing is sent at present.
    var rests: PausedDestinations { get }
    /// Whether it is a node of a cluster. The page shows more then.
    var isNode: Bool { get }
    /// Whether this server does the work that only one may do: moving roll-outs and deleting old days.
    var isCoordinator: Bool { get }

    /// Whether this server forwards to the destination of that number.
    func forwards(to destination: Int64) -> Bool

    /// Whether a search should rest because requests wait on this machine.
    func isIngestBusy() -> Bool

    /// The services that store acknowledged requests.
    /// - Parameters:
    ///   - supervisor: what forwards to destinations; it has to know of other nodes' changes.
    ///   - committed: called after rows were stored.
    func storing(
        _ parts: WorkspaceParts, _ configuration: WorkspaceConfiguration, _ supervisor: ForwardingSupervisor,
        committed: @escaping @Sendable () -> Void
    ) -> [any Service]

    /// The services that count health reports.
    func countingHealth(
        _ parts: WorkspaceParts, _ configuration: WorkspaceConfiguration, _ steps: RolloutSteps
    ) -> [any Service]

    /// Which health reports are counted. Waits until those that came before are, at most so long.
    func healthCover(within patience: Duration) async -> HealthCover

    /// The figures that only a node has; empty on one machine.
    /// - Parameter now: milliseconds since 1970.
    func figures(now: Int64) async -> [EngineFigure]

    /// The answer to `GET /api/cluster`.
    /// - Parameter now: milliseconds since 1970.
    func clusterState(now: Int64) async throws -> JSON

    func close() async
}
