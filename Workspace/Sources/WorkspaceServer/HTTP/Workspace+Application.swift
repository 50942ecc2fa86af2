import HTTPTypes
import Hummingbird
import NIOCore
import TributaryJournal

extension Workspace {
    /// Puts the parts together: storage, writer, stream, routes.
    static func application(
        _ configuration: WorkspaceConfiguration, _ store: Store, _ journal: IngestJournal,
        onReady: @escaping @Sendable (Address) async -> Void
    ) throws -> some ApplicationProtocol {
        let (commits, commit) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let broadcaster = Broadcaster()
        let sources = try SourceRegistry(store: store, now: configuration.environment.now)
        let progress = IndexProgress(sequence: try indexed(store, journal))
        let freshness = Freshness(journal: journal, progress: progress, patience: configuration.patience)

        guard let token = try store.adminToken() else { throw WorkspaceError(.adminToken, "there is no admin token") }
        let access = try AdminAccess(
            token: token, store: store, environment: configuration.environment, logger: configuration.logger)
        let hosts = AllowedHosts(listening: configuration.host, others: configuration.allowedHosts)

        let metrics = ServerMetrics()
        let router = Router()
        router.add(middleware: MetricsMiddleware(metrics: metrics))
        router.add(middleware: HeaderMiddleware())
        router.add(middleware: ErrorMiddleware())
        let page = router.group().add(middleware: HostMiddleware(hosts: hosts))
        let administration = router.group().add(middleware: HostMiddleware(hosts: hosts))
            .add(middleware: AccessMiddleware(access: access))
        HealthRoutes(journal: journal, progress: progress).add(to: router)
        IngestRoutes(sources: sources, journal: journal, environment: configuration.environment, metrics: metrics)
            .add(to: router)
        SettingsRoutes(sources: sources, store: store).add(to: router)
        AdministrationRoutes(sources: sources).add(to: administration)
        DryRunRoutes(sources: sources, store: store, freshness: freshness).add(to: administration)
        LivePluginRoutes(sources: sources, store: store).add(to: administration)
        EventRoutes(store: store, freshness: freshness).add(to: administration)
        StreamRoutes(store: store, broadcaster: broadcaster).add(to: administration)
        ErasureRoutes(
            erasure: Erasure(store: store, journal: journal, freshness: freshness, now: configuration.environment.now)
        ).add(to: administration)
        AuditRoutes(store: store).add(to: administration)
        MetricsRoutes(metrics: metrics, journal: journal, broadcaster: broadcaster).add(to: administration)
        LoginRoutes(access: access).add(to: page)
        PageRoutes(access: access).add(to: page)

        return Application(
            router: router,
            server: .http1(configuration: .init(idleTimeout: .seconds(75))),
            configuration: ApplicationConfiguration(address: .hostname(configuration.host, port: configuration.port)),
            services: [
                Indexer(
                    journal: journal, store: store, progress: progress, metrics: metrics,
                    now: configuration.environment.now,
                    logger: configuration.logger
                ) { commit.yield() },
                Sweeper(
                    store: store, freshness: freshness, retention: Retention(days: configuration.retainDays),
                    now: configuration.environment.now, logger: configuration.logger),
                LiveFeed(store: store, broadcaster: broadcaster, logger: configuration.logger, commits: commits),
                StreamPulse(
                    store: store, broadcaster: broadcaster, logger: configuration.logger,
                    intervals: configuration.pulse),
            ],
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? configuration.port
                await onReady(Address(host: configuration.host, port: port))
            },
            logger: configuration.logger)
    }

    /// Where the indexer goes on. The place counts only in the journal that it was written for.
    private static func indexed(_ store: Store, _ journal: IngestJournal) throws -> UInt64 {
        guard let place = try store.indexed(), place.epoch == journal.journal.epoch else { return 0 }
        return place.sequence
    }
}
