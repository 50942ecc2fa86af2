import TributaryJSON

/// Takes events through a timeline, one after the other: before, enrichment, per-call closures, destinations, after.
///
/// Only used on the client's executor. What each stage did goes to the recorder, drops and faults to the counters.
final class TimelineRunner {
    /// Which destinations are to see the event.
    enum Audience {
        case all
        /// The server: the destinations on the device had it already.
        case server
        /// The destinations on the device: the server had it already.
        case devices
    }

    /// The plugins that see the event.
    private(set) var snapshot = Timeline.Snapshot()
    var settings = Settings() {
        didSet {
            plan = TrackingPlan(settings.plan)
            metadata = DestinationMetadata.rendered(settings, snapshot)
        }
    }
    /// Notes what happens to the event; nil unless somebody wants to know.
    var recorder: StageRecorder?
    /// Destinations that run whatever the settings say.
    var manuallyEnabled: Set<ObjectIdentifier> = []
    var audience = Audience.all
    /// Whether the event has been through the source stages before.
    var isRouted = false
    /// The plugin versions that process this event, from its beginning to its end.
    var bundleVersions: [any BundleVersion] = []
    /// The app's plugin that has the event now; a flush names it when it waits for long. May be read by any thread.
    let atWork = LockBox<String?>(nil)
    let counterStore: CounterStore
    private(set) var plan: TrackingPlan?
    /// What the server has to know of the destinations on the device.
    private(set) var metadata: RenderedObject?
    /// The event's way to destinations on the device, and what is done when they have dealt with it; nil while none
    /// has it.
    var inFlight: InFlightEvent?
    private var last: (() -> Void)?
    /// The word of a source stage that has not decided on the event; nil while each decides.
    private var decision: PendingDecision?
    private let executorKey: ExecutorKey
    private let report: @Sendable (Diagnostic) -> Void

    /// - Parameter executorKey: that of the executor.
    init(counterStore: CounterStore, executorKey: ExecutorKey, report: @escaping @Sendable (Diagnostic) -> Void) {
        self.counterStore = counterStore
        self.executorKey = executorKey
        self.report = report
    }

    var hasDeviceDestinations: Bool { !snapshot.deviceDestinations.isEmpty }

    /// The next events are for these plugins.
    func prepare(_ new: Timeline.Snapshot) {
        guard new !== snapshot else { return }
        snapshot = new
        metadata = DestinationMetadata.rendered(settings, snapshot)
    }

    /// The event that destinations have now, if any, and the work that is to be done at its end.
    func takeInFlightEvent() -> (InFlightEvent, last: () -> Void)? {
        guard let inFlight, let last else { return nil }
        (self.inFlight, self.last) = (nil, nil)
        return (inFlight, last)
    }

    /// The word of the source stage that has not decided on the event, if any.
    func takePendingDecision() -> PendingDecision? {
        defer { decision = nil }
        return decision
    }

    /// Runs the event through everything; false when it is of no known type.
    ///
    /// Each type by its name, because the compiler then makes a version of the whole way for it: found at run time, the
    /// type would be looked up again at every step.
    func run(_ event: consuming JSONObject, closures: [EnrichmentClosure]) -> Bool {
        guard snapshot.source.isEmpty || isRouted else {
            guard let routed = routed(event) else { return EventParser.isEvent(event) }
            return runTyped(routed, closures)
        }
        return runTyped(event, closures)
    }

    private func runTyped(_ event: consuming JSONObject, _ closures: [EnrichmentClosure]) -> Bool {
        switch event["type"]?.stringValue {
        case TrackEvent.typeName: run(TrackEvent(json: event), closures)
        case IdentifyEvent.typeName: run(IdentifyEvent(json: event), closures)
        case ScreenEvent.typeName, ScreenEvent.pageTypeName: run(ScreenEvent(json: event), closures)
        case GroupEvent.typeName: run(GroupEvent(json: event), closures)
        case AliasEvent.typeName: run(AliasEvent(json: event), closures)
        default: return false
        }
        return true
    }

    private func run<Event: RawEvent>(
        _ event: consuming Event, _ closures: [EnrichmentClosure], from place: Place? = nil
    ) {
        if place == nil { takeBundleVersions() }
        let place = place ?? Place(.before, 0)
        var current: Event? = event
        do throws(Replacement) {
            current = try run(current, snapshot.shaping, .before, from: place)
            current = try run(current, snapshot.enrichment, .enrichment, from: place)
            current = try enrich(current, closures + (current?.enrichments ?? []), from: place)
        } catch {
            return run(error.event, closures, from: error.next)
        }
        guard let processed = current else { return }
        for entry in snapshot.destination { deliver(processed, to: entry) }
        guard inFlight != nil else { return finish(processed) }
        last = { [self] in finish(processed) }
    }

    /// Nearly always the same as for the event before, so that nothing is allocated.
    private func takeBundleVersions() {
        let hosts = snapshot.hosts
        let isSame =
            hosts.count == bundleVersions.count
            && zip(hosts, bundleVersions).allSatisfy { $0.host?.bundleVersion === $1 }
        if !isSame { bundleVersions = currentBundleVersions }
    }

    /// The plugin versions that process events now.
    var currentBundleVersions: [any BundleVersion] { snapshot.hosts.compactMap { $0.host?.bundleVersion } }

    private func finish<Event: RawEvent>(_ event: Event, from place: Place = Place(.after, 0)) {
        do throws(Replacement) {
            _ = try run(event, snapshot.after, .after, from: place)
        } catch {
            finish(error.event, from: error.next)
        }
    }

    // MARK: Source

    /// The event behind the last of the source stages; nil when it goes no further, for now at least.
    func routed(_ event: JSONObject) -> JSONObject? {
        var current = event
        for entry in snapshot.source {
            let before = current
            if let source = entry.source {
                switch source.route(before) {
                case .passed(let event): current = event
                case .kept(let decision):
                    self.decision = decision
                    return nil
                case .dropped(let name):
                    recorder?.record(.before, name, destination: nil, before: before, after: nil)
                    counterStore.dropped(.plugin, by: name, destination: nil)
                    return nil
                }
                recorder?.record(.before, entry.name, destination: nil, before: before, after: current)
            } else {
                guard let event = EventParser.event(before), let next = run(entry, event) else { return nil }
                current = next
            }
        }
        return current
    }

    private func run<Event: RawEvent>(_ entry: Timeline.Entry, _ event: Event) -> JSONObject? {
        do throws(Replacement) {
            return try call(entry, event, .before, destination: nil, next: Place(.before, 0))?.json
        } catch {
            return error.event.json
        }
    }

    // MARK: Stages

    /// Where in the client's timeline an event goes on.
    struct Place {
        /// What comes one after the other before destinations, and behind them.
        enum Step: Int { case before, enrichment, closures, after }

        let step: Step
        /// How many of the step have seen it.
        let index: Int

        init(_ step: Step, _ index: Int) {
            self.step = step
            self.index = index
        }

        /// How many of a step have seen the event; nil when it is past that step.
        func index(in step: Step) -> Int? {
            self.step == step ? index : self.step.rawValue < step.rawValue ? 0 : nil
        }
    }

    /// A plugin has made an event into one of another type, which goes on from there.
    struct Replacement: Error {
        let event: any RawEvent
        let next: Place
    }

    /// The native plugins of a type, then those that hosts have there.
    private func run<Event: RawEvent>(
        _ event: Event?, _ entries: [Timeline.Entry], _ step: Place.Step, from place: Place
    ) throws(Replacement) -> Event? {
        guard var index = place.index(in: step) else { return event }
        let (stage, type) = step.kinds
        var current = event
        while index < entries.count {
            guard let event = current else { return nil }
            current = try call(entries[index], event, stage, destination: nil, next: Place(step, index + 1))
            index += 1
        }
        while index < entries.count + bundleVersions.count {
            guard let event = current else { return nil }
            let bundleVersion = bundleVersions[index - entries.count]
            current = try call(bundleVersion, event, type, destination: nil, next: Place(step, index + 1))
            index += 1
        }
        return current
    }

    func call<Event: RawEvent>(
        _ entry: Timeline.Entry, _ event: Event, _ stage: Stage, destination: String?, next: Place
    ) throws(Replacement) -> Event? {
        let answer: ExecutorKey.Answer<Event>?
        if let shaper = entry.shaper {
            var changed = event
            shaper.shape(&changed.json)
            answer = .same(changed)
        } else {
            if !entry.isBuiltIn { atWork.withLock { $0 = entry.name } }
            answer = executorKey.call(entry.plugin, event)
            if !entry.isBuiltIn { atWork.withLock { $0 = nil } }
        }
        let result = try typed(answer, of: event, by: entry.name, stage, destination, next: next) {
            recorder?.record(
                stage, entry.name, destination: destination, before: event.json, after: $0,
                isBuiltIn: entry.isBuiltIn)
        }
        if result == nil, stage != .after {
            counterStore.dropped(.plugin, by: entry.name, destination: destination)
        }
        return result
    }

    /// The event that a plugin or closure returned, when it is of the type that it was.
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
            guard let known = other.replacing(event) else {
                report(.unknownType(other, of: name, destination: destination))
                record(event.json)
                return event
            }
            record(known.json)
            throw Replacement(event: known, next: next)
        }
    }

    func call<Event: RawEvent>(
        _ bundleVersion: any BundleVersion, _ event: Event, _ type: PluginType, destination: String?, next: Place
    ) throws(Replacement) -> Event? {
        atWork.withLock { $0 = bundleVersion.name }
        let hosted = bundleVersion.run(
            event.json, eventType: event.type ?? Event.typeName, at: type, destination: destination)
        atWork.withLock { $0 = nil }
        guard let hosted else { return event }
        recorder?.record(
            Stage(type), hosted.steps, destination: destination, before: event.json, after: hosted.event)
        guard let json = hosted.event else {
            let dropSource = hosted.steps.last { $0.outcome == .dropped }?.plugin ?? bundleVersion.name
            if type != .after { counterStore.dropped(.plugin, by: dropSource, destination: destination) }
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

    /// A closure that returns nil drops the event.
    private func enrich<Event: RawEvent>(
        _ event: Event?, _ closures: [EnrichmentClosure], from place: Place
    ) throws(Replacement) -> Event? {
        guard !closures.isEmpty, let first = place.index(in: .closures) else { return event }
        let name = "enrichment closure"
        var current = event
        for index in closures.indices.dropFirst(first) {
            guard let event = current else { return nil }
            atWork.withLock { $0 = name }
            let result = closures[index](event)
            atWork.withLock { $0 = nil }
            let answer = result.map { result -> ExecutorKey.Answer<Event> in
                (result as? Event).map { .same($0) } ?? .other(result)
            }
            current = try typed(answer, of: event, by: name, .enrichment, nil, next: Place(.closures, index + 1)) {
                recorder?.record(.enrichment, name, destination: nil, before: event.json, after: $0)
            }
            if current == nil { counterStore.dropped(.plugin, by: name, destination: nil) }
        }
        return current
    }
}

extension TimelineRunner.Place.Step {
    /// What its plugins do, and their type.
    fileprivate var kinds: (Stage, PluginType) {
        switch self {
        case .before: (.before, .before)
        case .enrichment, .closures: (.enrichment, .enrichment)
        case .after: (.after, .after)
        }
    }
}

extension Diagnostic {
    /// A plugin returned an event that no one could go on with.
    static func unknownType(_ event: any RawEvent, of plugin: String, destination: String?) -> Diagnostic {
        Diagnostic(
            .pluginFault,
            "it returned an event of type \"\(event.type ?? "")\", which is none of the five: the event goes on as it was",
            plugin: plugin, destination: destination)
    }
}
