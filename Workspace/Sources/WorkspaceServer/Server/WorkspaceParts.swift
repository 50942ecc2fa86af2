package import WorkspaceCore

/// The objects that routes and services of one server share.
package struct WorkspaceParts: Sendable {
    package let store: Store
    package let intake: any Intake
    package let sources: SourceRegistry
    let settingsWaits: SettingsWaits
    let readYourWrites: ReadYourWrites
    package let access: AdminAccess
    let metricsToken: MetricsToken
    package let quotas: QuotaLedger
    let scans: Scans
    let bodyMemory: BodyMemory
    package let engine: any WorkspaceEngine
    /// Whether this server does the work that only one node of a cluster may do.
    package let isCoordinator: @Sendable () -> Bool
    /// Whether this server forwards to a destination.
    package let forwards: @Sendable (Int64) -> Bool
    let connections = OpenConnections(limit: OpenFiles.connections)
    let broadcaster = Broadcaster()
    package let metrics = ServerMetrics()
    let commitSignal = CommitSignal()
    let outcomes = RequestOutcomes()
    package let states: ForwardingStates
    package let suppressions: SuppressionBook
    package let healthInbox = HealthInbox()
    let traceOrders = TraceOrderBook()
    let refusals = RefusalBook()
    let functions: SourceFunctions
    let countries: CountryBook?
    let alertReadings = AlertReadings()
    let board: BoardAnswers
}
