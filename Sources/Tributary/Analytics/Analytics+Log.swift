import Logging

extension Analytics {
    /// How serious a message in the log is.
    public enum LogKind: Sendable, CaseIterable {
        /// Something failed.
        case error
        /// Something is not as it should be, and the client goes on.
        case warning
        /// Of use to developers.
        case debug
        /// No kind was given; treated like `debug`.
        case none

        var level: Logger.Level {
            switch self {
            case .error: .error
            case .warning: .warning
            case .debug, .none: .debug
            }
        }
    }

    /// Whether the log shows all messages for developers: each diagnostic, and the messages of plugins. It overrides
    /// the level of the configured loggers, for all clients of the process. Default: false.
    public static var debugLogsEnabled: Bool {
        get { DebugLogs.isEnabled.withLock { $0 } }
        set { DebugLogs.isEnabled.withLock { $0 = newValue } }
    }

    /// Logs a message for developers, for instance from a plugin. The log shows it with `debugLogsEnabled`, or when the
    /// logger has the level `debug`.
    public func log(message: String) { log(message: message, kind: .none) }

    /// Logs a message with the client's logger.
    public func log(message: String, kind: LogKind) {
        DebugLogs.opened(logger).log(level: kind.level, "\(message)")
    }

    /// Logs a message with the logger of the client of `shared()`. Without a client, a logger with the label
    /// `tributary` is used.
    public static func segmentLog(message: String, kind: LogKind) {
        let logger = SharedClients.all.first?.logger ?? Logger(label: "tributary")
        DebugLogs.opened(logger).log(level: kind.level, "\(message)")
    }
}
