import Foundation

/// Runs the tasks of destinations on threads that give way to those of requests.
///
/// A destination that has much to send would otherwise take as much of the processors as the clients. The events of clients
/// are not on the disk yet.
final class ForwardingExecutor: TaskExecutor {
    static let shared = ForwardingExecutor()

    private let threads = BackgroundThreads(count: ProcessInfo.processInfo.activeProcessorCount)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        threads.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
