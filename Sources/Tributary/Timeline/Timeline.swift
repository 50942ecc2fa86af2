/// The plugins of a client or of one destination, in the order in which they were added, by type.
///
/// May be used from any thread. A plugin that was added is found at once; it sees events from the moment that the
/// client's executor has brought it up to date with the settings.
///
/// Unchecked because the plugins themselves are only called by the client's executor and the destinations' queues; the list
/// of them is behind the lock.
public final class Timeline: @unchecked Sendable {
    /// A plugin with what the executor wants to know of it without asking again for each event.
    ///
    /// A class, because the executor visits each one for each event: that is one reference, not one for each member.
    final class Entry {
        let plugin: any Plugin
        let type: PluginType
        let name: String
        /// The destination's name in settings, `integrations` and filters; the plugin's name for all others.
        let key: String
        let host: (any PluginHost)?
        let source: (any SourceStage)?
        let gate: (any DestinationGate)?
        let destination: (any DestinationPlugin)?
        let shaper: (any MemberPlugin)?
        let cloud: CloudDestination?
        /// The queue of a device-mode destination; nil for other plugins.
        let queue: DestinationQueue?
        /// Whether the plugin is the library's own, so that what it does is no news.
        let isBuiltIn: Bool
        /// Whether the plugin sees events on the executor, although it stands in a destination's timeline.
        let isOnExecutor: Bool
        /// How far the plugin has come; changes under the timeline's lock.
        fileprivate(set) var phase = Phase.waiting
        /// Keeps calls apart when the plugin stands in the timelines of several destinations.
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
            cloud = plugin as? CloudDestination
            isBuiltIn = shaper != nil
            isOnExecutor = plugin is any ExecutorPlugin
        }
    }

    /// How far a plugin has come.
    enum Phase {
        /// It was added.
        case waiting
        /// The executor has seen to it that it gets the settings.
        case starting
        /// It sees events.
        case active
    }

    /// The active plugins of each type at one moment.
    ///
    /// A class, because each event takes one along: that is one reference, not one for each list.
    final class Snapshot {
        /// Whether no plugin sees events.
        let isEmpty: Bool
        let before: [Entry]
        /// Those of them that see events on the executor, although they stand in a destination's timeline.
        let onExecutor: [Entry]
        /// Those of type `before` up to the last one that sees events in their common form; mostly none.
        let source: ArraySlice<Entry>
        /// Those of type `before` behind them.
        let shaping: [Entry]
        let enrichment: [Entry]
        let destination: [Entry]
        let after: [Entry]
        /// Those of the destinations that are served on the device.
        let deviceDestinations: [Entry]
        /// Plugins of any type that decide what destinations see.
        let gates: [Entry]
        /// Plugins of any type that have more plugins behind them.
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
        /// Made at its first use, so adding many plugins stays cheap.
        var snapshot: Snapshot?
        weak var queue: DestinationQueue?
    }

    private let state = LockBox(State())

    /// A timeline without plugins, for a destination to hold.
    public init() {}

    /// The active plugins; the lists are shared, not copied.
    var snapshot: Snapshot {
        state.withLock { state in
            if let snapshot = state.snapshot { return snapshot }
            let snapshot = Snapshot(state.entries.filter(\.isActive))
            state.snapshot = snapshot
            return snapshot
        }
    }

    var plugins: [any Plugin] { state.withLock { $0.entries.map(\.plugin) } }

    /// All plugins with what is known of them, in the order of adding.
    var entries: [Entry] { state.withLock { $0.entries } }

    /// Those that get the settings and events, or are about to.
    var begun: [Entry] { state.withLock { $0.entries.filter { $0.phase != .waiting } } }

    /// Those that wait to be told of a client.
    var waiting: [Entry] { state.withLock { $0.entries.filter { $0.phase == .waiting } } }

    /// The queue of the destination whose timeline this is, while a client has it. The plugins of this timeline run on it.
    var queue: DestinationQueue? {
        get { state.withLock { $0.queue } }
        set { state.withLock { $0.queue = newValue } }
    }

    func contains(_ plugin: any Plugin) -> Bool { state.withLock { $0.byPlugin[ObjectIdentifier(plugin)] != nil } }

    /// Puts a plugin in its place, where it waits for `activate`.
    /// - Returns: false when it is there already.
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

    /// None of the plugins sees events until it is activated again.
    func deactivateAll() {
        state.withLock { state in
            for entry in state.entries { entry.phase = .waiting }
            state.snapshot = nil
        }
    }

    /// The plugin is going to get the settings.
    /// - Parameter turns: what keeps its calls apart.
    /// - Returns: false when that was so already, or it was removed meanwhile.
    func start(_ plugin: any Plugin, turns: Turns? = nil) -> Bool {
        state.withLock { state in
            guard let entry = state.byPlugin[ObjectIdentifier(plugin)], entry.phase == .waiting else { return false }
            entry.phase = .starting
            if let turns { entry.turns = turns }
            return true
        }
    }

    /// From now on the plugin sees events, if it has been started and is still there.
    func activate(_ plugin: any Plugin) {
        state.withLock { state in
            guard let entry = state.byPlugin[ObjectIdentifier(plugin)], entry.phase == .starting else { return }
            entry.phase = .active
            state.snapshot = nil
        }
    }

    /// Takes a plugin out; nil when it was not there.
    @discardableResult
    func remove(_ plugin: any Plugin) -> Entry? {
        state.withLock { state in
            guard let entry = state.byPlugin.removeValue(forKey: ObjectIdentifier(plugin)) else { return nil }
            if let index = state.entries.firstIndex(where: { $0 === entry }) { state.entries.remove(at: index) }
            state.snapshot = nil
            return entry
        }
    }

    /// Visits the plugins one after the other, each when nobody else calls it.
    func visit(_ visit: (any Plugin) -> Void) {
        for entry in begun { entry.turns.take { visit(entry.plugin) } }
    }

    func find<Found: Plugin>(_ type: Found.Type) -> Found? { findAll(type).first }

    func findAll<Found: Plugin>(_ type: Found.Type) -> [Found] { ordered.compactMap { $0 as? Found } }

    func find(key: String) -> (any DestinationPlugin)? {
        ordered.lazy.compactMap { $0 as? any DestinationPlugin }.first { $0.key == key }
    }

    func apply(_ closure: (any Plugin) -> Void) { ordered.forEach(closure) }

    /// By type, and inside a type in the order of adding.
    private var ordered: [any Plugin] {
        let entries = state.withLock { $0.entries }
        return PluginType.allCases.flatMap { type in entries.filter { $0.type == type }.map(\.plugin) }
    }
}
