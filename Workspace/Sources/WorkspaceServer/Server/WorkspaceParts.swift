/// The objects that routes and services of one server share.
struct WorkspaceParts: Sendable {
    let store: Store
    let intake: any Intake
    let sources: SourceRegistry
    let readYourWrites: ReadYourWrites
    let access: AdminAccess
    let metricsToken: MetricsToken
    let quotas: QuotaLedger
    let scans: Scans
    let bodyMemory: BodyMemory
    let engine: any WorkspaceEngine
    /// Whether this server does the work that only one node of a cluster may do.
    let isCoordinator: @Sendable () -> Bool
    /// Whether this server forwards to a destination.
    let forwards: @Sendable (Int64) -> Bool
    let connections = OpenConnections(limit: OpenFiles.connections)
    let broadcaster = Broadcaster()
    let metrics = ServerMetrics()
    let commitSignal = CommitSignal()
    let outcomes = RequestOutcomes()
    let board: ForwardingStates
    let suppressions: SuppressionBook
    let healthInbox = HealthInbox()
    let traceOrders = TraceOrderBook()
    let refusals = RefusalBook()
}
