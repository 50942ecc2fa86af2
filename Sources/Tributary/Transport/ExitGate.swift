import Foundation

/// Lets threads work until the process ends, and keeps them still from then on.
///
/// `exit` takes apart what libraries have set up while other threads go on: a thread that works with such a library right then
/// reads what has been freed. Whoever closes the gate waits until those inside are out; others never get in again, and end with
/// the process.
///
/// Unchecked because what changes is behind the lock of `condition`.
final class ExitGate: @unchecked Sendable {
    private let condition = NSCondition()
    private var inside = 0
    private var isClosed = false

    /// Does a short piece of work; never comes back once the gate is closed.
    func pass<Result>(_ work: () -> Result) -> Result {
        condition.lock()
        while isClosed { condition.wait() }
        inside += 1
        condition.unlock()
        defer {
            condition.lock()
            inside -= 1
            condition.broadcast()
            condition.unlock()
        }
        return work()
    }

    /// Lets nobody in any more, and waits for those inside, but no longer than that.
    /// - Returns: whether all are out.
    @discardableResult
    func close(within seconds: TimeInterval) -> Bool {
        let limit = Date().addingTimeInterval(seconds)
        condition.lock()
        defer { condition.unlock() }
        isClosed = true
        while inside > 0, condition.wait(until: limit) {}
        return inside == 0
    }
}
