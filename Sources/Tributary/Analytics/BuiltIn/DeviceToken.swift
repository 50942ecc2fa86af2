/// Holds the token for push notifications, which each event has in `context.device.token`.
///
/// The client adds this plugin when a token is set: `analytics.find(pluginType: DeviceToken.self)?.token`.
///
/// Unchecked because all state is behind its lock.
public final class DeviceToken: Plugin, @unchecked Sendable {
    private struct State {
        weak var analytics: Analytics?
        var token: String?
    }

    public let type = PluginType.before
    private let state = LockBox(State())

    /// A plugin without a token.
    public init() {}

    public var analytics: Analytics? {
        get { state.withLock { $0.analytics } }
        set { state.withLock { $0.analytics = newValue } }
    }

    /// The token; nil removes it from later events.
    public var token: String? {
        get { state.withLock { $0.token } }
        set {
            state.withLock { $0.token = newValue }
            analytics?.context.setDeviceToken(newValue)
        }
    }

    public func configure(analytics: Analytics) {
        self.analytics = analytics
        if let token { analytics.context.setDeviceToken(token) }
    }
}
