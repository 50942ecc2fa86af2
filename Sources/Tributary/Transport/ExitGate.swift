import Foundation

/// Lets threads work until the process ends, and stops them from then on.
///
/// `exit` frees the data of libraries while other threads run. A thread that uses such a library then reads freed
/// memory. `close` waits until the threads inside are out. Threads that come later are blocked until the process has
/// ended.
///
/// Unchecked because mutable state is behind the lock of `condition`.
final class ExitGate: @unchecked Sendable {
    private let condition = NSCondition()
    private var inside = 0
    private var isClosed = false

    /// Does a short piece of work. Never returns when the gate is closed.
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

    /// Closes the gate and waits for the threads inside, up to a limit.
    /// - Returns: whether all threads are out.
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
