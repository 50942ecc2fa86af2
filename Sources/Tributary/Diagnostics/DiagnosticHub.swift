import Dispatch
import Logging

/// Passes diagnostics on: handlers and streams get all, the error handler and the log get failures.
///
/// Observers are called one after another on a queue of their own: whatever they do, even calls of the client that they
/// observe, holds up neither the client nor the caller of `track`.
final class DiagnosticHub: Sendable {
    private let observers = Observers<Diagnostic>()
    private let limit = LockBox(LogLimit())
    private let queue = DispatchQueue(label: "tributary.diagnostics", qos: .utility)
    private let logger: Logger
    private let time: any TimeSource
    private let errorHandler: (@Sendable (any Error) -> Void)?

    init(
        logger: Logger, time: any TimeSource, errorHandler: (@Sendable (any Error) -> Void)?,
        observer: (@Sendable (Diagnostic) -> Void)?
    ) {
        self.logger = logger
        self.time = time
        self.errorHandler = errorHandler
        if let observer { _ = observe(observer) }
    }

    /// - Parameter error: the error that the diagnostic reports, when it is not the client's own.
    func report(_ diagnostic: Diagnostic, _ error: (any Error)? = nil) {
        log(diagnostic)
        queue.async { [self] in
            if diagnostic.severity != .notice { errorHandler?(error ?? AnalyticsError(diagnostic)) }
            observers.tell(diagnostic)
        }
    }

    /// Messages below the log's level are for developers.
    private func log(_ diagnostic: Diagnostic) {
        let logger = DebugLogs.opened(logger)
        switch diagnostic.severity {
        case .error: return logger.error("\(diagnostic)")
        case .notice: return logger.debug("\(diagnostic)")
        case .warning: break
        }
        let uptime = time.uptime
        guard let admission = limit.withLock({ $0.admit(diagnostic.kind, at: uptime) }) else {
            return logger.debug("\(diagnostic)")
        }
        let omitted = admission.omitted > 0 ? " (\(admission.omitted) of this kind were not logged)" : ""
        let isLast = admission.isLast ? " (the next of this kind are not logged for up to a minute)" : ""
        logger.warning("\(diagnostic)\(omitted)\(isLast)")
    }

    func observe(_ handler: @escaping @Sendable (Diagnostic) -> Void) -> Int { observers.add(handler) }

    /// Calls back when observers know of everything that was reported before.
    func afterReports(_ completion: @escaping @Sendable () -> Void) { queue.async(execute: completion) }

    func stopObserving(_ id: Int) { observers.remove(id) }

    /// A stream that keeps the newest when its reader falls behind, and ends its observation with its reader.
    var stream: AsyncStream<Diagnostic> {
        AsyncStream(bufferingPolicy: .bufferingNewest(Limits.pendingDiagnostics)) { continuation in
            let id = observe { continuation.yield($0) }
            continuation.onTermination = { [weak self] _ in self?.stopObserving(id) }
        }
    }
}
