/// How plugins come and go.
extension Pipeline {
    /// Brings a registered plugin up to date and lets it see events from then on.
    /// - Parameter line: the way to it, when it is a device-mode destination.
    func activate(_ plugin: any Plugin, _ line: DestinationLine?, in timeline: Timeline) {
        let plugin = Handed(plugin)
        change { [self] in
            begin(plugin.value, line, in: timeline)
            tellReadyDestinations()
        }
    }

    /// Those in a destination's timeline begin with it, if not earlier.
    private func begin(_ plugin: any Plugin, _ line: DestinationLine?, in timeline: Timeline) {
        let home = timeline.line
        guard timeline.start(plugin, turns: timeline === self.timeline ? nil : takeTurns(plugin)) else { return }
        update(plugin, on: line ?? home)
        if let home, !(plugin is any ExecutorPlugin) {
            let plugin = Handed(plugin)
            home.call(isVital: true) { _ in timeline.activate(plugin.value) }
        } else {
            timeline.activate(plugin)
        }
        guard let inner = (plugin as? any DestinationPlugin)?.timeline else { return }
        for entry in inner.waiting { begin(entry.plugin, nil, in: inner) }
    }

    /// Gives a plugin the settings, if any are known; on the queue of the destination that it belongs to.
    func update(_ plugin: any Plugin, on line: DestinationLine?) {
        guard start.hasSettings else { return }
        let type: UpdateType = informed.insert(ObjectIdentifier(plugin)).inserted ? .initial : .refresh
        let settings = runner.settings
        let turns = turns[ObjectIdentifier(plugin)]?.turns
        let plugin = Handed(plugin)
        let update: @Sendable () -> Void = {
            if let turns {
                turns.take { plugin.value.update(settings: settings, type: type) }
            } else {
                plugin.value.update(settings: settings, type: type)
            }
        }
        guard let line else { return update() }
        line.call(isVital: type == .initial) { _ in update() }
    }

    /// What keeps the calls of a plugin apart that stands in one more destination's timeline.
    private func takeTurns(_ plugin: any Plugin) -> Turns {
        let known = turns[ObjectIdentifier(plugin)] ?? (Turns(), 0)
        turns[ObjectIdentifier(plugin)] = (known.turns, known.places + 1)
        return known.turns
    }

    private func giveBackTurns(_ plugin: any Plugin) {
        guard let known = turns[ObjectIdentifier(plugin)] else { return }
        turns[ObjectIdentifier(plugin)] = known.places > 1 ? (known.turns, known.places - 1) : nil
    }

    func enableManually(_ plugin: any DestinationPlugin) {
        let id = ObjectIdentifier(plugin)
        manualKeys.withLock { $0[id] = plugin.key }
        change { [self] in
            runner.manuallyEnabled.insert(id)
            renewSettings()
            tellReadyDestinations()
        }
    }

    /// The settings with the destinations that the app has enabled by itself.
    func settings(_ settings: Settings) -> Settings {
        let keys = manualKeys.withLock { $0.values.sorted() }
        return keys.reduce(settings) { $0.enabling($1) }
    }

    // MARK: The end of a plugin

    /// Takes a plugin out of a timeline, and ends it after the event that it may be seeing.
    /// - Returns: whether it was there, or was to be.
    @discardableResult
    func remove(_ plugin: any Plugin, from timeline: Timeline) -> Bool {
        let id = ObjectIdentifier(plugin)
        let (entry, wasToBe) = departures.withLock { departures -> (Timeline.Entry?, Bool) in
            guard !departures.staysAway(id, from: ObjectIdentifier(timeline)) else { return (nil, true) }
            let entry = timeline.remove(plugin)
            if entry != nil { departures.begin(id) }
            return (entry, false)
        }
        guard let entry else { return wasToBe }
        depart(entry, from: timeline)
        return true
    }

    private func depart(_ entry: Timeline.Entry, from timeline: Timeline) {
        let home = timeline.line
        if entry.line != nil { entry.destination?.timeline.line = nil }
        let handed = Handed(entry)
        perform { [self] in
            if timeline !== self.timeline { giveBackTurns(handed.value.plugin) }
            retire(handed.value, home)
        }
    }

    /// Adds a plugin that has ended to the places that it was added to meanwhile, and takes it out of those that it was removed
    /// from while that went on.
    private func comeBack(_ plugin: any Plugin) {
        let id = ObjectIdentifier(plugin)
        let begins = departures.withLock { $0.end(id) }
        guard !begins.isEmpty else { return }
        for begin in begins { begin() }
        let timelines = [timeline] + timeline.entries.compactMap { $0.destination?.timeline }
        let left = departures.withLock { departures -> [(Timeline.Entry, Timeline)] in
            let places = departures.entered(id)
            return timelines.compactMap { timeline in
                guard places.contains(ObjectIdentifier(timeline)), let entry = timeline.remove(plugin) else {
                    return nil
                }
                departures.begin(id)
                return (entry, timeline)
            }
        }
        for (entry, timeline) in left { depart(entry, from: timeline) }
    }

    /// Keeps the adding of a plugin that has not ended yet until it has.
    /// - Returns: nil when it may begin at once; else whether it was not asked for before.
    func afterEnd(of plugin: any Plugin, in timeline: Timeline, _ begin: @escaping @Sendable () -> Void) -> Bool? {
        departures.withLock { $0.returns(ObjectIdentifier(plugin), to: ObjectIdentifier(timeline), begin: begin) }
    }

    /// Forgets everything about a plugin: another one may come to lie at its address.
    private func retire(_ entry: Timeline.Entry, _ home: DestinationLine?) {
        let id = ObjectIdentifier(entry.plugin)
        informed.remove(id)
        runner.manuallyEnabled.remove(id)
        if manualKeys.withLock({ $0.removeValue(forKey: id) }) != nil { renewSettings() }
        let plugin = Handed(entry.plugin)
        end(entry, home, isRemoved: true) { [self] in comeBack(plugin.value) }
        stopWaiting(for: id)
    }

    /// A plugin's last call. Those in a destination's timeline end with it, and begin anew should it be added again.
    func end(
        _ entry: Timeline.Entry, _ home: DestinationLine? = nil, isRemoved: Bool,
        _ completion: @escaping @Sendable () -> Void = {}
    ) {
        let own = Handed(entry)
        let inner = Handed(entry.destination?.timeline.entries ?? [])
        for entry in inner.value {
            informed.remove(ObjectIdentifier(entry.plugin))
            giveBackTurns(entry.plugin)
        }
        let last: @Sendable () -> Void = {
            own.value.destination?.timeline.deactivateAll()
            own.value.turns.take { own.value.plugin.shutdown() }
            for entry in inner.value { entry.turns.take { entry.plugin.shutdown() } }
            completion()
        }
        if let line = entry.line { return line.end(isRemoved: isRemoved) { _ in last() } }
        if home?.call(isVital: true, { _ in last() }) != true { last() }
    }
}

/// Hands a plugin to the queue that is the only one to call it from then on.
///
/// Unchecked because the value is touched by its new owner only.
private struct Handed<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
