import ServiceLifecycle
import Synchronization
import TributaryJSON
import TributaryJournal
import WorkspaceCore

/// One machine: requests wait in its journal, and its folder has the events.
final class MachineEngine: WorkspaceEngine {
    let journal: IngestJournal
    let quotas: QuotaLedger
    let suppressions = SuppressionBook()
    let rests = PausedDestinations()
    private let progress: IndexProgress
    private let backlog: ScriptBacklog
    private let activity = Mutex(IngestActivity())

    /// - Parameter now: milliseconds since 1970.
    init(_ journal: IngestJournal, _ store: Store, now: @escaping @Sendable () -> Int64) throws {
        self.journal = journal
        quotas = try QuotaLedger(today: store.received(on: now() / Day.milliseconds), now: now)
        backlog = try store.scriptBacklog()
        let isLong = journal.waitingCount > Limits.requestsWaitedFor
        progress = IndexProgress(
            sequence: try Self.indexed(store, journal), backlog: isLong ? journal.lastSequence : 0)
    }

    /// The place from which the indexer goes on. It is valid only for the journal that it was written for.
    private static func indexed(_ store: Store, _ journal: IngestJournal) throws -> UInt64 {
        guard let place = try store.indexed(), place.epoch == journal.journal.epoch else { return 0 }
        return place.sequence
    }

    var intake: any Intake { JournalIntake(journal: journal, progress: progress) }
    var isNode: Bool { false }
    var isCoordinator: Bool { true }

    func forwards(to destination: Int64) -> Bool { true }

    func isIngestBusy() -> Bool {
        activity.withLock { $0.isBusy(waiting: journal.waitingCount, lastSequence: journal.lastSequence) }
    }

    func storing(
        _ parts: WorkspaceParts, _ configuration: WorkspaceConfiguration, _ supervisor: ForwardingSupervisor,
        committed: @escaping @Sendable () -> Void
    ) -> [any Service] {
        let (store, now, logger) = (parts.store, configuration.environment.now, configuration.logger)
        let reports = ScriptReports(parts.healthInbox, now: now, logger)
        let scripts = ScriptStage(
            make: { SourceScripts(program: configuration.program, store: store, reports: reports, logger: logger) },
            wake: { [journal] in journal.wake() })
        return [
            Indexer(
                journal: journal, store: store, sources: parts.sources, scripts: scripts, backlog: backlog,
                progress: progress, outcomes: parts.outcomes,
                metrics: parts.metrics, suppressions: suppressions, now: configuration.environment.now,
                logger: configuration.logger, failures: RepeatedFailures(now: configuration.environment.now),
                committed: committed)
        ]
    }

    func countingHealth(
        _ parts: WorkspaceParts, _ configuration: WorkspaceConfiguration, _ steps: RolloutSteps
    ) -> [any Service] {
        [
            HealthService(
                store: parts.store, sources: parts.sources, inbox: parts.healthInbox, steps: steps,
                metrics: parts.metrics, pause: configuration.rolloutPause, logger: configuration.logger)
        ]
    }

    func healthCover(within patience: Duration) -> HealthCover { HealthCover() }

    func figures(now: Int64) -> [EngineFigure] { [] }

    /// One machine has no nodes and no problems with them.
    func clusterState(now: Int64) -> JSON {
        ["at": .time(now), "answeredBy": .null, "problems": [], "nodes": [], "partitions": [], "settings": .null]
    }

    func close() { journal.close() }
}
