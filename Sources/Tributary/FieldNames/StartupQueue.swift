/// The name of the memory queue in which analytics-swift keeps events until settings are known.
///
/// This client keeps these events on disk, in their order, so its timeline has no such plugin.
@available(
    *, deprecated, message: "events wait on disk; Analytics.onReady(_:) calls back when processing begins"
)
// Unchecked because its one reference is behind the lock.
public final class StartupQueue: Plugin, @unchecked Sendable {
    private struct State { weak var analytics: Analytics? }

    public let type = PluginType.before
    private let state = LockBox(State())

    /// A plugin that passes every event.
    public init() {}

    public var analytics: Analytics? {
        get { state.withLock { $0.analytics } }
        set { state.withLock { $0.analytics = newValue } }
    }

    /// Whether settings are known and events are processed.
    public var running: Bool { analytics?.settings() != nil }
}
