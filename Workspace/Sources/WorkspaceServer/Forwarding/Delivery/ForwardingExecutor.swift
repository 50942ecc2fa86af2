import Foundation
import WorkspaceCore

/// Runs the tasks of destinations on threads of their own, to which the system gives a processor after those of requests.
///
/// A destination that has much to send would otherwise take as much of the processors as the clients, whose events are not
/// on the disk yet.
final class ForwardingExecutor: TaskExecutor {
    static let shared = ForwardingExecutor(threads: ProcessInfo.processInfo.activeProcessorCount)

    private struct Queue {
        var jobs: [UnownedJob] = []
        /// Jobs before it have been taken.
        var first = 0
    }

    private let condition = NSCondition()
    /// The condition is held whenever it is used.
    private nonisolated(unsafe) var queue = Queue()

    private init(threads: Int) {
        for _ in 0..<threads {
            Thread.detachNewThread { [self] in
                BackgroundThread.giveWay()
                while true { next().runSynchronously(on: asUnownedTaskExecutor()) }
            }
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.withLock {
            queue.jobs.append(job)
            condition.signal()
        }
    }

    private func next() -> UnownedJob {
        condition.withLock {
            while queue.first == queue.jobs.count { condition.wait() }
            defer { queue.first += 1 }
            if queue.first > 1_000, queue.first > queue.jobs.count / 2 {
                queue.jobs.removeFirst(queue.first)
                queue.first = 0
            }
            return queue.jobs[queue.first]
        }
    }
}
