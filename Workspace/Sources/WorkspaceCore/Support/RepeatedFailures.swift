package import Logging
import Synchronization

/// Logs a failure when it happens first, and then at most once a minute with the number of times. May be used from any
/// thread.
package final class RepeatedFailures: Sendable {
    private struct Last {
        var loggedAt: Int64
        var since = 0
    }

    private let now: @Sendable () -> Int64
    private let last = Mutex<[String: Last]>([:])

    package init(now: @escaping @Sendable () -> Int64) { self.now = now }

    /// - Parameter kind: separates unrelated failures. There are few kinds.
    package func log(
        _ message: Logger.Message, kind: String, _ logger: Logger, level: Logger.Level = .error,
        metadata: Logger.Metadata
    ) {
        let now = now()
        let repeats: Int? = last.withLock { last in
            guard let before = last[kind], now < before.loggedAt + Limits.repeatedFailureMilliseconds,
                now >= before.loggedAt
            else {
                defer { last[kind] = Last(loggedAt: now) }
                return last[kind]?.since ?? 0
            }
            last[kind]?.since += 1
            return nil
        }
        guard let repeats else { return }
        var metadata = metadata
        if repeats > 0 { metadata["since the last line"] = "\(repeats) more" }
        logger.log(level: level, message, metadata: metadata)
    }
}
