package import Foundation
package import Logging

/// An analytics client. It takes calls from anywhere in an app and delivers their events.
///
/// ```swift
/// let analytics = Analytics(configuration: Configuration(writeKey: "KEY"))
/// analytics.identify(userId: "u-1", traits: ["plan": "pro"])
/// analytics.track(name: "Order Completed", properties: ["total": 42, "currency": "EUR"])
/// ```
///
/// Every call returns after microseconds and may be made from any thread. An event is on disk when its call returns.
/// Later, on threads of the client, the event goes through the plugins and to the server.
///
/// Unchecked because everything is constant or thread-safe by itself, and only the pipeline's executor calls plugins.
public final class Analytics: @unchecked Sendable {
    /// The plugins of this client.
    public let timeline = Timeline()
    /// The source that this client's events belong to.
    public let writeKey: String

    let values: Configuration.Values
    /// The queue of this client's own events.
    let eventQueue: EventQueue
    let adoption: QueueAdoption
    let inbox: FailoverLog
    let outbox: FailoverLog
    let deadLetters: DeadLetterLog
    let pipeline: Pipeline
    let uploader: Uploader
    let settingsLoader: SettingsLoader
    let traces: TraceSender?
    let health: HealthReporter?
    let identity: Identity
    let hub: DiagnosticHub
    let counterStore: CounterStore
    let cloud: CloudDestination
    let flushing: FlushScheduler
    /// The folder with the files of this client's write key; nil when the client works in memory.
    package let storageFolder: URL?
    /// The app's version that another analytics library saw last. With it, the app does not count as newly installed.
    let inheritedApplication: LockBox<LegacySDKApplication?>
    /// Calls that wait until the disk can be read.
    let held: HeldCalls
    /// Decides where tracked events go, by the user's consent.
    let writer: EventWriter
    let context: ContextPlugin
    let hasConsentGate = LockBox(false)
    /// The drops that earlier flushes reported in their results, by reason.
    let reportedDrops = LockBox<[String: Int]>([:])
    private let requestTransport: any Transport

    /// Makes a client. This waits for no network. The client reports mistakes of the configuration to diagnostics, the
    /// log and the error handler, and works as well as it can: without a disk, it works in memory.
    public convenience init(configuration: Configuration) { self.init(configuration, isShared: true) }

    /// - Parameter isShared: whether `shared()` may return this client.
    init(_ configuration: Configuration, isShared: Bool) {
        let values = configuration.values
        self.values = values
        writeKey = values.writeKey
        let hub = DiagnosticHub(
            logger: values.logger, time: values.time, errorHandler: values.errorHandler,
            observer: values.diagnosticObserver)
        self.hub = hub
        let report: @Sendable (Diagnostic) -> Void = { hub.report($0) }
        let counterStore = CounterStore(hub: hub)
        self.counterStore = counterStore
        let transport = WatchedTransport(values.requestTransport, time: values.time)
        requestTransport = transport

        let directory = QueueDirectory(
            values: values, transport: transport, counterStore: counterStore, report: report)
        let eventQueue = directory.own()
        self.eventQueue = eventQueue
        inbox = eventQueue.inbox
        outbox = eventQueue.outbox
        deadLetters = eventQueue.deadLetters
        storageFolder = directory.location?.folder
        let writer = EventWriter(
            eventQueue: eventQueue, consent: values.consent, time: values.time,
            place: ConsentPlace(directory.keptFile(ConsentPlace.fileName), store: values.storageMode.ownStore),
            report: report)
        self.writer = writer
        let newAnonymousId = values.newAnonymousId(report: report)
        let beginning = StartFacts.read(eventQueue, writer, values, report, anonymousId: newAnonymousId)
        let begun = try? beginning.get()
        held = HeldCalls(beginning.failure)
        inheritedApplication = LockBox(begun?.inheritance?.application)
        identity = Identity(begun?.user, writer: writer, newAnonymousId: newAnonymousId)
        uploader = eventQueue.uploader
        let context = ContextPlugin(instanceId: values.identifiers.next(), userAgent: values.userAgent)
        self.context = context
        let cloud = CloudDestination(
            eventQueue: eventQueue, context: { context.rendered }, counterStore: counterStore, report: report)
        self.cloud = cloud
        let traces = Self.traces(values, directory)
        self.traces = traces
        let health = values.healthReports ? Self.health(values, directory, eventQueue, writer, context) : nil
        self.health = health
        let flushing = FlushScheduler(report: report)
        self.flushing = flushing
        let delivery = DeliverySettings(values: values, report: report)
        let adopted = LockBox<QueueAdoption?>(nil)
        let due = LockBox<@Sendable () -> Void>({})
        let pipeline = Pipeline(
            eventQueue: eventQueue, timeline: timeline, counterStore: counterStore, time: values.time,
            waitingTimeout: values.waitingTimeout, destinationTimeout: values.destinationTimeout, traces: traces,
            flushing: flushing, report: report,
            onSettings: { settings in
                let (endpoint, policy) = delivery.read(settings)
                eventQueue.uploader.apply(endpoint, policy)
                traces?.start(endpoint: endpoint)
                health?.apply(settings, endpoint)
                adopted.withLock { $0 }?.begin { $0.apply(endpoint, policy) }
            },
            onDue: {
                let deliver = due.current
                deliver()
            })
        self.pipeline = pipeline
        let adoption = QueueAdoption(directory: directory, own: eventQueue) { [weak pipeline] in pipeline?.empty($0, $1)
        }
        self.adoption = adoption
        adopted.withLock { $0 = adoption }
        settingsLoader = SettingsLoader(
            url: Endpoint(values.cdnHost)?.settingsURL(writeKey: writeKey), defaults: values.defaultSettings,
            interval: values.settingsInterval, timeout: values.settingsTimeout,
            isRequired: values.requiresSettings, time: values.time,
            cache: directory.location.map { SettingsCache($0, values.files, directory.keptFiles, report: report) },
            transport: transport, report: report,
            onAnswer: {
                health?.look()
                adoption.lookWithSettings()
            }
        ) { settings, origin in
            writer.setSwitchedOff(settings.isCollectionSwitchedOff)
            pipeline.apply(settings, from: origin)
        }

        beginHealthReports()
        takeTraceOrders()
        add(builtIn: context)
        if values.autoAddSegmentDestination { add(builtIn: cloud) }
        if !values.destinationCategories.isEmpty || !writer.record.categories.isEmpty { addConsentGate() }
        if SystemLifecycle.isWatched { add(builtIn: Lifecycle(tracked: values.trackedLifecycleEvents)) }
        if writer.isMoving { movePending(nil) }
        addConfiguredFlushPolicies()
        due.withLock { $0 = { [weak self] in self?.deliverOnExecutor() } }
        // Events of an earlier process are sent at once; they do not wait for a flush policy.
        if !eventQueue.isProcessed { pipeline.turns.barrier { eventQueue.uploader.demand() } }
        if let begun { start(begun) } else { waitForDisk() }
        pipeline.begin()
        if isShared { SharedClients.all.add(self) }
    }

    deinit { end(isPatient: false, nil) }

    /// Ends the client: timers stop, plugins get `shutdown()`, files are closed. The call returns at once.
    ///
    /// Tracked events stay on disk for the next client. Device-mode destinations have 5 s to take the events that wait
    /// for them; they get the rest at the next start. When an app releases its client without this call, the client
    /// ends at once.
    /// - Parameter completion: called on a background thread when the files are closed, so another client may open
    ///   them.
    public func shutdown(completion: (@Sendable () -> Void)? = nil) { end(isPatient: true, completion) }

    private func end(isPatient: Bool, _ completion: (@Sendable () -> Void)?) {
        SharedClients.all.remove(ObjectIdentifier(self))
        lose(held.close())
        settingsLoader.stop()
        health?.collectLast()
        pipeline.stop(isPatient: isPatient) { [eventQueue, adoption, writer, settingsLoader, health] in
            eventQueue.uploader.stop {
                eventQueue.close()
                if writer.pendingCount > 0 { writer.repair() }
                writer.close()
                adoption.stop {
                    guard let health else { return settingsLoader.stop(completion) }
                    health.stop { settingsLoader.stop(completion) }
                }
            }
        }
    }

    /// The version of this library.
    public static func version() -> String { LibraryVersion.current }

    /// The version of this library.
    public func version() -> String { Self.version() }

    /// Whether events are processed on threads of the client or on those of the callers.
    public var operatingMode: OperatingMode { values.operatingMode }

    /// The transport of this client, for parts of the library that make requests of their own.
    package var transport: any Transport { requestTransport }

    /// The hosts of this client's own requests, with their paths: the host for settings, and the host for events unless
    /// the settings name another.
    package var hosts: [String] { [values.apiHost ?? values.fallbackAPIHost, values.cdnHost].compactMap { $0 } }

    /// The clock of this client.
    package var time: any TimeSource { values.time }

    /// The logger of this client.
    package var logger: Logger { values.logger }

    /// Passes a diagnostic to its observers, and a failure also to the error handler and the log.
    package func report(_ diagnostic: Diagnostic) { hub.report(diagnostic) }
}
