package import Foundation
package import Logging
package import TributaryJSON

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
    /// The observers of signals. AnalyticsLive tells them; an app without it has no signals.
    package let signalObservers = Observers<JSON>()
    /// The transport of this client, also for parts of the library that make requests of their own.
    package let transport: any Transport

    /// Makes a client. This waits for no network. The client reports mistakes of the configuration to diagnostics, the
    /// log and the error handler, and works as well as it can: without a disk, it works in memory.
    public convenience init(configuration: Configuration) { self.init(configuration, isShared: true) }

    /// - Parameter isShared: whether `shared()` may return this client.
    init(_ configuration: Configuration, isShared: Bool) {
        let stored = StoredParts(configuration.values)
        let processing = ProcessingParts(stored, timeline)
        values = stored.values
        writeKey = stored.values.writeKey
        hub = stored.hub
        counterStore = stored.counterStore
        eventQueue = stored.eventQueue
        inbox = stored.eventQueue.inbox
        outbox = stored.eventQueue.outbox
        deadLetters = stored.eventQueue.deadLetters
        uploader = stored.eventQueue.uploader
        transport = stored.directory.transport
        storageFolder = stored.directory.location?.folder
        writer = stored.writer
        identity = stored.identity
        held = HeldCalls(stored.beginning.failure)
        inheritedApplication = LockBox(try? stored.beginning.get().inheritance?.application)
        context = processing.context
        cloud = processing.cloud
        traces = processing.traces
        health = processing.health
        flushing = processing.flushing
        pipeline = processing.pipeline
        adoption = processing.adoption
        settingsLoader = processing.settingsLoader
        begin(try? stored.beginning.get())
        if isShared { SharedClients.all.add(self) }
    }

    /// Connects the parts, and begins.
    /// - Parameter facts: nil when the client has to wait for the disk.
    private func begin(_ facts: StartFacts?) {
        beginHealthReports()
        takeTraceOrders()
        addBuiltInPlugins()
        if writer.isMoving { movePending(nil) }
        addConfiguredFlushPolicies()
        // Events of an earlier process are sent at once; they do not wait for a flush policy.
        if !eventQueue.isProcessed { pipeline.turns.barrier { [eventQueue] in eventQueue.uploader.demand() } }
        if let facts { start(facts) } else { waitForDisk() }
        let delivery = DeliverySettings(values: values, report: eventQueue.directory.report)
        pipeline.begin(
            onSettings: { [uploader, traces, health, adoption] settings in
                let (endpoint, policy) = delivery.read(settings)
                uploader.apply(endpoint, policy)
                traces?.start(endpoint: endpoint)
                health?.apply(settings, endpoint)
                adoption.begin { $0.apply(endpoint, policy) }
            },
            onDue: { [weak self] in self?.deliverOnExecutor() })
    }

    private func addBuiltInPlugins() {
        add(builtIn: context)
        if values.autoAddSegmentDestination { add(builtIn: cloud) }
        if !values.destinationCategories.isEmpty || !writer.record.categories.isEmpty { addConsentGate() }
        if SystemLifecycle.isWatched { add(builtIn: Lifecycle(tracked: values.trackedLifecycleEvents)) }
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
