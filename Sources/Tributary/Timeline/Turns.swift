import Foundation

/// Lets one queue at a time call a plugin that several queues use; that queue may call it again.
///
/// Unchecked because it holds nothing but its lock.
final class Turns: @unchecked Sendable {
    private let lock = NSRecursiveLock()

    func take<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }
}
