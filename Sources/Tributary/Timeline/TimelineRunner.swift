import TributaryJSON

/// Takes events through a timeline, one after the other: before, enrichment, per-call closures, destinations, after.
///
/// Only used on the client's executor. What each stage did goes to the recorder, drops and faults to the accounts.
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
    private var snapshot = Timeline.Snapshot()
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
    /// Those who stand in the providers' place for the event, from its beginning to its end.
    var editions: [any StageEdition] = []
    /// The app's plugin that has the event now; a flush names it when it waits for long. May be read by any thread.
    let atWork = LockBox<String?>(nil)
    private let accounts: Accounts
    private var plan: TrackingPlan?
    /// What the server has to know of the destinations on the device.
    private var metadata: RenderedObject?
    /// The event's way to destinations on the device, and what is done when they have dealt with it; nil while none
    /// has it.
    private var passage: Passage?
    private var last: (() -> Void)?
    /// The word of a source stage that has not decided on the event; nil while each decides.
    private var deferral: Deferral?

    init(accounts: Accounts) { self.accounts = accounts }

    var hasDeviceDestinations: Bool { !snapshot.lines.isEmpty }

    /// The next events are for these plugins.
    func prepare(_ new: Timeline.Snapshot) {
        guard new !== snapshot else { return }
        snapshot = new
        metadata = DestinationMetadata.rendered(settings, snapshot)
    }

    /// The way to destinations that the event has taken, if any, and what is to be done at its end.
    func takePassage() -> (Passage, last: () -> Void)? {
        guard let passage, let last else { return nil }
        (self.passage, self.last) = (nil, nil)
        return (passage, last)
    }

    /// The word of the source stage that has not decided on the event, if any.
    func takeDeferral() -> Deferral? {
        defer { deferral = nil }
        return deferral
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

    private func run<Event: RawEvent>(_ event: consuming Event, _ closures: [EnrichmentClosure]) {
        takeEditions()
        var current: Event? = event
        current = run(current, snapshot.shaping, .before, destination: nil)
        current = run(current, snapshot.enrichment, .enrichment, destination: nil)
        for closure in closures { current = enrich(current, closure) }
        guard let processed = current else { return }
        for entry in snapshot.destination { deliver(processed, to: entry) }
        guard passage != nil else { return finish(processed) }
        last = { [self] in finish(processed) }
    }

    /// Nearly always the same as for the event before, so that nothing is allocated.
    private func takeEditions() {
        let providers = snapshot.providers
        let isSame =
            providers.count == editions.count
            && zip(providers, editions).allSatisfy { $0.provider?.edition === $1 }
        if !isSame { editions = providers.compactMap { $0.provider?.edition } }
    }

    private func finish(_ event: some RawEvent) { _ = run(event, snapshot.after, .after, destination: nil) }

    // MARK: Source

    /// The event behind the last of the source stages; nil when it goes no further, for now at least.
    func routed(_ event: JSONObject) -> JSONObject? {
        var current = event
        for entry in snapshot.source {
            let before = current
            if let source = entry.source {
                switch source.route(before) {
                case .passed(let event): current = event
                case .kept(let deferral):
                    self.deferral = deferral
                    return nil
                case .dropped(let name):
                    recorder?.record(.before, name, destination: nil, before: before, after: nil)
                    accounts.dropped(.plugin, by: name, destination: nil)
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

    private func run(_ entry: Timeline.Entry, _ event: some RawEvent) -> JSONObject? {
        run(entry, event, .before, destination: nil)?.json
    }

    // MARK: Stages

    /// The native plugins of a type, then those that providers have there.
    private func run<Event: RawEvent>(
        _ event: Event?, _ entries: [Timeline.Entry], _ type: PluginType, destination: String?
    ) -> Event? {
        var current = event
        for entry in entries {
            guard let event = current else { return nil }
            current = run(entry, event, Stage(type), destination: destination)
        }
        for edition in editions {
            guard let event = current else { break }
            current = run(edition, event, type, destination: destination)
        }
        return current
    }

    private func run<Event: RawEvent>(
        _ entry: Timeline.Entry, _ event: Event, _ stage: Stage, destination: String?
    ) -> Event? {
        let result: Event?
        if let shaper = entry.shaper {
            var changed = event
            shaper.shape(&changed.json)
            result = changed
        } else {
            if !entry.isBuiltIn { atWork.withLock { $0 = entry.name } }
            result = entry.plugin.execute(event: Optional(event))
            if !entry.isBuiltIn { atWork.withLock { $0 = nil } }
        }
        recorder?.record(
            stage, entry.name, destination: destination, before: event.json, after: result?.json,
            isBuiltIn: entry.isBuiltIn)
        if result == nil, stage != .after {
            accounts.dropped(.plugin, by: entry.name, destination: destination)
        }
        return result
    }

    private func run<Event: RawEvent>(
        _ edition: any StageEdition, _ event: Event, _ type: PluginType, destination: String?
    ) -> Event? {
        atWork.withLock { $0 = edition.name }
        let provided = edition.run(
            event.json, eventType: event.type ?? Event.typeName, at: type, destination: destination)
        atWork.withLock { $0 = nil }
        guard let provided else { return event }
        recorder?.record(
            Stage(type), provided.steps, destination: destination, before: event.json, after: provided.event)
        guard let json = provided.event else {
            let culprit = provided.steps.last { $0.outcome == .dropped }?.plugin ?? edition.name
            if type != .after { accounts.dropped(.plugin, by: culprit, destination: destination) }
            return nil
        }
        return Event(json: json)
    }

    /// A closure that returns nil drops the event; one that returns another type of event is ignored.
    private func enrich<Event: RawEvent>(_ event: Event?, _ closure: EnrichmentClosure) -> Event? {
        guard let event else { return nil }
        let name = "enrichment closure"
        atWork.withLock { $0 = name }
        let result = closure(event).map { $0 as? Event ?? event }
        atWork.withLock { $0 = nil }
        recorder?.record(.enrichment, name, destination: nil, before: event.json, after: result?.json)
        if result == nil { accounts.dropped(.plugin, by: name, destination: nil) }
        return result
    }

    // MARK: Destinations

    private func deliver<Event: RawEvent>(_ event: Event, to entry: Timeline.Entry) {
        switch audience {
        case .all: break
        case .server: if entry.cloud == nil { return }
        case .devices: if entry.cloud != nil { return }
        }
        guard let destination = entry.destination else {
            if let line = entry.line { send(event, on: line) }
            return
        }
        let key = entry.key
        guard isEnabled(destination, key, for: event) else {
            accounts.dropped(.notEnabled, by: key, destination: key)
            return
        }
        guard let passed = passGates(event, key) else { return }
        let inner = destination.timeline.snapshot
        let prepared = run(
            run(passed, inner.before, .before, destination: key), inner.enrichment, .enrichment, destination: key)
        guard let prepared else { return }
        if let line = entry.line { return send(prepared, on: line) }
        guard let cloud = entry.cloud else { return }
        let isTaken = cloud.take(prepared.json, metadata)
        recorder?.recordDelivery(to: key, plugin: entry.name, accepted: isTaken)
        guard isTaken else { return accounts.dropped(.plugin, by: entry.name, destination: key) }
        accounts.sent()
        _ = run(prepared, inner.after, .after, destination: key)
    }

    private func send(_ event: some RawEvent, on line: DestinationLine) {
        let passage = passage ?? Passage(editions)
        self.passage = passage
        line.send(event, passage)
    }

    /// A destination took an event that it was sent.
    func delivered(_ event: some RawEvent, by line: DestinationLine) {
        recorder?.recordDelivery(to: line.key, plugin: line.name, accepted: true)
        guard let destination = line.plugin as? any DestinationPlugin else { return }
        accounts.delivered(to: line.key)
        _ = run(event, destination.timeline.snapshot.after, .after, destination: line.key)
    }

    /// A destination did not take an event that it was sent.
    func refused(by line: DestinationLine) {
        recorder?.recordDelivery(to: line.key, plugin: line.name, accepted: false)
        accounts.dropped(.plugin, by: line.name, destination: line.key)
    }

    private func passGates<Event: RawEvent>(_ event: Event, _ key: String) -> Event? {
        var current = event
        for entry in snapshot.gates {
            guard let gate = entry.gate else { continue }
            switch gate.pass(json: current.json, destination: key) {
            case .unchanged:
                recorder?.record(.filter, entry.name, destination: key, before: current.json, after: current.json)
            case .changed(let json, let rules):
                recorder?.record(
                    .filter, entry.name, destination: key, before: current.json, after: json,
                    note: rules.joined(separator: ", "))
                accounts.changed(byFilters: rules, destination: key)
                current = Event(json: json)
            case .dropped(let rule, let others):
                recorder?.record(.filter, entry.name, destination: key, before: current.json, after: nil, note: rule)
                accounts.changed(byFilters: others, destination: key)
                accounts.dropped(.filter, by: rule, destination: key)
                return nil
            }
        }
        return current
    }

    /// The settings decide which destinations run at all, the event's `integrations` and the tracking plan which of them
    /// may see it.
    private func isEnabled<Event: RawEvent>(
        _ destination: any DestinationPlugin, _ key: String, for event: Event
    ) -> Bool {
        if key == CloudDestination.key { return event.integrations?.objectValue?.choice(of: key) ?? true }
        guard isEnabled(destination, key) else { return false }
        if let choices = event.integrations?.objectValue, !choices.allows(key) { return false }
        guard let plan, let track = event as? TrackEvent else { return true }
        return plan.allows(track.event, key)
    }

    /// Whether a destination on the device runs at all.
    func isEnabled(_ destination: any DestinationPlugin, _ key: String) -> Bool {
        settings.hasIntegration(key) || manuallyEnabled.contains(ObjectIdentifier(destination))
    }
}
