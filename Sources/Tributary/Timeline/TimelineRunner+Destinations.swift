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
            if let line = entry.line { send(event, .none, on: line) }
            return
        }
        let key = entry.key
        guard isEnabled(destination, key, for: event) else {
            accounts.dropped(.notEnabled, by: key, destination: key)
            return
        }
        guard let passed = passGates(event, key) else { return }
        if let line = entry.line { return deliver(passed, on: line) }
        guard let cloud = entry.cloud else { return }
        deliver(passed, to: cloud, entry.name)
    }

    // MARK: On the device

    /// The destination's own plugins run on its queue, scripts on the executor: before it, unless plugins come first.
    private func deliver(_ event: some RawEvent, on line: DestinationLine) {
        let key = line.key
        var event: any RawEvent = event
        for entry in line.pluginsOnExecutor {
            guard let next = run(entry, event, .before, destination: key) else { return }
            event = next
        }
        let hasScripts = editions.contains { edition in
            [.before, .enrichment].contains { edition.stands(at: $0, destination: key) }
        }
        send(event, !hasScripts ? .none : line.hasPlugins ? .betweenPlugins : .done, on: line)
    }

    private func send(_ event: any RawEvent, _ scripts: DestinationLine.Scripts, on line: DestinationLine) {
        var event = event
        if scripts == .done {
            for type in [PluginType.before, .enrichment] {
                guard let next = runScripts(event, type, destination: line.key) else { return }
                event = next
            }
        }
        let passage = passage ?? Passage(editions)
        self.passage = passage
        line.send(event, scripts, isTraced: recorder != nil, passage)
    }

    /// Takes an event through the scripts that stand in a destination's timeline.
    func runScripts(_ event: any RawEvent, _ type: PluginType, destination: String) -> (any RawEvent)? {
        var current = event
        for edition in editions {
            guard let next = run(edition, current, type, destination: destination) else { return nil }
            current = next
        }
        return current
    }

    private func run<Event: RawEvent>(
        _ edition: any StageEdition, _ event: Event, _ type: PluginType, destination: String
    ) -> (any RawEvent)? {
        do throws(Replacement) {
            return try call(edition, event, type, destination: destination, next: Place(.before, 0))
        } catch {
            return error.event
        }
    }

    /// A destination has dealt with an event that it was sent.
    func took(_ visit: DestinationVisit, by line: DestinationLine) {
        visit.note(.before, .enrichment, in: recorder, line.key)
        switch visit.end {
        case .stopped(let plugin): accounts.dropped(.plugin, by: plugin, destination: line.key)
        case .stoppedByScript: break
        case .refused:
            recorder?.recordDelivery(to: line.key, plugin: line.name, accepted: false)
            accounts.dropped(.plugin, by: line.name, destination: line.key)
        case .delivered:
            recorder?.recordDelivery(to: line.key, plugin: line.name, accepted: true)
            accounts.delivered(to: line.key)
            visit.note(.after, in: recorder, line.key)
            if let event = visit.afterPlugins { _ = runScripts(event, .after, destination: line.key) }
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
        guard isTaken else { return accounts.dropped(.plugin, by: name, destination: key) }
        accounts.sent()
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
        return editions.isEmpty ? current : runScripts(current, type, destination: key)
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
