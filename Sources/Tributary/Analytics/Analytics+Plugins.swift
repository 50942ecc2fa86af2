package import TributaryJSON

extension Analytics {
    /// Adds a plugin: it is configured at once on this thread, then gets the settings, then sees events.
    ///
    /// A plugin that is added right after the client was made sees every event, also those of an earlier process. One that
    /// was removed and has not got its `shutdown()` yet is added when it has.
    @discardableResult
    public func add(plugin: any Plugin) -> any Plugin { add(plugin: plugin, to: timeline) }

    /// Adds a plugin to this client's timeline or to that of one of its destinations.
    @discardableResult
    package func add(plugin: any Plugin, to timeline: Timeline) -> any Plugin {
        let returning = Returning(plugin: plugin)
        let isNews = pipeline.plugins.afterEnd(of: plugin, in: timeline) { [weak self] in
            self?.enter(returning.plugin, timeline)
        }
        switch isNews {
        case nil: enter(plugin, timeline)
        case true?: break
        case false?: reportSecondAdding(of: plugin)
        }
        return plugin
    }

    /// Adds plugins of the library. As a list, because the compiler would otherwise make a version of everything that
    /// adding does for each of their types.
    @inline(never)
    func add(builtIn plugins: any Plugin...) {
        for plugin in plugins { add(plugin: plugin, to: timeline) }
    }

    private func enter(_ plugin: any Plugin, _ timeline: Timeline) {
        guard !timeline.contains(plugin) else { return reportSecondAdding(of: plugin) }
        if let reason = refusal(of: plugin) {
            return report(Diagnostic(.configuration, reason, plugin: plugin.name))
        }
        // Plugins that were put into the destination's timeline before the destination had a client.
        let inner = (plugin as? any DestinationPlugin)?.timeline
        for entry in inner?.waiting ?? [] { configure(entry.plugin) }
        configure(plugin)
        let queue = timeline === self.timeline ? pipeline.destinations.makeQueue(for: plugin) : nil
        guard timeline.register(plugin, queue: queue) else { return reportSecondAdding(of: plugin) }
        if let queue { inner?.queue = queue }
        pipeline.plugins.activate(plugin, queue, in: timeline)
    }

    private func configure(_ plugin: any Plugin) {
        #if canImport(AppKit) && !targetEnvironment(macCatalyst)
        AppKitListeners.note(plugin)
        #endif
        plugin.configure(analytics: self)
    }

    private func reportSecondAdding(of plugin: any Plugin) {
        report(Diagnostic(.configuration, "a plugin was added a second time; it is there once", plugin: plugin.name))
    }

    /// Adds a closure that sees every event among the enrichment plugins.
    @discardableResult
    public func add(enrichment: @escaping EnrichmentClosure) -> any Plugin {
        let plugin = ClosureEnrichment(closure: enrichment)
        add(builtIn: plugin)
        return plugin
    }

    /// Removes a plugin from this client's own timeline, or from those of destinations when it stands only there; it sees no
    /// event after the one that is processed right now, and then gets `shutdown()`.
    public func remove(plugin: any Plugin) {
        guard !pipeline.plugins.remove(plugin, from: timeline) else { return }
        for timeline in timelines { remove(plugin: plugin, from: timeline) }
    }

    /// Removes a plugin from this client's timeline or from that of one of its destinations.
    func remove(plugin: any Plugin, from timeline: Timeline) { pipeline.plugins.remove(plugin, from: timeline) }

    /// Visits every plugin of this client once, by type and in the order of adding, then those in the timelines of its
    /// destinations.
    public func apply(closure: (any Plugin) -> Void) { for timeline in timelines { timeline.apply(closure) } }

    /// The first plugin of that type in this client's own timeline. What stands in the timeline of a destination is found by
    /// the destination: a plugin that looks whether it has to add one to each destination must not find that of another.
    public func find<Found: Plugin>(pluginType: Found.Type) -> Found? { timeline.find(pluginType) }

    /// All plugins of that type in this client's own timeline, by type and in the order of adding. Never nil; optional
    /// because code of the field expects that.
    public func findAll<Found: Plugin>(pluginType: Found.Type) -> [Found]? { timeline.findAll(pluginType) }

    /// The destination with that key.
    public func find(key: String) -> (any DestinationPlugin)? { timeline.find(key: key) }

    /// This client's timeline and those of its destinations.
    private var timelines: [Timeline] { [timeline] + timeline.entries.compactMap { $0.destination?.timeline } }

    /// Calls back once, on a background thread, when events are processed: settings are known, and plugins and
    /// destinations have been given them. At once when that is so already; a stuck destination is not waited for.
    public func onReady(_ handler: @escaping @Sendable () -> Void) { pipeline.onReady(handler) }

    /// Calls back once, on the destination's own queue, when the destination with that key runs: it was given settings
    /// that enable it. Events that were tracked before may already have reached it.
    public func onReady(key: String, _ handler: @escaping @Sendable (any DestinationPlugin) -> Void) {
        pipeline.plugins.onReady(key, handler)
    }

    /// Lets a destination run although the settings do not name it; from now on `settings()` does.
    public func manuallyEnableDestination(plugin: any DestinationPlugin) { pipeline.plugins.enableManually(plugin) }

    /// Holds the processing of events, at most for `Configuration.waitingTimeout` seconds; they wait on disk.
    public func pauseEventProcessing(plugin: any WaitingPlugin) { pipeline.start.pause(for: plugin) }

    /// Lets processing go on, as far as this plugin is concerned.
    public func resumeEventProcessing(plugin: any WaitingPlugin) { pipeline.start.resume(for: plugin) }

    /// Calls back when observers of diagnostics know of everything that was reported before.
    package func afterReports(_ completion: @escaping @Sendable () -> Void) { hub.afterReports(completion) }

    /// Calls back on the executor when everything that was tracked so far has gone through the timeline, and the
    /// destinations on the device have dealt with it.
    package func afterProcessing(_ completion: @escaping @Sendable () -> Void) {
        pipeline.turns.barrier { [pipeline] in pipeline.destinations.settle(completion) }
    }

    /// The context of every event.
    package var commonContext: JSONObject { context.current }

    /// A fresh id.
    package func makeId() -> String { values.identifiers.next() }

    /// Whether the caller is on the executor that calls the plugins.
    package var isOnExecutor: Bool { pipeline.executor.isCurrent }

    /// Calls a destination on its own queue, behind the events that were queued for it. On the executor.
    package func call(_ destination: any DestinationPlugin, _ call: @escaping @Sendable (any Plugin) -> Void) {
        timeline.entries.first { $0.plugin === destination }?.queue?.call(call)
    }

    /// Calls back on the executor when everything that was tracked before this call has gone through the timeline.
    package func afterTracked(_ completion: @escaping @Sendable () -> Void) { pipeline.turns.barrier(completion) }

    /// Runs work between two events, on the executor that calls the plugins.
    package func performBetweenEvents(_ work: @escaping @Sendable () -> Void) { pipeline.executor.perform(work) }
}

/// A plugin that is added again and is not called until it begins.
///
/// Unchecked because nothing is done with the plugin here.
private struct Returning: @unchecked Sendable {
    let plugin: any Plugin
}
