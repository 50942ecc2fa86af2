import Foundation
import Logging

/// Hands diagnostics to whoever observes them: handlers, streams, the log.
final class DiagnosticHub: Sendable {
    private struct State {
        var handlers: [Int: @Sendable (Diagnostic) -> Void] = [:]
        var next = 0
    }

    private let state = LockBox(State())
    private let logger: Logger

    init(logger: Logger) { self.logger = logger }

    func report(_ diagnostic: Diagnostic) {
        logger.debug("\(diagnostic)")
        let handlers = state.withLock { Array($0.handlers.values) }
        for handler in handlers { handler(diagnostic) }
    }

    func observe(_ handler: @escaping @Sendable (Diagnostic) -> Void) -> Int {
        state.withLock { state in
            state.next += 1
            state.handlers[state.next] = handler
            return state.next
        }
    }

    func stopObserving(_ id: Int) {
        state.withLock { _ = $0.handlers.removeValue(forKey: id) }
    }

    /// A stream that keeps the newest when its reader falls behind, and ends its observation with its reader.
    var stream: AsyncStream<Diagnostic> {
        AsyncStream(bufferingPolicy: .bufferingNewest(Limits.pendingDiagnostics)) { continuation in
            let id = observe { continuation.yield($0) }
            continuation.onTermination = { [weak self] _ in self?.stopObserving(id) }
        }
    }
}
