import Foundation

/// Lets threads work until the process ends, and keeps them still from then on.
///
/// `exit` frees the data of libraries while other threads go on: a thread that uses such a library then reads freed
/// memory. The closer of the gate waits until threads inside are out; others never get in again, and end with the
/// process.
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

    /// Closes the gate and waits for the threads inside, but no longer than that.
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
