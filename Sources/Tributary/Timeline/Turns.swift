import Foundation

/// Allows one queue at a time to call a plugin that several queues use. That queue may call it again inside of the
/// call.
///
/// Unchecked because it holds only its lock.
final class Turns: @unchecked Sendable {
    private let lock = NSRecursiveLock()

    func take<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }
}
