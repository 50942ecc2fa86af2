/// The parts of a client that are made first: its files, the user, and what reports on them. A class, because the compiler would
/// otherwise make 14 KB of code that copies them.
final class StoredParts {
    let values: Configuration.Values
    let hub: DiagnosticHub
    let counterStore: CounterStore
    let directory: QueueDirectory
    let eventQueue: EventQueue
    let writer: EventWriter
    /// The facts with which the client begins, or why it has to wait for the disk.
    let beginning: Result<StartFacts, any Error>
    let identity: Identity

    init(_ values: Configuration.Values) {
        self.values = values
        let hub = DiagnosticHub(
            logger: values.logger, time: values.time, errorHandler: values.errorHandler,
            observer: values.diagnosticObserver)
        self.hub = hub
        counterStore = CounterStore(hub: hub)
        directory = QueueDirectory(
            values: values, transport: WatchedTransport(values.requestTransport, time: values.time),
            counterStore: counterStore, report: { hub.report($0) })
        eventQueue = directory.own()
        writer = EventWriter(
            eventQueue: eventQueue, consent: values.consent, time: values.time,
            place: ConsentPlace(directory.keptFile(ConsentPlace.fileName), store: values.storageMode.ownStore),
            report: directory.report)
        let newAnonymousId = values.newAnonymousId(report: directory.report)
        beginning = StartFacts.read(eventQueue, writer, values, directory.report, anonymousId: newAnonymousId)
        identity = Identity(try? beginning.get().user, writer: writer, newAnonymousId: newAnonymousId)
    }
}

/// The parts of a client that take events from its files to the plugins and the server.
struct ProcessingParts {
    let context: ContextPlugin
    let cloud: CloudDestination
    let traces: TraceSender?
    let health: HealthReporter?
    let flushing: FlushScheduler
    let pipeline: Pipeline
    let adoption: QueueAdoption
    let settingsLoader: SettingsLoader

    init(_ stored: StoredParts, _ timeline: Timeline) {
        let (values, directory, eventQueue) = (stored.values, stored.directory, stored.eventQueue)
        let context = ContextPlugin(instanceId: values.identifiers.next(), userAgent: values.userAgent)
        self.context = context
        cloud = CloudDestination(
            eventQueue: eventQueue, context: { context.rendered }, counterStore: stored.counterStore,
            report: directory.report)
        traces = Analytics.traces(values, directory)
        health = values.healthReports ? Analytics.health(values, directory, eventQueue, stored.writer, context) : nil
        flushing = FlushScheduler(report: directory.report)
        let pipeline = Pipeline(
            eventQueue: eventQueue, timeline: timeline, counterStore: stored.counterStore, time: values.time,
            waitingTimeout: values.waitingTimeout, destinationTimeout: values.destinationTimeout, traces: traces,
            flushing: flushing, report: directory.report)
        self.pipeline = pipeline
        adoption = QueueAdoption(directory: directory, own: eventQueue) { [weak pipeline] in pipeline?.empty($0, $1) }
        settingsLoader = Self.settingsLoader(stored, pipeline, adoption, health)
    }

    private static func settingsLoader(
        _ stored: StoredParts, _ pipeline: Pipeline, _ adoption: QueueAdoption, _ health: HealthReporter?
    ) -> SettingsLoader {
        let (values, directory, writer) = (stored.values, stored.directory, stored.writer)
        return SettingsLoader(
            url: Endpoint(values.cdnHost)?.settingsURL(writeKey: values.writeKey), defaults: values.defaultSettings,
            interval: values.settingsInterval, timeout: values.settingsTimeout,
            isRequired: values.requiresSettings, time: values.time,
            cache: directory.location.map {
                SettingsCache($0, values.files, directory.keptFiles, report: directory.report)
            },
            transport: directory.transport, report: directory.report,
            push: values.settingsPush ? push(stored) : nil,
            onAnswer: { isHeld in
                health?.look(isHeld: isHeld)
                adoption.lookWithSettings()
            }
        ) { settings, origin in
            writer.setSwitchedOff(settings.isCollectionSwitchedOff)
            pipeline.apply(settings, from: origin)
        }
    }

    /// A system that reports the steps of the app's life also reports its start. Extensions live too shortly.
    private static func push(_ stored: StoredParts) -> SettingsLoader.Push {
        let (values, writer, conditions) = (stored.values, stored.writer, stored.directory.conditions)
        return SettingsLoader.Push(
            isInForeground: !SystemLifecycle.isWatched && !values.program.isExtension,
            isAllowed: { writer.permit == .granted && conditions.obstacle == nil }, chance: values.identifiers.random)
    }
}
