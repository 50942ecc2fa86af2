import Foundation

/// Lets one thread have a moment in which none of the others tracks.
///
/// Unchecked because everything is behind the condition's lock.
final class Gate: @unchecked Sendable {
    private let condition = NSCondition()
    private var running: Int
    private var isClosed = false

    init(threads: Int) { running = threads }

    /// Called by each thread between two of its events; waits while another thread has its moment.
    func pass() {
        condition.lock()
        defer { condition.unlock() }
        guard isClosed else { return }
        running -= 1
        condition.broadcast()
        while isClosed { condition.wait() }
        running += 1
    }

    /// The thread is done.
    func leave() {
        condition.lock()
        defer { condition.unlock() }
        running -= 1
        condition.broadcast()
    }

    /// Does the work, by one of the threads, while the others stand in `pass` or are done.
    func alone(_ work: () -> Void) {
        condition.lock()
        isClosed = true
        while running > 1 { condition.wait() }
        condition.unlock()
        work()
        condition.lock()
        isClosed = false
        condition.broadcast()
        condition.unlock()
    }
}
