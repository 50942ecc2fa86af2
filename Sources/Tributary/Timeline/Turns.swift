import Foundation

/// Keeps calls of one plugin apart that come from several queues; the one who is at it may call again.
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
