/// The plugins of a client or of one destination, by type and in the order in which they were added.
///
/// It may be used from any thread. A new plugin can be found at once. It sees events after the client's executor has
/// given it the settings.
///
/// Unchecked because only the client's executor and the destinations' queues call the plugins, and the list of plugins
/// is behind the lock.
public final class Timeline: @unchecked Sendable {
    /// A plugin with facts that the executor would otherwise look up for each event.
    ///
    /// This is a class because the executor visits each entry for each event: that retains one reference, not one for
    /// each member.
    final class Entry {
        let plugin: any Plugin
        let type: PluginType
        let name: String
        /// The destination's name in settings, `integrations` and filters. For other plugins, the plugin's name.
        let key: String
        let host: (any PluginHost)?
        let source: (any SourceStage)?
        let gate: (any DestinationGate)?
        let destination: (any DestinationPlugin)?
        let shaper: (any MemberPlugin)?
        let timed: (any TimedPlugin)?
        let cloud: CloudDestination?
        /// The queue of a device-mode destination; nil for other plugins.
        let queue: DestinationQueue?
        /// Whether the plugin belongs to the library, so that traces need not show it.
        let isBuiltIn: Bool
        /// Whether the plugin of a destination's timeline sees events on the executor.
        let isOnExecutor: Bool
        /// The phase of the plugin. It changes under the timeline's lock.
        fileprivate(set) var phase = Phase.waiting
        /// Keeps calls apart when the plugin is in the timelines of several destinations.
        fileprivate(set) var turns = Turns()

        var isActive: Bool { phase == .active }

        init(_ plugin: any Plugin, queue: DestinationQueue?) {
            self.plugin = plugin
            self.queue = queue
            type = plugin.type
            name = plugin.name
            key = (plugin as? any DestinationPlugin)?.key ?? plugin.name
            host = plugin as? any PluginHost
            source = plugin as? any SourceStage
            gate = plugin as? any DestinationGate
            destination = plugin as? any DestinationPlugin
            shaper = plugin as? any MemberPlugin
            timed = plugin as? any TimedPlugin
            cloud = plugin as? CloudDestination
            isBuiltIn = shaper != nil
            isOnExecutor = plugin is any ExecutorPlugin
        }
    }

    /// The phases of a plugin.
    enum Phase {
        /// It was added.
        case waiting
        /// The executor is going to give it the settings.
        case starting
        /// It sees events.
        case active
    }

    /// The active plugins of each type at one moment.
    ///
    /// This is a class because each event holds one: that retains one reference, not one for each list.
    final class Snapshot {
        /// Whether no plugin sees events.
        let isEmpty: Bool
        let before: [Entry]
        /// The plugins of a destination's timeline that see events on the executor.
        let onExecutor: [Entry]
        /// The plugins of type `before` up to the last source stage; usually none.
        let source: ArraySlice<Entry>
        /// The other plugins of type `before`.
        let shaping: [Entry]
        let enrichment: [Entry]
        let destination: [Entry]
        let after: [Entry]
        /// The destinations on the device.
        let deviceDestinations: [Entry]
        /// Plugins of any type that decide what destinations get.
        let gates: [Entry]
        /// Plugins of any type that run other plugins.
        let hosts: [Entry]

        init(_ entries: [Entry] = []) {
            isEmpty = entries.isEmpty
            before = entries.filter { $0.type == .before }
            onExecutor = before.filter(\.isOnExecutor)
            let sources = before.lastIndex { $0.source != nil }.map { $0 + 1 } ?? 0
            source = before[..<sources]
            shaping = sources == 0 ? before : Array(before[sources...])
            enrichment = entries.filter { $0.type == .enrichment }
            destination = entries.filter { $0.type == .destination }
            after = entries.filter { $0.type == .after }
            deviceDestinations = destination.filter { $0.queue != nil }
            gates = entries.filter { $0.gate != nil }
            hosts = entries.filter { $0.host != nil }
        }
    }

    private struct State {
        /// In the order of adding.
        var entries: [Entry] = []
        var byPlugin: [ObjectIdentifier: Entry] = [:]
        /// Made at its first use, so that adding many plugins stays cheap.
        var snapshot: Snapshot?
        weak var queue: DestinationQueue?
    }

    private let state = LockBox(State())

    /// A timeline without plugins. A destination holds one.
    public init() {}

    /// The active plugins. The lists are shared, not copied.
    var snapshot: Snapshot {
        state.withLock { state in
            if let snapshot = state.snapshot { return snapshot }
            let snapshot = Snapshot(state.entries.filter(\.isActive))
            state.snapshot = snapshot
            return snapshot
        }
    }

    var plugins: [any Plugin] { state.withLock { $0.entries.map(\.plugin) } }

    /// All entries, in the order of adding.
    var entries: [Entry] { state.withLock { $0.entries } }

    /// The entries that get settings and events, or will soon.
    var begun: [Entry] { state.withLock { $0.entries.filter { $0.phase != .waiting } } }

    /// The entries that wait for a client.
    var waiting: [Entry] { state.withLock { $0.entries.filter { $0.phase == .waiting } } }

    /// The queue of the destination that has this timeline, while a client has the destination. The plugins of this
    /// timeline run on it.
    var queue: DestinationQueue? {
        get { state.withLock { $0.queue } }
        set { state.withLock { $0.queue = newValue } }
    }

    func contains(_ plugin: any Plugin) -> Bool { state.withLock { $0.byPlugin[ObjectIdentifier(plugin)] != nil } }

    /// Adds a plugin, which then waits for `activate`.
    /// - Returns: false when the plugin is already there.
    @discardableResult
    func register(_ plugin: any Plugin, queue: DestinationQueue? = nil) -> Bool {
        let entry = Entry(plugin, queue: queue)
        return state.withLock { state in
            guard state.byPlugin[ObjectIdentifier(plugin)] == nil else { return false }
            state.byPlugin[ObjectIdentifier(plugin)] = entry
            state.entries.append(entry)
            return true
        }
    }

    /// Stops all plugins from seeing events until they are activated again.
    func deactivateAll() {
        state.withLock { state in
            for entry in state.entries { entry.phase = .waiting }
            state.snapshot = nil
        }
    }

    /// Takes note that the plugin will get the settings.
    /// - Parameter turns: keeps its calls apart.
    /// - Returns: false when that was noted already, or when the plugin was removed meanwhile.
    func start(_ plugin: any Plugin, turns: Turns? = nil) -> Bool {
        state.withLock { state in
            guard let entry = state.byPlugin[ObjectIdentifier(plugin)], entry.phase == .waiting else { return false }
            entry.phase = .starting
            if let turns { entry.turns = turns }
            return true
        }
    }

    /// Lets the plugin see events, if it was started and is still there.
    func activate(_ plugin: any Plugin) {
        state.withLock { state in
            guard let entry = state.byPlugin[ObjectIdentifier(plugin)], entry.phase == .starting else { return }
            entry.phase = .active
            state.snapshot = nil
        }
    }

    /// Removes a plugin; nil when it was not there.
    @discardableResult
    func remove(_ plugin: any Plugin) -> Entry? {
        state.withLock { state in
            guard let entry = state.byPlugin.removeValue(forKey: ObjectIdentifier(plugin)) else { return nil }
            if let index = state.entries.firstIndex(where: { $0 === entry }) { state.entries.remove(at: index) }
            state.snapshot = nil
            return entry
        }
    }

    /// Visits the plugins one after the other. Each visit waits until no other queue calls the plugin.
    func visit(_ visit: (any Plugin) -> Void) {
        for entry in begun { entry.turns.take { visit(entry.plugin) } }
    }

    func find<Found: Plugin>(_ type: Found.Type) -> Found? { findAll(type).first }

    func findAll<Found: Plugin>(_ type: Found.Type) -> [Found] { ordered.compactMap { $0 as? Found } }

    func find(key: String) -> (any DestinationPlugin)? {
        ordered.lazy.compactMap { $0 as? any DestinationPlugin }.first { $0.key == key }
    }

    func apply(_ closure: (any Plugin) -> Void) { ordered.forEach(closure) }

    /// The plugins by type, and within a type in the order of adding.
    private var ordered: [any Plugin] {
        let entries = state.withLock { $0.entries }
        return PluginType.allCases.flatMap { type in entries.filter { $0.type == type }.map(\.plugin) }
    }
}
