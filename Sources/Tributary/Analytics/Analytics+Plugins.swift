package import TributaryJSON

extension Analytics {
    /// Adds a plugin. The client configures it at once on this thread, then gives it the settings, then shows it
    /// events.
    ///
    /// A plugin that is added right after the client was made sees every event, also those of an earlier process. A
    /// removed plugin that is added again before its `shutdown()` returns to the timeline after that call.
    ///
    /// ```swift
    /// let sampling = EventSampling(rate: 0.1, names: ["Scrolled"])
    /// analytics.add(plugin: sampling)
    /// analytics.remove(plugin: sampling)
    /// ```
    @discardableResult
    public func add(plugin: any Plugin) -> any Plugin { add(plugin: plugin, to: timeline) }

    /// Adds a plugin to this client's timeline or to that of one of its destinations.
    @discardableResult
    package func add(plugin: any Plugin, to timeline: Timeline) -> any Plugin {
        let returning = Returning(plugin: plugin)
        // A plugin that is still ending begins later, and sees the event that is tracked next all the same.
        let hold = pipeline.plugins.isEnding(plugin) ? pipeline.turns.hold() : nil
        let isNews = pipeline.plugins.afterEnd(of: plugin, in: timeline) { [weak self] in
            self?.enter(returning.plugin, timeline)
            hold?.release()
        }
        switch isNews {
        case nil: enter(plugin, timeline)
        // A plugin with an end that takes longer counts as stuck, and events do not wait for it any more.
        case true?:
            pipeline.executor.schedule(after: values.destinationTimeout) { [weak hold] in hold?.release() }
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
        // Plugins that the app put into the destination's timeline before the destination had a client.
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

    /// Adds a closure that sees every event. It runs among the enrichment plugins.
    ///
    /// ```swift
    /// analytics.add(enrichment: { event in
    ///     guard var event = event as? TrackEvent else { return event }
    ///     event.properties?["mail"] = nil
    ///     return event.event == "Internal" ? nil : event    // nil drops the event
    /// })
    /// ```
    @discardableResult
    public func add(enrichment: @escaping EnrichmentClosure) -> any Plugin {
        let plugin = ClosureEnrichment(closure: enrichment)
        add(builtIn: plugin)
        return plugin
    }

    /// Removes a plugin from this client's timeline. A plugin that is only in timelines of destinations is removed from
    /// those. It sees at most the event that is processed right now, and then gets `shutdown()`.
    public func remove(plugin: any Plugin) {
        guard !pipeline.plugins.remove(plugin, from: timeline) else { return }
        for timeline in timelines { remove(plugin: plugin, from: timeline) }
    }

    /// Removes a plugin from this client's timeline or from that of one of its destinations.
    func remove(plugin: any Plugin, from timeline: Timeline) { pipeline.plugins.remove(plugin, from: timeline) }

    /// Visits every plugin of this client once, by type and in the order of adding, then those in the timelines of its
    /// destinations.
    public func apply(closure: (any Plugin) -> Void) { for timeline in timelines { timeline.apply(closure) } }

    /// The first plugin of that type in this client's timeline. Timelines of destinations are not searched, because a
    /// plugin that adds one helper to each destination must not find the helper of another destination. Ask the
    /// destination for those.
    public func find<Found: Plugin>(pluginType: Found.Type) -> Found? { timeline.find(pluginType) }

    /// All plugins of that type in this client's timeline, by stage and in the order of adding. Never nil; optional
    /// because code for analytics-swift expects that.
    public func findAll<Found: Plugin>(pluginType: Found.Type) -> [Found]? { timeline.findAll(pluginType) }

    /// The destination with that key.
    public func find(key: String) -> (any DestinationPlugin)? { timeline.find(key: key) }

    /// This client's timeline and those of its destinations.
    private var timelines: [Timeline] { [timeline] + timeline.entries.compactMap { $0.destination?.timeline } }

    /// Calls back once, on a background thread, when events are processed: settings are known, and plugins and
    /// destinations have them. When that is the case already, it calls back at once. It does not wait for a stuck
    /// destination.
    public func onReady(_ handler: @escaping @Sendable () -> Void) { pipeline.onReady(handler) }

    /// Calls back once, on the destination's own queue, when the settings enable the destination with that key. Events
    /// that were tracked before may have reached it earlier.
    public func onReady(key: String, _ handler: @escaping @Sendable (any DestinationPlugin) -> Void) {
        pipeline.plugins.onReady(key, handler)
    }

    /// Enables a destination that the settings do not name. From now on `settings()` names it.
    public func manuallyEnableDestination(plugin: any DestinationPlugin) { pipeline.plugins.enableManually(plugin) }

    /// Holds the processing of events for at most `Configuration.waitingTimeout` seconds. The events wait on disk. Events
    /// that are tracked after this call wait in any case; of those that were tracked before, some may still be processed.
    public func pauseEventProcessing(plugin: any WaitingPlugin) { pipeline.start.pause(for: plugin) }

    /// Ends the hold of this plugin. Processing goes on when no other plugin holds it.
    public func resumeEventProcessing(plugin: any WaitingPlugin) { pipeline.start.resume(for: plugin) }

    /// Calls back when observers of diagnostics got everything that was reported before.
    package func afterReports(_ completion: @escaping @Sendable () -> Void) { hub.afterReports(completion) }

    /// Calls back on the executor when everything that was tracked so far has gone through the timeline and the
    /// destinations on the device, or will not for now, because the settings switched collection off.
    package func afterProcessing(_ completion: @escaping @Sendable () -> Void) {
        let settle: @Sendable () -> Void = { [pipeline] in pipeline.destinations.settle(completion) }
        pipeline.turns.barrier(whenSwitchedOff: settle, settle)
    }

    /// The context of every event.
    package var commonContext: JSONObject { context.current }

    /// Makes a new id.
    package func makeId() -> String { values.identifiers.next() }

    /// Whether the caller is on the executor that calls the plugins.
    package var isOnExecutor: Bool { pipeline.executor.isCurrent }

    /// Calls a destination on its own queue, after the events that wait for it. The caller is on the executor.
    package func call(_ destination: any DestinationPlugin, _ call: @escaping @Sendable (any Plugin) -> Void) {
        timeline.entries.first { $0.plugin === destination }?.queue?.call(call)
    }

    /// Calls back on the executor when everything that was tracked before this call has gone through the timeline.
    package func afterTracked(_ completion: @escaping @Sendable () -> Void) { pipeline.turns.barrier(completion) }

    /// Runs work between two events, on the executor that calls the plugins.
    package func performBetweenEvents(_ work: @escaping @Sendable () -> Void) { pipeline.executor.perform(work) }
}

/// A plugin that is added again. Nothing calls it until it begins.
///
/// Unchecked because this type does nothing with the plugin.
private struct Returning: @unchecked Sendable {
    let plugin: any Plugin
}
