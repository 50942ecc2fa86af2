import TributaryJSON

/// The way of an event after the client's own plugins: what each destination gets, and what it has done.
extension TimelineRunner {
    /// - Parameters:
    ///   - isRunning: whether the destination gets events at all.
    ///   - inFlight: made when the first destination on the device gets the event.
    func deliver<Event: RawEvent>(
        _ event: Event, _ run: EventRun, to entry: Timeline.Entry, isRunning: Bool, _ inFlight: inout InFlightEvent?
    ) {
        switch run.audience {
        case .all: break
        case .server: if entry.cloud == nil { return }
        case .devices: if entry.cloud != nil { return }
        }
        guard entry.destination != nil else {
            if let queue = entry.queue { send(event, .none, run, on: queue, &inFlight) }
            return
        }
        let key = entry.key
        guard isRunning, isChosen(key, for: event) else {
            counterStore.dropped(.notEnabled, by: key, destination: key, of: run.counted)
            return
        }
        guard let passed = passGates(event, run, key) else { return }
        if let queue = entry.queue { return deliver(passed, run, on: queue, &inFlight) }
        guard let cloud = entry.cloud else { return }
        deliver(passed, run, to: cloud, entry.name)
    }

    // MARK: On the device

    /// The destination's own plugins run on its queue, scripts on the executor. Scripts run before the destination
    /// unless plugins have to come first.
    private func deliver(
        _ event: some RawEvent, _ run: EventRun, on queue: DestinationQueue, _ inFlight: inout InFlightEvent?
    ) {
        let key = queue.key
        var event: any RawEvent = event
        for entry in queue.pluginsOnExecutor {
            guard let next = call(entry, event, run, .before, key) else { return }
            event = next
        }
        let hasScripts = run.bundleVersions.contains { bundleVersion in
            [.before, .enrichment].contains { bundleVersion.stands(at: $0, destination: key) }
        }
        send(event, !hasScripts ? .none : queue.hasPlugins ? .betweenPlugins : .done, run, on: queue, &inFlight)
    }

    private func send(
        _ event: any RawEvent, _ scripts: DestinationVisitor.Scripts, _ run: EventRun, on queue: DestinationQueue,
        _ inFlight: inout InFlightEvent?
    ) {
        var event = event
        if scripts == .done {
            for type in [PluginType.before, .enrichment] {
                guard let next = runScripts(event, run, type, queue.key) else { return }
                event = next
            }
        }
        let sent = inFlight ?? InFlightEvent(run)
        inFlight = sent
        queue.send(event, scripts, sent)
    }

    /// Takes an event through the scripts in a destination's timeline.
    func runScripts(_ event: any RawEvent, _ run: EventRun, _ type: PluginType, _ key: String) -> (any RawEvent)? {
        var current = event
        for bundleVersion in run.bundleVersions {
            guard let next = call(bundleVersion, current, run, type, key) else { return nil }
            current = next
        }
        return current
    }

    private func call<Event: RawEvent>(
        _ bundleVersion: any BundleVersion, _ event: Event, _ run: EventRun, _ type: PluginType, _ key: String
    ) -> (any RawEvent)? {
        do throws(Replacement) {
            return try call(bundleVersion, event, run, type, destination: key, next: Place(.before, 0))
        } catch {
            return error.event
        }
    }

    /// A destination has finished with an event.
    /// - Parameter runScripts: takes the event through the scripts that run after the destination.
    func took(
        _ visit: DestinationVisit, by queue: DestinationQueue, of inFlight: InFlightEvent,
        runScripts: (any RawEvent, EventRun) -> Void
    ) {
        let recorder = inFlight.run.recorder
        visit.note(.before, .enrichment, in: recorder, queue.key)
        switch visit.end {
        case .stopped(let plugin): counterStore.dropped(.plugin, by: plugin, destination: queue.key, of: nil)
        case .stoppedByScript: break
        case .refused:
            recorder?.recordDelivery(to: queue.key, plugin: queue.name, accepted: false)
            counterStore.dropped(.plugin, by: queue.name, destination: queue.key, of: nil)
        case .delivered:
            recorder?.recordDelivery(to: queue.key, plugin: queue.name, accepted: true)
            counterStore.delivered(to: queue.deliveries)
            visit.note(.after, in: recorder, queue.key)
            if let event = visit.afterPlugins { runScripts(event, present(inFlight)) }
        }
    }

    /// Takes an event through scripts between plugins of a destination's timeline. The visit has the steps of those
    /// plugins.
    func runScripts(
        _ event: any RawEvent, _ type: PluginType, _ visit: DestinationVisit, by queue: DestinationQueue,
        of inFlight: InFlightEvent
    ) -> (any RawEvent)? {
        let run = present(inFlight)
        visit.note(.before, .enrichment, in: run.recorder, queue.key)
        return runScripts(event, run, type, queue.key)
    }

    /// The client does not wait for a stuck destination, so the bundle versions of its event may have ended. The
    /// present versions then process the event.
    private func present(_ inFlight: InFlightEvent) -> EventRun {
        var run = inFlight.run
        if inFlight.isOver { run.bundleVersions = currentBundleVersions() }
        return run
    }

    // MARK: The server

    private func deliver<Event: RawEvent>(
        _ event: Event, _ run: EventRun, to cloud: CloudDestination, _ name: String
    ) {
        let key = cloud.key
        let inner = cloud.timeline.snapshot
        // Usually there are no plugins here. Then the event is not put into an existential, which would cost time.
        guard !inner.isEmpty || !run.bundleVersions.isEmpty else {
            _ = hand(event.json, run, to: cloud, name)
            return
        }
        guard let before = passInner(event, run, inner.before, .before, key),
            let prepared = passInner(before, run, inner.enrichment, .enrichment, key)
        else { return }
        if hand(prepared.json, run, to: cloud, name) { _ = passInner(prepared, run, inner.after, .after, key) }
    }

    /// - Returns: whether the outbox has the event now.
    private func hand(_ event: JSONObject, _ run: EventRun, to cloud: CloudDestination, _ name: String) -> Bool {
        let isTaken = cloud.take(event, metadata(of: run), run)
        run.recorder?.recordDelivery(to: cloud.key, plugin: name, accepted: isTaken)
        // An event that is too large was counted as lost.
        if isTaken { counterStore.delivered(to: cloud.deliveries) }
        return isTaken
    }

    private func passInner(
        _ event: any RawEvent, _ run: EventRun, _ entries: [Timeline.Entry], _ type: PluginType, _ key: String
    ) -> (any RawEvent)? {
        var current = event
        for entry in entries {
            guard let next = entry.turns.take({ call(entry, current, run, type, key) }) else { return nil }
            current = next
        }
        return run.bundleVersions.isEmpty ? current : runScripts(current, run, type, key)
    }

    private func call<Event: RawEvent>(
        _ entry: Timeline.Entry, _ event: Event, _ run: EventRun, _ type: PluginType, _ key: String
    ) -> (any RawEvent)? {
        do throws(Replacement) {
            return try call(entry, event, run, Stage(type), destination: key, next: Place(.before, 0))
        } catch {
            return error.event
        }
    }

    // MARK: Selecting destinations

    private func passGates<Event: RawEvent>(_ event: Event, _ run: EventRun, _ key: String) -> Event? {
        var current = event
        for entry in snapshot.gates {
            guard let gate = entry.gate else { continue }
            switch gate.pass(json: current.json, destination: key) {
            case .unchanged:
                run.recorder?.record(.filter, entry.name, destination: key, before: current.json, after: current.json)
            case .changed(let json, let rules):
                run.recorder?.record(
                    .filter, entry.name, destination: key, before: current.json, after: json,
                    note: rules.joined(separator: ", "))
                counterStore.changed(byFilters: rules, destination: key)
                current = Event(json: json)
            case .dropped(let rule, let others):
                run.recorder?.record(
                    .filter, entry.name, destination: key, before: current.json, after: nil, note: rule)
                counterStore.changed(byFilters: others, destination: key)
                counterStore.dropped(.filter, by: rule, destination: key, of: run.counted)
                return nil
            }
        }
        return current
    }

    /// Whether the event's `integrations` and the tracking plan let the destination have the event. The settings decide
    /// separately whether the destination runs at all.
    private func isChosen<Event: RawEvent>(_ key: String, for event: Event) -> Bool {
        if key == CloudDestination.key { return event.integrations?.objectValue?.choice(of: key) ?? true }
        if let choices = event.integrations?.objectValue, !choices.allows(key) { return false }
        guard let plan, let track = event as? TrackEvent else { return true }
        return plan.allows(track.event, key)
    }

    /// Whether a destination runs at all.
    func isEnabled(_ destination: any DestinationPlugin, _ key: String) -> Bool {
        key == CloudDestination.key || settings.hasIntegration(key)
            || manuallyEnabled.contains(ObjectIdentifier(destination))
    }
}
