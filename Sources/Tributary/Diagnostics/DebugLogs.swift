import Logging

/// Whether the log shows messages for developers, whatever level the logger has.
enum DebugLogs {
    static let isEnabled = LockBox(false)

    /// The logger, with the level `debug` when messages for developers are shown.
    static func opened(_ logger: Logger) -> Logger {
        guard isEnabled.withLock({ $0 }), logger.logLevel > .debug else { return logger }
        var logger = logger
        logger.logLevel = .debug
        return logger
    }
}
