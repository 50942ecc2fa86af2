import TributaryJSON

/// The way of an event behind the client's own plugins: what each destination is to see, and what it has done.
extension TimelineRunner {
    func deliver<Event: RawEvent>(_ event: Event, to entry: Timeline.Entry) {
        switch audience {
        case .all: break
        case .server: if entry.cloud == nil { return }
        case .devices: if entry.cloud != nil { return }
        }
        guard let destination = entry.destination else {
            if let queue = entry.queue { send(event, .none, on: queue) }
            return
        }
        let key = entry.key
        guard isEnabled(destination, key, for: event) else {
            counterStore.dropped(.notEnabled, by: key, destination: key)
            return
        }
        guard let passed = passGates(event, key) else { return }
        if let queue = entry.queue { return deliver(passed, on: queue) }
        guard let cloud = entry.cloud else { return }
        deliver(passed, to: cloud, entry.name)
    }

    // MARK: On the device

    /// The destination's own plugins run on its queue, scripts on the executor: before it, unless plugins come first.
    private func deliver(_ event: some RawEvent, on queue: DestinationQueue) {
        let key = queue.key
        var event: any RawEvent = event
        for entry in queue.pluginsOnExecutor {
            guard let next = run(entry, event, .before, destination: key) else { return }
            event = next
        }
        let hasScripts = bundleVersions.contains { bundleVersion in
            [.before, .enrichment].contains { bundleVersion.stands(at: $0, destination: key) }
        }
        send(event, !hasScripts ? .none : queue.hasPlugins ? .betweenPlugins : .done, on: queue)
    }

    private func send(_ event: any RawEvent, _ scripts: DestinationQueue.Scripts, on queue: DestinationQueue) {
        var event = event
        if scripts == .done {
            for type in [PluginType.before, .enrichment] {
                guard let next = runScripts(event, type, destination: queue.key) else { return }
                event = next
            }
        }
        let inFlight = inFlight ?? InFlightEvent(bundleVersions)
        self.inFlight = inFlight
        queue.send(event, scripts, isTraced: recorder != nil, inFlight)
    }

    /// Takes an event through the scripts that stand in a destination's timeline.
    func runScripts(_ event: any RawEvent, _ type: PluginType, destination: String) -> (any RawEvent)? {
        var current = event
        for bundleVersion in bundleVersions {
            guard let next = run(bundleVersion, current, type, destination: destination) else { return nil }
            current = next
        }
        return current
    }

    private func run<Event: RawEvent>(
        _ bundleVersion: any BundleVersion, _ event: Event, _ type: PluginType, destination: String
    ) -> (any RawEvent)? {
        do throws(Replacement) {
            return try call(bundleVersion, event, type, destination: destination, next: Place(.before, 0))
        } catch {
            return error.event
        }
    }

    /// A destination has dealt with an event that it was sent.
    func took(_ visit: DestinationVisit, by queue: DestinationQueue) {
        visit.note(.before, .enrichment, in: recorder, queue.key)
        switch visit.end {
        case .stopped(let plugin): counterStore.dropped(.plugin, by: plugin, destination: queue.key)
        case .stoppedByScript: break
        case .refused:
            recorder?.recordDelivery(to: queue.key, plugin: queue.name, accepted: false)
            counterStore.dropped(.plugin, by: queue.name, destination: queue.key)
        case .delivered:
            recorder?.recordDelivery(to: queue.key, plugin: queue.name, accepted: true)
            counterStore.delivered(to: queue.key)
            visit.note(.after, in: recorder, queue.key)
            if let event = visit.afterPlugins { _ = runScripts(event, .after, destination: queue.key) }
        }
    }

    // MARK: The server

    private func deliver(_ event: any RawEvent, to cloud: CloudDestination, _ name: String) {
        let key = cloud.key
        let inner = cloud.timeline.snapshot
        guard let before = runInner(event, inner.before, .before, key),
            let prepared = runInner(before, inner.enrichment, .enrichment, key)
        else { return }
        let isTaken = cloud.take(prepared.json, metadata)
        recorder?.recordDelivery(to: key, plugin: name, accepted: isTaken)
        guard isTaken else { return counterStore.dropped(.plugin, by: name, destination: key) }
        counterStore.sent()
        _ = runInner(prepared, inner.after, .after, key)
    }

    private func runInner(
        _ event: any RawEvent, _ entries: [Timeline.Entry], _ type: PluginType, _ key: String
    ) -> (any RawEvent)? {
        var current = event
        for entry in entries {
            guard let next = entry.turns.take({ run(entry, current, type, destination: key) }) else { return nil }
            current = next
        }
        return bundleVersions.isEmpty ? current : runScripts(current, type, destination: key)
    }

    private func run<Event: RawEvent>(
        _ entry: Timeline.Entry, _ event: Event, _ type: PluginType, destination: String
    ) -> (any RawEvent)? {
        do throws(Replacement) {
            return try call(entry, event, Stage(type), destination: destination, next: Place(.before, 0))
        } catch {
            return error.event
        }
    }

    // MARK: Who sees what

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
                counterStore.changed(byFilters: rules, destination: key)
                current = Event(json: json)
            case .dropped(let rule, let others):
                recorder?.record(.filter, entry.name, destination: key, before: current.json, after: nil, note: rule)
                counterStore.changed(byFilters: others, destination: key)
                counterStore.dropped(.filter, by: rule, destination: key)
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
