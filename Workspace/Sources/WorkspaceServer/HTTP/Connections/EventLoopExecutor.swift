import NIOCore

/// Runs tasks on an event loop.
///
/// A connection's task that runs on the event loop of its connection gets the parts of a request, and writes its answer,
/// without waking another thread. So it must not compute for long: other connections of the event loop wait meanwhile.
final class EventLoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
