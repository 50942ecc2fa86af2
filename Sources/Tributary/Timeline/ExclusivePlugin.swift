/// A plugin of which a client has one, and which belongs to one client: what it keeps follows from that client's settings.
package protocol ExclusivePlugin: Plugin {
    /// Whose it is.
    var owner: PluginOwner { get }
    /// Whether another one may take its place. Default: false.
    var givesWay: Bool { get }
}

extension ExclusivePlugin {
    package var givesWay: Bool { false }
}

/// The client that a plugin belongs to.
package final class PluginOwner: Sendable {
    private struct State {
        weak var client: Analytics?
    }

    private let state = LockBox(State())

    package init() {}

    /// Makes a client the owner, unless the plugin has another one that has not ended.
    func take(for client: Analytics) -> Bool {
        state.withLock { state in
            guard state.client == nil || state.client === client else { return false }
            state.client = client
            return true
        }
    }

    /// The plugin was removed, or its client has ended.
    package func end() { state.withLock { $0.client = nil } }
}

extension Analytics {
    /// Why a plugin cannot be added; nil when it can.
    func refusal(of plugin: any Plugin) -> String? {
        guard let plugin = plugin as? any ExclusivePlugin else { return nil }
        let others = timeline.plugins.filter { type(of: $0) == type(of: plugin) }
        if let other = others.first as? any ExclusivePlugin, !other.givesWay {
            return "the client has one already; this one is not added. Remove the other one first"
        }
        guard !plugin.owner.take(for: self) else { return nil }
        return "it belongs to another client that has not ended; it is not added here. Each client needs one of its own"
    }
}
