/// The lives of a client's plugins: when they begin, which settings they get, and when they end.
///
/// Unchecked because mutable state is only touched on the executor or is behind a lock.
final class PluginManager: @unchecked Sendable {
    private let executor: ClientExecutor
    private let timeline: Timeline
    private let runner: TimelineRunner
    private let turnScheduler: TurnScheduler
    private let start: StartGate
    /// The settings as they were received, without destinations that the app enabled itself; nil before the first
    /// settings.
    private var installed: Settings?
    /// Plugins that got settings.
    private var informed: Set<ObjectIdentifier> = []
    private var turns = PluginTurns()
    /// Callers that wait until a destination runs.
    private var readyHandlers: [(key: String, handler: @Sendable (any DestinationPlugin) -> Void)] = []
    /// Plugins that were removed and have not got `shutdown()`.
    private let endingPlugins = LockBox(EndingPlugins())
    /// The keys of destinations that the app enabled itself.
    private let manualKeys = LockBox<[ObjectIdentifier: String]>([:])

    init(
        executor: ClientExecutor, timeline: Timeline, runner: TimelineRunner, turns turnScheduler: TurnScheduler,
        start: StartGate
    ) {
        self.executor = executor
        self.timeline = timeline
        self.runner = runner
        self.turnScheduler = turnScheduler
        self.start = start
    }

    // MARK: The beginning of a plugin

    /// Gives a registered plugin the settings and lets it see events from then on. On any thread.
    /// - Parameter queue: the plugin's queue, for a destination on the device.
    func activate(_ plugin: any Plugin, _ queue: DestinationQueue?, in timeline: Timeline) {
        let plugin = Handed(plugin)
        turnScheduler.change { [self] in
            begin(plugin.value, queue, in: timeline)
            tellReadyDestinations()
        }
    }

    /// Begins a plugin. The plugins in a destination's timeline begin with the destination at the latest.
    private func begin(_ plugin: any Plugin, _ queue: DestinationQueue?, in timeline: Timeline) {
        let home = plugin is any ExecutorPlugin ? nil : timeline.queue
        let turns = timeline === self.timeline ? nil : turns.take(ObjectIdentifier(plugin))
        guard timeline.start(plugin, turns: turns) else { return }
        update(plugin, on: queue ?? home)
        if let home {
            let plugin = Handed(plugin)
            home.call(isVital: true) { _ in timeline.activate(plugin.value) }
        } else {
            timeline.activate(plugin)
        }
        guard let inner = (plugin as? any DestinationPlugin)?.timeline else { return }
        for entry in inner.waiting { begin(entry.plugin, nil, in: inner) }
    }

    // MARK: Settings

    /// Gives all plugins the settings. Runs on the executor.
    func install(_ settings: Settings) {
        installed = settings
        renewSettings()
        for entry in timeline.begun {
            update(entry.plugin, on: entry.queue)
            guard let inner = entry.destination?.timeline else { continue }
            for entry in inner.begun { update(entry.plugin, on: entry.isOnExecutor ? nil : inner.queue) }
        }
        tellReadyDestinations()
    }

    /// Gives a plugin the settings, if any are known; on the queue of the destination that it belongs to.
    private func update(_ plugin: any Plugin, on queue: DestinationQueue?) {
        guard installed != nil else { return }
        let type: UpdateType = informed.insert(ObjectIdentifier(plugin)).inserted ? .initial : .refresh
        let settings = runner.settings
        let turns = turns[ObjectIdentifier(plugin)]
        let plugin = Handed(plugin)
        let update: @Sendable () -> Void = {
            if let turns {
                turns.take { plugin.value.update(settings: settings, type: type) }
            } else {
                plugin.value.update(settings: settings, type: type)
            }
        }
        guard let queue else { return update() }
        queue.call(isVital: type == .initial) { _ in update() }
    }

    /// Enables a destination whatever the settings say. On any thread.
    func enableManually(_ plugin: any DestinationPlugin) {
        let id = ObjectIdentifier(plugin)
        manualKeys.withLock { $0[id] = plugin.key }
        turnScheduler.change { [self] in
            runner.manuallyEnabled.insert(id)
            renewSettings()
            tellReadyDestinations()
        }
    }

    /// The settings, with the destinations that the app enabled itself. On any thread.
    func effective(_ settings: Settings) -> Settings {
        let keys = manualKeys.withLock { Array($0.values).inOrder() }
        return keys.reduce(settings) { $0.enabling($1) }
    }

    private func renewSettings() { runner.settings = effective(installed ?? Settings()) }

    // MARK: Calls

    /// Calls plugins between two events. Destinations, and the plugins of their timelines, are called after the events
    /// in their queues. Runs on the executor.
    func visit(_ visit: @escaping @Sendable (any Plugin) -> Void) {
        for entry in timeline.begun {
            let inner = entry.destination?.timeline
            guard let queue = entry.queue else {
                visit(entry.plugin)
                inner?.visit(visit)
                continue
            }
            queue.call { plugin in
                visit(plugin)
                inner?.visit(visit)
            }
        }
    }

    /// Tells plugins that the app flushes. Destinations get the call after the events in their queues. A stuck
    /// destination gets it when it returns, and the flush does not wait for it. Runs on the executor.
    func inform(_ flush: PluginFlush) {
        for entry in timeline.begun where entry.queue?.isStuck != true {
            flush.expect(entry.plugin)
            // These are added now, not on the destination's queue, because the executor does not wait for plugins of a
            // destination.
            for inner in entry.destination?.timeline.begun ?? [] { flush.expect(inner.plugin) }
        }
        visit { flush.tell($0) }
    }

    /// Lets plugins of the library write their deleted files again. Runs on the executor.
    /// - Returns: the names of these files.
    func restoreFiles() -> [String] {
        timeline.begun.flatMap { ($0.plugin as? any FileKeeping)?.restoreFiles() ?? [] }
    }

    // MARK: Enabled destinations

    /// Calls back on the destination's queue when the settings enable the destination. On any thread.
    func onReady(_ key: String, _ handler: @escaping @Sendable (any DestinationPlugin) -> Void) {
        executor.perform { [self] in
            readyHandlers.append((key, handler))
            tellReadyDestinations()
        }
    }

    private func tellReadyDestinations() {
        guard installed != nil, !readyHandlers.isEmpty else { return }
        let running = timeline.snapshot.deviceDestinations.filter { entry in
            entry.destination.map { runner.isEnabled($0, entry.key) } ?? false
        }
        readyHandlers.removeAll { key, handler in
            guard let queue = running.first(where: { $0.key == key })?.queue else { return false }
            queue.call { plugin in if let destination = plugin as? any DestinationPlugin { handler(destination) } }
            return true
        }
    }

    // MARK: The end of a plugin

    /// Removes a plugin from a timeline, and ends it after the event that it may be seeing.
    /// - Returns: whether the plugin was there, or was waiting to be added.
    @discardableResult
    func remove(_ plugin: any Plugin, from timeline: Timeline) -> Bool {
        let id = ObjectIdentifier(plugin)
        let (entry, wasToBe) = endingPlugins.withLock { endingPlugins -> (Timeline.Entry?, Bool) in
            guard !endingPlugins.staysAway(id, from: ObjectIdentifier(timeline)) else { return (nil, true) }
            let entry = timeline.remove(plugin)
            if entry != nil { endingPlugins.begin(id) }
            return (entry, false)
        }
        guard let entry else { return wasToBe }
        depart(entry, from: timeline)
        return true
    }

    private func depart(_ entry: Timeline.Entry, from timeline: Timeline) {
        let home = timeline.queue
        if entry.queue != nil { entry.destination?.timeline.queue = nil }
        let handed = Handed(entry)
        turnScheduler.place { [self] in
            if timeline !== self.timeline { turns.giveBack(ObjectIdentifier(handed.value.plugin)) }
            retire(handed.value, home)
        }
    }

    /// Carries out the requests that came while a plugin was ending: it adds the plugin to some timelines and removes it
    /// from others.
    private func comeBack(_ plugin: any Plugin) {
        let id = ObjectIdentifier(plugin)
        let begins = endingPlugins.withLock { $0.end(id) }
        guard !begins.isEmpty else { return }
        for begin in begins { begin() }
        let timelines = [timeline] + timeline.entries.compactMap { $0.destination?.timeline }
        let left = endingPlugins.withLock { endingPlugins -> [(Timeline.Entry, Timeline)] in
            let places = endingPlugins.entered(id)
            return timelines.compactMap { timeline in
                guard places.contains(ObjectIdentifier(timeline)), let entry = timeline.remove(plugin) else {
                    return nil
                }
                endingPlugins.begin(id)
                return (entry, timeline)
            }
        }
        for (entry, timeline) in left { depart(entry, from: timeline) }
    }

    /// Whether the plugin was removed and has not got its last call.
    func isEnding(_ plugin: any Plugin) -> Bool { endingPlugins.withLock { $0.contains(ObjectIdentifier(plugin)) } }

    /// Delays the adding of a plugin until the plugin has ended.
    /// - Returns: nil when it may begin at once; otherwise whether this is the first request.
    func afterEnd(of plugin: any Plugin, in timeline: Timeline, _ begin: @escaping @Sendable () -> Void) -> Bool? {
        endingPlugins.withLock { $0.returns(ObjectIdentifier(plugin), to: ObjectIdentifier(timeline), begin: begin) }
    }

    /// Forgets everything about a plugin, because another plugin may get its address.
    private func retire(_ entry: Timeline.Entry, _ home: DestinationQueue?) {
        let id = ObjectIdentifier(entry.plugin)
        informed.remove(id)
        runner.manuallyEnabled.remove(id)
        if manualKeys.withLock({ $0.removeValue(forKey: id) }) != nil { renewSettings() }
        let plugin = Handed(entry.plugin)
        // Before the end, because a plugin that is added again asks for time when it comes back.
        start.stopWaiting(for: id)
        end(entry, home, isRemoved: true) { [self] in comeBack(plugin.value) }
    }

    /// Ends all plugins with the client. Runs on the executor.
    func endAll() {
        for entry in timeline.entries {
            timeline.remove(entry.plugin)
            end(entry, isRemoved: false)
        }
    }

    /// Makes a plugin's last call. The plugins in a destination's timeline end with the destination, and begin again
    /// when it is added again.
    private func end(
        _ entry: Timeline.Entry, _ home: DestinationQueue? = nil, isRemoved: Bool,
        _ completion: @escaping @Sendable () -> Void = {}
    ) {
        let own = Handed(entry)
        let inner = Handed(entry.destination?.timeline.entries ?? [])
        for entry in inner.value {
            informed.remove(ObjectIdentifier(entry.plugin))
            turns.giveBack(ObjectIdentifier(entry.plugin))
        }
        let last: @Sendable () -> Void = {
            own.value.destination?.timeline.deactivateAll()
            own.value.turns.take { own.value.plugin.shutdown() }
            for entry in inner.value { entry.turns.take { entry.plugin.shutdown() } }
            completion()
        }
        if let queue = entry.queue { return queue.end(isRemoved: isRemoved) { _ in last() } }
        if home?.call(isVital: true, { _ in last() }) != true { last() }
    }
}
