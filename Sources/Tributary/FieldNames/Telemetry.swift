/// The switches of analytics-swift's reports about itself. This client sends no such reports, so they do nothing.
@available(*, deprecated, message: "this client sends nothing about itself; there is nothing to switch off")
// Unchecked because all state is behind its lock.
public final class Telemetry: @unchecked Sendable {
    private struct State {
        var sendWriteKeyOnError = false
        var sendErrorLogData = false
        var errorHandler: ((any Error) -> Void)?
    }

    /// The only instance.
    public static let shared = Telemetry()

    /// A metric of analytics-swift; nothing counts it.
    public static let INVOKE_METRIC = "analytics_mobile.invoke"
    /// A metric of analytics-swift; nothing counts it.
    public static let INVOKE_ERROR_METRIC = "analytics_mobile.invoke.error"
    /// A metric of analytics-swift; nothing counts it.
    public static let INTEGRATION_METRIC = "analytics_mobile.integration.invoke"
    /// A metric of analytics-swift; nothing counts it.
    public static let INTEGRATION_ERROR_METRIC = "analytics_mobile.integration.invoke.error"

    private let state = LockBox(State())

    private init() {}

    /// Always false, because nothing is sent.
    public var enable: Bool {
        get { false }
        set {}
    }

    /// A value without effect.
    public var sendWriteKeyOnError: Bool {
        get { state.withLock { $0.sendWriteKeyOnError } }
        set { state.withLock { $0.sendWriteKeyOnError = newValue } }
    }

    /// A value without effect.
    public var sendErrorLogData: Bool {
        get { state.withLock { $0.sendErrorLogData } }
        set { state.withLock { $0.sendErrorLogData = newValue } }
    }

    /// A closure that is never called.
    public var errorHandler: ((any Error) -> Void)? {
        get { state.withLock { $0.errorHandler } }
        set { state.withLock { $0.errorHandler = newValue } }
    }
}
