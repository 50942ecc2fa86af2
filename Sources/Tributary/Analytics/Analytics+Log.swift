import Logging

extension Analytics {
    /// How serious a message in the log is.
    public enum LogKind: Sendable, CaseIterable {
        /// Something failed.
        case error
        /// Something is not as it should be.
        case warning
        /// Of use to developers.
        case debug
        /// Not said; as `debug`.
        case none

        var level: Logger.Level {
            switch self {
            case .error: .error
            case .warning: .warning
            case .debug, .none: .debug
            }
        }
    }

    /// Whether the log shows what is for developers, whatever level the loggers of the configurations have: each
    /// diagnostic, and what plugins log. For all clients of the process. Default: false.
    public static var debugLogsEnabled: Bool {
        get { DebugLogs.isEnabled.withLock { $0 } }
        set { DebugLogs.isEnabled.withLock { $0 = newValue } }
    }

    /// Logs a message for developers, as a plugin may want to; seen with `debugLogsEnabled` or a logger of that level.
    public func log(message: String) { log(message: message, kind: .none) }

    /// Logs a message with the client's logger.
    public func log(message: String, kind: LogKind) {
        DebugLogs.opened(logger).log(level: kind.level, "\(message)")
    }

    /// Logs a message with the logger of the client that `shared()` gives, or, without a client, with that of label
    /// `tributary`.
    public static func segmentLog(message: String, kind: LogKind) {
        let logger = SharedClients.all.first?.logger ?? Logger(label: "tributary")
        DebugLogs.opened(logger).log(level: kind.level, "\(message)")
    }
}
