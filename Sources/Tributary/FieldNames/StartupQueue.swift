/// Stands for the queue in memory that analytics-swift keeps events in until settings are known.
///
/// This client keeps them on disk instead, in their order, so there is no such plugin in its timeline.
@available(
    *, deprecated, message: "events wait on disk; Analytics.onReady(_:) calls back when they are processed"
)
// Unchecked because its one reference is behind the lock.
public final class StartupQueue: Plugin, @unchecked Sendable {
    private struct State { weak var analytics: Analytics? }

    public let type = PluginType.before
    private let state = LockBox(State())

    /// A plugin that lets every event pass.
    public init() {}

    public var analytics: Analytics? {
        get { state.withLock { $0.analytics } }
        set { state.withLock { $0.analytics = newValue } }
    }

    /// Whether settings are known, so that events are processed.
    public var running: Bool { analytics?.settings() != nil }
}
