package import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import ServiceLifecycle
import TributaryJSON
package import WorkspaceCore

extension Workspace {
    /// Puts the parts together: storage, writer, stream, routes.
    /// - Parameter newToken: the digest of an admin token that is not stored yet.
    static func application(
        _ configuration: WorkspaceConfiguration, _ store: Store, _ engine: any WorkspaceEngine, newToken: Data?,
        onReady: @escaping @Sendable (Address) async -> Void
    ) throws -> some ApplicationProtocol {
        let (commits, commit) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let parts = try parts(configuration, store, engine, newToken: newToken)
        let supervisor = supervisor(parts, configuration)
        let deletions = deletions(parts, supervisor, configuration)
        let notices = try noticeAddress(configuration)
        let identity = configuration.tls.map(CurrentIdentity.init)
        return Application(
            responder: EventLoopResponder(
                base: HeadResponder(base: try router(parts, supervisor, deletions, configuration).buildResponder()),
                short: IngestRoutes.paths),
            server: try server(identity, parts, configuration.environment.now),
            configuration: ApplicationConfiguration(address: .hostname(configuration.host, port: configuration.port)),
            services: engine.storing(parts, configuration, supervisor) {
                commit.yield()
                parts.commitSignal.notify()
            } + [
                Sweeper(
                    store: store, readYourWrites: parts.readYourWrites,
                    retention: Retention(days: configuration.retainDays), isConfirmed: configuration.confirmsRetention,
                    isCoordinator: parts.isCoordinator,
                    now: configuration.environment.now, logger: configuration.logger),
                LiveFeed(
                    store: store, broadcaster: parts.broadcaster, logger: configuration.logger, commits: commits),
                StreamPulse(
                    store: store, broadcaster: parts.broadcaster, logger: configuration.logger,
                    statistics: configuration.pulse.statistics, heartbeat: configuration.pulse.heartbeat),
                DeletionService(
                    store: store, sources: parts.sources, supervisor: supervisor, forwards: parts.forwards,
                    now: configuration.environment.now, logger: configuration.logger,
                    failures: RepeatedFailures(now: configuration.environment.now), pause: configuration.deletionPause),
                ReplayService(
                    store: store, sources: parts.sources, supervisor: supervisor, scans: parts.scans,
                    forwards: parts.forwards, now: configuration.environment.now, logger: configuration.logger,
                    failures: RepeatedFailures(now: configuration.environment.now), pause: configuration.replayPause),
                FunctionRolloutService(
                    store: store, sources: parts.sources, supervisor: supervisor, forwards: parts.forwards,
                    metrics: parts.metrics, now: configuration.environment.now, logger: configuration.logger,
                    failures: RepeatedFailures(now: configuration.environment.now), pause: configuration.rolloutPause),
                deletions.erasures, deletions.removals, parts.board, SettingsWaitService(waits: parts.settingsWaits),
            ] + optionalServices(parts, supervisor, configuration, notices: notices)
                + renewal(parts, configuration, identity),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? configuration.port
                await onReady(Address(host: configuration.host, port: port, isSecure: configuration.tls != nil))
            },
            logger: configuration.logger)
    }

    /// The services that depend on the configuration.
    private static func optionalServices(
        _ parts: WorkspaceParts, _ supervisor: ForwardingSupervisor, _ configuration: WorkspaceConfiguration,
        notices: ServiceAddress?
    ) -> [any Service] {
        forwarding(supervisor, configuration) + healthServices(parts, configuration, notices: notices)
            + alertServices(parts, configuration)
            + (parts.countries.map { [CountryWatch(countries: $0, pause: configuration.countryPause)] } ?? [])
    }

    /// Nothing for a server that stops when SIGHUP comes, or that leaves signals to its process.
    private static func renewal(
        _ parts: WorkspaceParts, _ configuration: WorkspaceConfiguration, _ identity: CurrentIdentity?
    ) -> [any Service] {
        guard configuration.handlesSignals, case .renew(let read) = configuration.hangUp else { return [] }
        return [
            SettingsRenewal(
                read: read, identity: identity, access: parts.access, metricsToken: parts.metricsToken,
                logger: configuration.logger)
        ]
    }

    /// Nothing for a server that was started for repair.
    private static func forwarding(
        _ supervisor: ForwardingSupervisor, _ configuration: WorkspaceConfiguration
    ) -> [any Service] {
        guard configuration.isForwarding else {
            configuration.logger.warning("\(ForwardingSupervisor.isOff)")
            return []
        }
        return [ForwardingService(supervisor: supervisor, logger: configuration.logger)]
    }

    /// Looks at the alert rules, and at how late destinations are. Nothing on a node of a cluster, where the counters of a node say little.
    private static func alertServices(
        _ parts: WorkspaceParts, _ configuration: WorkspaceConfiguration
    ) -> [any Service] {
        guard !parts.engine.isNode else { return [] }
        let looks = AlertLooks(
            store: parts.store, sources: parts.sources, states: parts.states, readings: parts.alertReadings,
            now: configuration.environment.now, logger: configuration.logger)
        let lags = Lags(
            store: parts.store, sources: parts.sources, states: parts.states, now: configuration.environment.now,
            logger: configuration.logger)
        return [
            AlertService(looks: looks, mail: configuration.mail, pause: configuration.alertPause),
            LagService(lags: lags, pause: configuration.alertPause),
        ]
    }

    /// The address that gets messages for operators; nil for none.
    private static func noticeAddress(
        _ configuration: WorkspaceConfiguration
    ) throws(WorkspaceError) -> ServiceAddress? {
        guard let url = configuration.noticeURL else { return nil }
        do throws(Refusal) {
            return try WebhookSettings(["url": .string(url)]).address
        } catch {
            throw WorkspaceError(.noticeURL, "messages to operators cannot be sent: \(error.message)")
        }
    }

    /// The services that store health reports and move roll-outs, and the service that sends messages to operators.
    private static func healthServices(
        _ parts: WorkspaceParts, _ configuration: WorkspaceConfiguration,
        notices address: ServiceAddress?
    ) -> [any Service] {
        let steps = RolloutSteps(
            store: parts.store, sources: parts.sources, metrics: parts.metrics, isCoordinator: parts.isCoordinator,
            now: configuration.environment.now, logger: configuration.logger)
        let health = parts.engine.countingHealth(parts, configuration, steps)
        guard let address else { return health }
        let notices = NoticeService(
            store: parts.store, address: address, pause: configuration.rolloutPause, isCoordinator: parts.isCoordinator,
            now: configuration.environment.now, logger: configuration.logger)
        return health + [notices]
    }

    package static func parts(
        _ configuration: WorkspaceConfiguration, _ store: Store, _ engine: any WorkspaceEngine, newToken: Data? = nil
    ) throws -> WorkspaceParts {
        guard let token = try newToken ?? store.adminToken() else {
            throw WorkspaceError(.adminToken, "there is no admin token")
        }
        let (intake, suppressions) = (engine.intake, engine.suppressions)
        try suppressions.begin(with: store)
        let waits = SettingsWaits(
            seconds: configuration.settingsPushSeconds,
            limit: configuration.heldSettings ?? min(Limits.heldSettings, OpenFiles.connections / 2))
        let sources = try SourceRegistry(store: store, now: configuration.environment.now) {
            waits.noteChange(of: $0)
        }
        let readYourWrites = ReadYourWrites(intake: intake, patience: configuration.patience)
        let scans = configuration.scans ?? Scans(isIngestBusy: { engine.isIngestBusy() })
        return WorkspaceParts(
            store: store, intake: intake, sources: sources, settingsWaits: waits, readYourWrites: readYourWrites,
            access: try AdminAccess(
                token: token, store: store, environment: configuration.environment, logger: configuration.logger,
                openID: configuration.openID),
            metricsToken: try MetricsToken(configuration.metricsToken),
            quotas: engine.quotas,
            scans: scans,
            bodyMemory: BodyMemory(
                limit: configuration.bodyBytes ?? max(Limits.leastBodyMemory, MemoryLimit.bytes / 4)),
            engine: engine, isCoordinator: { engine.isCoordinator }, forwards: { engine.forwards(to: $0) },
            states: ForwardingStates(engine.rests), suppressions: suppressions,
            functions: SourceFunctions(program: configuration.program, logger: configuration.logger),
            countries: try configuration.countryDatabase.map { path throws(WorkspaceError) in
                try CountryBook(path: path, logger: configuration.logger)
            },
            board: board(store, sources, readYourWrites, scans, now: configuration.environment.now))
    }

    /// The answers on the board, by the searches of the API.
    private static func board(
        _ store: Store, _ sources: SourceRegistry, _ readYourWrites: ReadYourWrites, _ scans: Scans,
        now: @escaping @Sendable () -> Int64
    ) -> BoardAnswers {
        let asking = BoardAsking(
            sources: sources,
            catalog: CatalogRoutes(sources: sources, store: store, readYourWrites: readYourWrites, now: now),
            breakdown: BreakdownRoutes(
                sources: sources, store: store, readYourWrites: readYourWrites, scans: scans, now: now),
            people: PeopleRoutes(
                sources: sources, store: store, readYourWrites: readYourWrites, scans: scans, now: now),
            scans: scans, now: now)
        return BoardAnswers(now: now) { try await asking.answer($0) }
    }

    static func supervisor(
        _ parts: WorkspaceParts, _ configuration: WorkspaceConfiguration
    ) -> ForwardingSupervisor {
        ForwardingSupervisor(
            store: parts.store, sources: parts.sources, states: parts.states, metrics: parts.metrics,
            commitSignal: parts.commitSignal, filesFolder: configuration.filesFolder, program: configuration.program,
            isForwarding: configuration.isForwarding, forwards: parts.forwards,
            now: configuration.environment.now, logger: configuration.logger)
    }

    /// The deletions that run: erasures of users, and removals of sources.
    struct Deletions {
        let erasures: DeletionRuns<Erased>
        let removals: DeletionRuns<JSON>
    }

    static func deletions(
        _ parts: WorkspaceParts, _ supervisor: ForwardingSupervisor, _ configuration: WorkspaceConfiguration
    ) -> Deletions {
        let (store, now) = (parts.store, configuration.environment.now)
        let erasure = Erasure(
            store: store, intake: parts.intake, suppressions: parts.suppressions, now: now)
        let removal = SourceRemoval(
            store: store, sources: parts.sources, intake: parts.intake, supervisor: supervisor, now: now)
        return Deletions(erasures: DeletionRuns(erasure), removals: DeletionRuns(removal))
    }

    /// Every address that the server answers.
    static func router(
        _ parts: WorkspaceParts, _ supervisor: ForwardingSupervisor, _ deletions: Deletions,
        _ configuration: WorkspaceConfiguration
    ) throws -> Router<WorkspaceContext> {
        let origin = RequestOrigin(
            publicURL: try configuration.publicURL.map(PublicURL.init),
            proxies: try TrustedProxies(configuration.trustedProxies))
        let table = Router(context: WorkspaceContext.self)
        addPublic(parts, configuration, origin, to: table)
        let open = RouteTable(table)
        try addOwn(parts, supervisor, deletions, configuration, origin, to: table)
        let router = Router(context: WorkspaceContext.self)
        addMiddleware(parts, configuration, origin, open: open, all: RouteTable(table), to: router)
        addPublic(parts, configuration, origin, to: router)
        try addOwn(parts, supervisor, deletions, configuration, origin, to: router)
        return router
    }

    /// - Parameters:
    ///   - open: paths that pages of every origin may use.
    ///   - all: every path.
    private static func addMiddleware(
        _ parts: WorkspaceParts, _ configuration: WorkspaceConfiguration, _ origin: RequestOrigin, open: RouteTable,
        all: RouteTable, to router: Router<WorkspaceContext>
    ) {
        router.add(middleware: MetricsMiddleware(metrics: parts.metrics))
        if let logger = configuration.accessLog {
            router.add(middleware: AccessLogMiddleware(logger: logger, proxies: origin.proxies))
        }
        if configuration.tls != nil { router.add(middleware: SecureMiddleware()) }
        router.add(middleware: HeaderMiddleware(open: open, isStrict: configuration.tls?.isSelfSigned == false))
        router.add(
            middleware: ErrorMiddleware(
                failures: RepeatedFailures(now: configuration.environment.now), routes: all))
        router.add(
            middleware: RefusalMiddleware(
                book: parts.refusals, proxies: origin.proxies, now: configuration.environment.now))
        router.add(middleware: HostHeaderMiddleware())
        router.add(middleware: PreflightMiddleware(open: open))
    }

    /// The page, the administration and the metrics: routes that pages of other origins must not use.
    private static func addOwn(
        _ parts: WorkspaceParts, _ supervisor: ForwardingSupervisor, _ deletions: Deletions,
        _ configuration: WorkspaceConfiguration, _ origin: RequestOrigin, to router: Router<WorkspaceContext>
    ) throws {
        let hosts = try ownHosts(configuration, origin.publicURL)
        let guesses = GuessGuard(
            proxies: origin.proxies, metrics: parts.metrics, now: configuration.environment.now,
            logger: configuration.logger)
        let page = router.group().add(middleware: hosts)
        LoginRoutes(
            access: parts.access, guesses: guesses, origin: origin, bodyMemory: parts.bodyMemory,
            openID: configuration.openID
        ).add(to: page)
        addOpenID(parts, configuration, guesses, origin, to: page)
        try PageRoutes(
            access: parts.access, libraries: WebLibraries(folder: configuration.webLibraries),
            isNode: parts.engine.isNode
        ).add(to: page)
        var access = AccessMiddleware(
            access: parts.access, guesses: guesses, origin: origin, roles: try RouteRoles.described(),
            sights: try RouteSights.described(), sources: parts.sources, bodyMemory: parts.bodyMemory)
        try addAdministration(
            parts, supervisor, deletions, configuration,
            to: router.group().add(middleware: hosts).add(middleware: access)
                .add(middleware: CompressionMiddleware())
                .add(middleware: QueryMiddleware(names: try QueryNames.described())))
        access.reader = { [token = parts.metricsToken] in token.grant($0) }
        MetricsRoutes(parts: parts, now: configuration.environment.now)
            .add(to: router.group().add(middleware: hosts).add(middleware: access))
        let links = boardLinks(parts, configuration)
        access.reader = { try await links.grant($0) }
        SharedBoardRoutes(store: parts.store, answers: parts.board)
            .add(
                to: router.group().add(middleware: hosts).add(middleware: access).add(
                    middleware: CompressionMiddleware()
                ).add(middleware: QueryMiddleware(names: try QueryNames.described())))
    }

    private static func boardLinks(_ parts: WorkspaceParts, _ configuration: WorkspaceConfiguration) -> BoardLinks {
        BoardLinks(
            store: parts.store, makeSecret: configuration.environment.makeSecret, now: configuration.environment.now,
            logger: configuration.logger)
    }

    private static func addOpenID(
        _ parts: WorkspaceParts, _ configuration: WorkspaceConfiguration, _ guesses: GuessGuard,
        _ origin: RequestOrigin, to page: some RouterMethods<WorkspaceContext>
    ) {
        guard let openID = configuration.openID else {
            for path in ["login/oidc", "login/oidc/callback"] {
                page.get(RouterPath(path)) { _, _ -> Response in
                    throw Refusal.notFound(
                        "this workspace has no login with OpenID Connect; serve --oidc-issuer sets it up")
                }
            }
            return
        }
        OpenIDRoutes(
            configuration: openID, provider: OpenIDProvider(openID, now: configuration.environment.now),
            access: parts.access, guesses: guesses, origin: origin, makeSecret: configuration.environment.makeSecret,
            now: configuration.environment.now, logger: configuration.logger
        ).add(to: page)
    }

    /// The names under which the page and the administration answer.
    private static func ownHosts(
        _ configuration: WorkspaceConfiguration, _ publicURL: PublicURL?
    ) throws(WorkspaceError) -> HostMiddleware<WorkspaceContext> {
        let site = publicURL.flatMap { $0.isPathOfSite ? $0 : nil }
        if let site, configuration.allowedHosts.contains(where: { $0.lowercased() == site.host }) {
            throw WorkspaceError(
                .address,
                "the allowed host \"\(site.host)\" is the site of the public address \(site.text): the page and the "
                    + "administration need a host of their own, because scripts of a site can use the logins of its host"
            )
        }
        let names = configuration.allowedHosts + (site == nil ? [publicURL?.host].compactMap { $0 } : [])
        return HostMiddleware(hosts: try AllowedHosts(listening: configuration.host, others: names), site: site)
    }

    /// The routes in the form of API descriptions: `GET /api/events/{messageId}`.
    static func routes(_ parts: WorkspaceParts, _ configuration: WorkspaceConfiguration) throws -> [String] {
        let supervisor = supervisor(parts, configuration)
        let deletions = deletions(parts, supervisor, configuration)
        return try router(parts, supervisor, deletions, configuration).routes.map { route in
            let steps = "\(route.path)".split(separator: "/").map {
                $0.hasPrefix(":") ? "{\($0.dropFirst())}" : "\($0)"
            }
            return "\(route.method.rawValue) /\(steps.joined(separator: "/"))"
        }
    }

    private static func addPublic(
        _ parts: WorkspaceParts, _ configuration: WorkspaceConfiguration, _ origin: RequestOrigin,
        to router: Router<WorkspaceContext>
    ) {
        HealthRoutes(intake: parts.intake).add(to: router)
        let ingest = IngestRoutes(
            sources: parts.sources, intake: parts.intake, environment: configuration.environment,
            metrics: parts.metrics, quotas: parts.quotas, proxies: origin.proxies,
            outcomes: parts.outcomes, traceOrders: parts.traceOrders, suppressions: parts.suppressions,
            countries: parts.countries, bodyMemory: parts.bodyMemory)
        ingest.add(to: router)
        HookRoutes(
            sources: parts.sources, functions: parts.functions, ingest: ingest, bodyMemory: parts.bodyMemory,
            now: configuration.environment.now
        ).add(to: router)
        HealthReportRoutes(
            sources: parts.sources, inbox: parts.healthInbox, quotas: parts.quotas, now: configuration.environment.now,
            bodyMemory: parts.bodyMemory
        ).add(to: router)
        SettingsRoutes(
            sources: parts.sources, store: parts.store, origin: origin, waits: parts.settingsWaits,
            now: configuration.environment.now
        ).add(to: router)
    }

    private static func addAdministration(
        _ parts: WorkspaceParts, _ supervisor: ForwardingSupervisor, _ deletions: Deletions,
        _ configuration: WorkspaceConfiguration, to router: some RouterMethods<WorkspaceContext>
    ) throws {
        let (store, sources, readYourWrites) = (parts.store, parts.sources, parts.readYourWrites)
        AdministrationRoutes(
            sources: sources, makeWriteKey: configuration.environment.makeWriteKey,
            removals: deletions.removals
        ).add(to: router)
        KeyRoutes(sources: sources, makeWriteKey: configuration.environment.makeWriteKey).add(to: router)
        PolicyRoutes(sources: sources).add(to: router)
        StopRoutes(sources: sources, store: store, now: configuration.environment.now).add(to: router)
        PlanRoutes(
            sources: sources, store: store, readYourWrites: readYourWrites, scans: parts.scans,
            now: configuration.environment.now
        ).add(to: router)
        FilterRoutes(sources: sources, store: store).add(to: router)
        DryRunRoutes(sources: sources, store: store, readYourWrites: readYourWrites, scans: parts.scans).add(to: router)
        let trials = PluginTrials(program: configuration.program)
        let places = PluginPlaces(
            sources: sources, store: store, runsScripts: configuration.program != nil)
        let gate = GoldenGate(sources: sources, store: store, trials: trials)
        LivePluginRoutes(sources: sources, store: store, trials: trials, places: places, gate: gate).add(to: router)
        PluginTrialRoutes(
            sources: sources, store: store, readYourWrites: readYourWrites, trials: trials, gate: gate,
            knowledge: PluginKnowledge(sources: sources, store: store, now: configuration.environment.now)
        ).add(to: router)
        LiveHealthRoutes(
            sources: sources, store: store,
            cover: { [engine = parts.engine, patience = configuration.patience] in
                await engine.healthCover(within: patience)
            }, now: configuration.environment.now
        ).add(to: router)
        LedgerRoutes(
            sources: sources, store: store, readYourWrites: readYourWrites, scans: parts.scans,
            cover: { [engine = parts.engine, patience = configuration.patience] in
                await engine.healthCover(within: patience)
            }, now: configuration.environment.now
        ).add(to: router)
        RolloutRoutes(sources: sources, store: store).add(to: router)
        TraceOrderRoutes(
            sources: sources, store: store, book: parts.traceOrders, now: configuration.environment.now
        ).add(to: router)
        EventRoutes(store: store, readYourWrites: readYourWrites, scans: parts.scans).add(to: router)
        CatalogRoutes(
            sources: sources, store: store, readYourWrites: readYourWrites, now: configuration.environment.now
        ).add(to: router)
        BreakdownRoutes(
            sources: sources, store: store, readYourWrites: readYourWrites, scans: parts.scans,
            now: configuration.environment.now
        ).add(to: router)
        PeopleRoutes(
            sources: sources, store: store, readYourWrites: readYourWrites, scans: parts.scans,
            now: configuration.environment.now
        ).add(to: router)
        TraitRoutes(sources: sources, store: store, readYourWrites: readYourWrites, scans: parts.scans).add(to: router)
        ExportRoutes(store: store, readYourWrites: readYourWrites, scans: parts.scans).add(to: router)
        SQLRoutes(
            sources: sources, store: store, readYourWrites: readYourWrites, scans: parts.scans,
            program: configuration.program
        ).add(to: router)
        WaitRoutes(
            store: store, readYourWrites: readYourWrites, commitSignal: parts.commitSignal, scans: parts.scans
        ).add(to: router)
        ResetRoutes(
            store: store, readYourWrites: readYourWrites, isAllowed: configuration.allowsReset,
            now: configuration.environment.now
        ).add(to: router)
        StreamRoutes(
            store: store, broadcaster: parts.broadcaster, access: parts.access,
            seen: SeenStream(store: store, sources: sources)
        ).add(to: router)
        ErasureRoutes(
            runs: deletions.erasures, store: store, suppressions: parts.suppressions, now: configuration.environment.now
        ).add(to: router)
        SuppressionRoutes(store: store, book: parts.suppressions, now: configuration.environment.now).add(to: router)
        let destinations = DestinationAccess(
            sources: sources, store: store, supervisor: supervisor, states: parts.states,
            readYourWrites: readYourWrites,
            isForwarding: configuration.isForwarding, now: configuration.environment.now, logger: configuration.logger)
        let functions = FunctionCheck(program: configuration.program, logger: configuration.logger)
        DestinationRoutes(
            access: destinations, functions: functions, makeSecret: configuration.environment.makeSecret
        ).add(to: router)
        FunctionTrialRoutes(access: destinations, functions: functions, scans: parts.scans).add(to: router)
        FunctionRoutes(functions: functions).add(to: router)
        SourceFunctionRoutes(
            sources: sources, store: store, functions: parts.functions,
            makeSecret: configuration.environment.makeSecret,
            now: configuration.environment.now
        ).add(to: router)
        DeadLetterRoutes(access: destinations).add(to: router)
        HeldRoutes(access: destinations).add(to: router)
        ReplayRoutes(access: destinations, scans: parts.scans).add(to: router)
        ConsentRoutes(
            proof: ConsentProof(store: store, sources: sources), readYourWrites: readYourWrites
        ).add(to: router)
        DeletionRequestRoutes(access: destinations).add(to: router)
        TokenRoutes(access: parts.access, sources: sources) { await parts.broadcaster.cutOff(token: $0) }.add(
            to: router)
        AlertRoutes(
            store: store, sources: sources, readings: parts.alertReadings, notices: try noticeAddress(configuration),
            mail: configuration.mail, isNode: parts.engine.isNode, now: configuration.environment.now
        ).add(to: router)
        StripRoutes(
            store: store, sources: sources, readYourWrites: readYourWrites, retainDays: configuration.retainDays,
            now: configuration.environment.now
        ).add(to: router)
        ViewRoutes(store: store, sources: sources, now: configuration.environment.now).add(to: router)
        BoardLinkRoutes(links: boardLinks(parts, configuration)).add(to: router)
        AuditRoutes(store: store).add(to: router)
        ServerRoutes(parts: parts, retainDays: configuration.retainDays).add(to: router)
        ClusterRoutes(engine: parts.engine, now: configuration.environment.now).add(to: router)
        WhoRoutes(sources: sources).add(to: router)
        OpenAPIRoutes().add(to: router)
    }

    private static func server(
        _ identity: CurrentIdentity?, _ parts: WorkspaceParts, _ now: @escaping @Sendable () -> Int64
    ) throws -> HTTPServerBuilder {
        let plain = HTTPServerBuilder { responder in
            let base = HTTP1Channel(responder: responder, configuration: .init(idleTimeout: .seconds(75)))
            return WorkspaceChannel(base: base, connections: parts.connections) { [refusals = parts.refusals] address in
                refusals.note(
                    RefusedRequest(.plainHTTP, reason: "plain http came to the port of https", address: address),
                    at: now())
            }
        }
        guard let identity else { return plain }
        return try .tls(plain, tlsConfiguration: identity.configuration())
    }
}
