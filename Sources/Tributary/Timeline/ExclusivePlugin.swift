/// A plugin that a client can have only once, and that belongs to one client, because its state follows from that
/// client's settings.
package protocol ExclusivePlugin: Plugin {
    /// The owner of the plugin.
    var owner: PluginOwner { get }
    /// Whether another plugin of this type may replace it. Default: false.
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

    /// Makes a client the owner, unless another client owns the plugin and has not ended.
    func take(for client: Analytics) -> Bool {
        state.withLock { state in
            guard state.client == nil || state.client === client else { return false }
            state.client = client
            return true
        }
    }

    /// Called when the plugin was removed or its client has ended.
    package func end() { state.withLock { $0.client = nil } }
}

extension Analytics {
    /// The reason why a plugin cannot be added; nil when it can.
    func refusal(of plugin: any Plugin) -> String? {
        guard let plugin = plugin as? any ExclusivePlugin else { return nil }
        let others = timeline.plugins.filter { type(of: $0) == type(of: plugin) }
        if let other = others.first as? any ExclusivePlugin, !other.givesWay {
            return "the client already has such a plugin, so this one is not added. Remove the other one first"
        }
        guard !plugin.owner.take(for: self) else { return nil }
        return "the plugin belongs to another client that has not ended, so it is not added. Each client needs its own"
    }
}
