import TributaryJSON

/// Takes events through a timeline, one after the other: before, enrichment, closures of the call, destinations, after.
///
/// Only used on the client's executor. The runner holds what applies to all events: plugins and settings. An `EventRun`
/// has the values of one event. The counters count drops and faults, and the event's recorder records the steps.
final class TimelineRunner {
    /// The result for an event.
    enum Outcome {
        /// The event has been through the timeline, or was dropped.
        case done
        /// Destinations on the device have the event; the `after` plugins see it at the end.
        case inFlight(InFlightEvent, finish: () -> Void)
        /// A source stage decides on the event later.
        case pending(PendingDecision)
        /// The event is of no known type.
        case unknownType
    }

    /// The plugins that see events.
    private(set) var snapshot = Timeline.Snapshot()
    var settings = Settings() {
        didSet {
            plan = TrackingPlan(settings.plan)
            metadata = DestinationMetadata.rendered(settings, snapshot)
            versionedMetadata = nil
            updateDestinations()
        }
    }
    /// Destinations that are enabled whatever the settings say.
    var manuallyEnabled: Set<ObjectIdentifier> = [] {
        didSet { updateDestinations() }
    }
    /// The destinations, each with whether it is enabled.
    private var destinations: [(entry: Timeline.Entry, isRunning: Bool)] = []
    /// The app's plugin that has the event now. A flush that waits long names it. Any thread may read it.
    let atWork = LockBox<String?>(nil)
    let counterStore: CounterStore
    private(set) var plan: TrackingPlan?
    /// The list of destinations on the device, for the server.
    private var metadata: RenderedObject?
    /// The same list with the deployed version of the live plugins, for that version.
    private var versionedMetadata: (version: Int, rendered: RenderedObject)?
    /// The bundle versions of the event before.
    private var bundleVersions: [any BundleVersion] = []
    private let executorKey: ExecutorKey
    private let report: @Sendable (Diagnostic) -> Void

    /// - Parameter executorKey: the key of the executor.
    init(counterStore: CounterStore, executorKey: ExecutorKey, report: @escaping @Sendable (Diagnostic) -> Void) {
        self.counterStore = counterStore
        self.executorKey = executorKey
        self.report = report
    }

    var hasDeviceDestinations: Bool { !snapshot.deviceDestinations.isEmpty }

    /// Sets the plugins for the next events.
    func prepare(_ new: Timeline.Snapshot) {
        guard new !== snapshot else { return }
        snapshot = new
        metadata = DestinationMetadata.rendered(settings, snapshot)
        versionedMetadata = nil
        updateDestinations()
    }

    /// The list of destinations on the device for the server, with the deployed version of the live plugins that the event
    /// went through; nil when there is neither.
    func metadata(of run: EventRun) -> RenderedObject? {
        guard let version = run.bundleVersions.first?.deployedVersion else { return metadata }
        if let known = versionedMetadata, known.version == version { return known.rendered }
        let rendered = DestinationMetadata.rendered(settings, snapshot, version: version)
        versionedMetadata = rendered.map { (version, $0) }
        return rendered
    }

    private func updateDestinations() {
        destinations = snapshot.destination.map { entry in
            (entry, entry.destination.map { isEnabled($0, entry.key) } ?? true)
        }
    }

    /// The bundle versions that process events now. They are nearly always the same as for the event before, so nothing
    /// is allocated.
    func currentBundleVersions() -> [any BundleVersion] {
        let hosts = snapshot.hosts
        let isSame =
            hosts.count == bundleVersions.count
            && zip(hosts, bundleVersions).allSatisfy { $0.host?.bundleVersion === $1 }
        if !isSame { bundleVersions = hosts.compactMap { $0.host?.bundleVersion } }
        return bundleVersions
    }

    /// Takes an event through all stages.
    func process(_ run: EventRun) -> Outcome {
        guard !snapshot.source.isEmpty, run.record.form.isToBeRouted else { return processTyped(run.record.event, run) }
        switch route(run) {
        case .passed(let event): return processTyped(event, run)
        case .kept(let decision): return .pending(decision)
        case .dropped: return EventParser.isEvent(run.record.event) ? .done : .unknownType
        }
    }

    /// The frequent type by name, so that the compiler makes a version of all steps for it. A type that is found at run
    /// time would be looked up again at every step. The rare types share one version, which keeps the code small.
    private func processTyped(_ event: consuming JSONObject, _ run: EventRun) -> Outcome {
        if event["type"]?.stringValue == TrackEvent.typeName { return process(TrackEvent(json: event), run) }
        guard let event = EventParser.event(event) else { return .unknownType }
        return process(event, run)
    }

    private func process<Event: RawEvent>(
        _ event: consuming Event, _ run: EventRun, from place: Place = Place(.before, 0)
    ) -> Outcome {
        var current: Event? = event
        do throws(Replacement) {
            current = try pass(current, run, snapshot.shaping, .before, from: place)
            if !snapshot.enrichment.isEmpty || !run.bundleVersions.isEmpty {
                current = try pass(current, run, snapshot.enrichment, .enrichment, from: place)
            }
            current = try enrich(current, run, from: place)
        } catch {
            return process(error.event, run, from: error.next)
        }
        guard let processed = current else { return .done }
        var inFlight: InFlightEvent?
        for (entry, isRunning) in destinations { deliver(processed, run, to: entry, isRunning: isRunning, &inFlight) }
        guard let inFlight else {
            finish(processed, run)
            return .done
        }
        return .inFlight(inFlight) { [self] in finish(processed, run) }
    }

    private func finish<Event: RawEvent>(_ event: Event, _ run: EventRun, from place: Place = Place(.after, 0)) {
        guard !snapshot.after.isEmpty || !run.bundleVersions.isEmpty else { return }
        do throws(Replacement) {
            _ = try pass(event, run, snapshot.after, .after, from: place)
        } catch {
            finish(error.event, run, from: error.next)
        }
    }

    // MARK: Source

    /// Takes an event through the source stages.
    func route(_ run: EventRun) -> RoutedEvent {
        var current = run.record.event
        for entry in snapshot.source {
            let before = current
            guard let source = entry.source else {
                guard let event = EventParser.event(before), let next = call(entry, event, run) else {
                    return .dropped(by: entry.name)
                }
                current = next
                continue
            }
            switch source.route(before) {
            case .passed(let event): current = event
            case .kept(let decision): return .kept(decision)
            case .dropped(let name):
                drop(run, by: name, before)
                return .dropped(by: name)
            }
            run.recorder?.record(.before, entry.name, destination: nil, before: before, after: current)
        }
        return .passed(current)
    }

    /// Counts an event that a source stage has dropped.
    func drop(_ run: EventRun, by name: String, _ event: JSONObject) {
        run.recorder?.record(.before, name, destination: nil, before: event, after: nil)
        counterStore.dropped(.plugin, by: name, destination: nil, of: run.counted)
    }

    private func call<Event: RawEvent>(_ entry: Timeline.Entry, _ event: Event, _ run: EventRun) -> JSONObject? {
        do throws(Replacement) {
            return try call(entry, event, run, .before, destination: nil, next: Place(.before, 0))?.json
        } catch {
            return error.event.json
        }
    }

    // MARK: Stages

    /// The place in the client's timeline where an event goes on.
    struct Place {
        /// The steps before destinations and after them.
        enum Step: Int { case before, enrichment, closures, after }

        let step: Step
        /// The number of plugins of the step that have seen the event.
        let index: Int

        init(_ step: Step, _ index: Int) {
            self.step = step
            self.index = index
        }

        /// The number of plugins of a step that have seen the event; nil when the event is past that step.
        func index(in step: Step) -> Int? {
            self.step == step ? index : self.step.rawValue < step.rawValue ? 0 : nil
        }
    }

    /// A plugin has turned an event into one of another type, which goes on from there.
    struct Replacement: Error {
        let event: any RawEvent
        let next: Place
    }

    /// Runs the native plugins of a type, then those of plugin hosts.
    private func pass<Event: RawEvent>(
        _ event: Event?, _ run: EventRun, _ entries: [Timeline.Entry], _ step: Place.Step, from place: Place
    ) throws(Replacement) -> Event? {
        guard var index = place.index(in: step) else { return event }
        let (stage, type) = step.kinds
        var current = event
        while index < entries.count {
            guard let event = current else { return nil }
            current = try call(entries[index], event, run, stage, destination: nil, next: Place(step, index + 1))
            index += 1
        }
        while index < entries.count + run.bundleVersions.count {
            guard let event = current else { return nil }
            let bundleVersion = run.bundleVersions[index - entries.count]
            current = try call(bundleVersion, event, run, type, destination: nil, next: Place(step, index + 1))
            index += 1
        }
        return current
    }

    func call<Event: RawEvent>(
        _ entry: Timeline.Entry, _ event: Event, _ run: EventRun, _ stage: Stage, destination: String?, next: Place
    ) throws(Replacement) -> Event? {
        let answer: ExecutorKey.Answer<Event>?
        if let shaper = entry.shaper {
            var changed = event
            shaper.shape(&changed.json)
            answer = .same(changed)
        } else {
            if !entry.isBuiltIn { atWork.withLock { $0 = entry.name } }
            if let timed = entry.timed {
                answer = timed.execute(event: event, trackedAt: run.record.trackedAt).map { .same($0) }
            } else {
                answer = executorKey.call(entry.plugin, event)
            }
            if !entry.isBuiltIn { atWork.withLock { $0 = nil } }
        }
        // Usually no recorder is there, and the event keeps its type.
        if run.recorder == nil, case .same(let result) = answer { return result }
        // A closure that captures the run copies it, which costs as much as the call of a plugin that does nothing.
        let recorder = run.recorder
        let result = try typed(answer, of: event, by: entry.name, stage, destination, next: next) {
            recorder?.record(
                stage, entry.name, destination: destination, before: event.json, after: $0,
                isBuiltIn: entry.isBuiltIn)
        }
        if result == nil, stage != .after {
            counterStore.dropped(.plugin, by: entry.name, destination: destination, of: run.counted)
        }
        return result
    }

    /// The event that a plugin or closure returned, if it has the type from before.
    private func typed<Event: RawEvent>(
        _ answer: ExecutorKey.Answer<Event>?, of event: Event, by name: String, _ stage: Stage, _ destination: String?,
        next: Place, record: (JSONObject?) -> Void
    ) throws(Replacement) -> Event? {
        switch answer {
        case nil:
            record(nil)
            return nil
        case .same(let result):
            record(result.json)
            return result
        case .other(let other):
            guard let known = other.event.replacing(event) else {
                report(.unknownType(other.event, of: name, destination: destination))
                record(event.json)
                return event
            }
            record(known.json)
            throw Replacement(event: known, next: next)
        }
    }

    func call<Event: RawEvent>(
        _ bundleVersion: any BundleVersion, _ event: Event, _ run: EventRun, _ type: PluginType, destination: String?,
        next: Place
    ) throws(Replacement) -> Event? {
        atWork.withLock { $0 = bundleVersion.name }
        let hosted = bundleVersion.run(
            event.json, eventType: event.type ?? Event.typeName, at: type, destination: destination)
        atWork.withLock { $0 = nil }
        guard let hosted else { return event }
        run.recorder?.record(
            Stage(type), hosted.steps, destination: destination, before: event.json, after: hosted.event)
        guard let json = hosted.event else {
            let dropSource = hosted.steps.last { $0.outcome == .dropped }?.plugin ?? bundleVersion.name
            if type != .after {
                counterStore.dropped(.plugin, by: dropSource, destination: destination, of: run.counted)
            }
            return nil
        }
        if json["type"] != event.json["type"], var other = EventParser.event(json), !(other is Event) {
            other.enrichments = event.enrichments
            throw Replacement(event: other, next: next)
        }
        var changed = Event(json: json)
        changed.enrichments = event.enrichments
        return changed
    }

    /// Runs a closure. When it returns nil, the event is dropped.
    private func enrich<Event: RawEvent>(
        _ event: Event?, _ run: EventRun, from place: Place
    ) throws(Replacement) -> Event? {
        let own = event?.enrichments ?? []
        guard !run.closures.isEmpty || !own.isEmpty else { return event }
        let closures = run.closures + own
        guard let first = place.index(in: .closures) else { return event }
        let name = "enrichment closure"
        let recorder = run.recorder
        var current = event
        for index in closures.indices.dropFirst(first) {
            guard let event = current else { return nil }
            atWork.withLock { $0 = name }
            let result = closures[index](event)
            atWork.withLock { $0 = nil }
            let answer = result.map { result -> ExecutorKey.Answer<Event> in
                result.typed().map { .same($0) } ?? .other(ExecutorKey.OtherEvent(result))
            }
            current = try typed(answer, of: event, by: name, .enrichment, nil, next: Place(.closures, index + 1)) {
                recorder?.record(.enrichment, name, destination: nil, before: event.json, after: $0)
            }
            if current == nil { counterStore.dropped(.plugin, by: name, destination: nil, of: run.counted) }
        }
        return current
    }
}

extension TimelineRunner.Place.Step {
    /// The stage and the type of its plugins.
    fileprivate var kinds: (Stage, PluginType) {
        switch self {
        case .before: (.before, .before)
        case .enrichment, .closures: (.enrichment, .enrichment)
        case .after: (.after, .after)
        }
    }
}

extension Diagnostic {
    /// The diagnostic for an event of an unknown type that a plugin returned.
    static func unknownType(_ event: any RawEvent, of plugin: String, destination: String?) -> Diagnostic {
        Diagnostic(
            .pluginFault,
            "the plugin returned an event of the unknown type \"\(event.type ?? "")\"; the event goes on as it was",
            plugin: plugin, destination: destination)
    }
}
