import HTTPTypes
import Hummingbird
import NIOCore
import TributaryJSON

extension Workspace {
    /// Puts the parts together: storage, writer, stream, routes.
    static func application(
        _ configuration: WorkspaceConfiguration, _ store: Store, onReady: @escaping @Sendable (Address) async -> Void
    ) throws -> some ApplicationProtocol {
        let (commits, commit) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let broadcaster = Broadcaster()
        let sources = try SourceRegistry(store: store, now: configuration.environment.now)
        let writer = BatchWriter(store: store, now: configuration.environment.now) { commit.yield() }

        let router = Router()
        router.add(middleware: HeaderMiddleware())
        router.add(middleware: ErrorMiddleware())
        router.get("v1/health") { _, _ in Response.json(["status": "ok"]) }
        IngestRoutes(sources: sources, writer: writer, environment: configuration.environment).add(to: router)
        SettingsRoutes(sources: sources, store: store).add(to: router)
        AdministrationRoutes(sources: sources).add(to: router)
        DryRunRoutes(sources: sources, store: store).add(to: router)
        LivePluginRoutes(sources: sources, store: store).add(to: router)
        EventRoutes(store: store).add(to: router)
        StreamRoutes(store: store, broadcaster: broadcaster).add(to: router)
        PageRoutes().add(to: router)

        return Application(
            router: router,
            server: .http1(configuration: .init(idleTimeout: .seconds(75))),
            configuration: ApplicationConfiguration(address: .hostname(configuration.host, port: configuration.port)),
            services: [
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
}
