/// The plugins of a client or of one destination, in the order in which they were added, by type.
///
/// May be used from any thread. A plugin that was added is found at once; it sees events from the moment that the
/// client's executor has brought it up to date with the settings.
///
/// Unchecked because the plugins themselves are only called by the client's executor; the list of them is behind the
/// lock.
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
        let provider: (any StageProvider)?
        let source: (any SourceStage)?
        let gate: (any DestinationGate)?
        let destination: (any DestinationPlugin)?
        let shaper: (any MemberPlugin)?
        let cloud: CloudDestination?
        /// The way to a device-mode destination of a client.
        let line: DestinationLine?
        /// Whether the plugin is the library's own, so that what it does is no news.
        let isBuiltIn: Bool
        var isActive: Bool

        init(_ plugin: any Plugin, line: DestinationLine?, isActive: Bool) {
            self.plugin = plugin
            self.line = line
            self.isActive = isActive
            type = plugin.type
            name = plugin.name
            key = (plugin as? any DestinationPlugin)?.key ?? plugin.name
            provider = plugin as? any StageProvider
            source = plugin as? any SourceStage
            gate = plugin as? any DestinationGate
            destination = plugin as? any DestinationPlugin
            shaper = plugin as? any MemberPlugin
            cloud = plugin as? CloudDestination
            isBuiltIn = plugin is ContextPlugin
        }
    }

    /// The active plugins of each type at one moment.
    ///
    /// A class, because each event takes one along: that is one reference, not one for each list.
    final class Snapshot {
        let before: [Entry]
        /// Those of type `before` up to the last one that sees events in their common form; mostly none.
        let source: ArraySlice<Entry>
        /// Those of type `before` behind them.
        let shaping: [Entry]
        let enrichment: [Entry]
        let destination: [Entry]
        let after: [Entry]
        /// Those of the destinations that are served on the device.
        let lines: [Entry]
        /// Plugins of any type that decide what destinations see.
        let gates: [Entry]
        /// Plugins of any type that have more plugins behind them.
        let providers: [Entry]

        init(_ entries: [Entry] = []) {
            before = entries.filter { $0.type == .before }
            let sources = before.lastIndex { $0.source != nil }.map { $0 + 1 } ?? 0
            source = before[..<sources]
            shaping = sources == 0 ? before : Array(before[sources...])
            enrichment = entries.filter { $0.type == .enrichment }
            destination = entries.filter { $0.type == .destination }
            after = entries.filter { $0.type == .after }
            lines = destination.filter { $0.line != nil }
            gates = entries.filter { $0.gate != nil }
            providers = entries.filter { $0.provider != nil }
        }
    }

    private struct State {
        var entries: [Entry] = []
        var snapshot = Snapshot()
    }

    private let state = LockBox(State())

    /// A timeline without plugins, for a destination to hold.
    public init() {}

    /// The active plugins; the lists are shared, not copied.
    var snapshot: Snapshot { state.withLock { $0.snapshot } }

    var plugins: [any Plugin] { state.withLock { $0.entries.map(\.plugin) } }

    /// Puts a plugin in its place. Unless it is active already, it waits for `activate`.
    func register(_ plugin: any Plugin, line: DestinationLine? = nil, isActive: Bool = false) {
        change { $0.append(Entry(plugin, line: line, isActive: isActive)) }
    }

    /// All plugins with what is known of them, in the order of adding.
    var entries: [Entry] { state.withLock { $0.entries } }

    /// None of the plugins sees events until it is activated again.
    func deactivateAll() { change { entries in entries.forEach { $0.isActive = false } } }

    /// From now on the plugin sees events; does nothing when it was removed meanwhile.
    func activate(_ plugin: any Plugin) {
        change { entries in
            guard let index = entries.firstIndex(where: { $0.plugin === plugin }) else { return }
            entries[index].isActive = true
        }
    }

    func isActive(_ plugin: any Plugin) -> Bool {
        state.withLock { $0.entries.contains { $0.plugin === plugin && $0.isActive } }
    }

    /// Takes a plugin out; nil when it was not there.
    @discardableResult
    func remove(_ plugin: any Plugin) -> Entry? {
        var removed: Entry?
        change { entries in
            removed = entries.first { $0.plugin === plugin }
            entries.removeAll { $0.plugin === plugin }
        }
        return removed
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

    private func change(_ body: (inout [Entry]) -> Void) {
        state.withLock { state in
            body(&state.entries)
            state.snapshot = Snapshot(state.entries.filter(\.isActive))
        }
    }
}
