import Logging

/// Whether what the library would log for developers is shown, whatever level the logger has.
enum DebugLogs {
    static let isEnabled = LockBox(false)

    /// The logger, let through what is for developers when they want to see it.
    static func opened(_ logger: Logger) -> Logger {
        guard isEnabled.withLock({ $0 }), logger.logLevel > .debug else { return logger }
        var logger = logger
        logger.logLevel = .debug
        return logger
    }
}
