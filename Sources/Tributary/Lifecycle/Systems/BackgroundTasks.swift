#if canImport(BackgroundTasks) && !os(macOS) && !os(watchOS)
public import BackgroundTasks

extension Analytics {
    /// Delivers what waits in the time that the system gives a task in the background, and says when that is done.
    ///
    /// For the launch handler of `BGTaskScheduler`. What cannot be sent in that time stays on disk. May be called on any
    /// thread.
    public func deliver(in task: BGTask) {
        let ending = TaskEnding(task)
        task.expirationHandler = { ending.end(isDone: false) }
        requestFlush { [weak self] in ending.end(isDone: self?.hasUnsentEvents == false) }
    }
}

/// Says once that a task is done.
///
/// Unchecked because the task is behind the lock, and may be ended on any thread.
private final class TaskEnding: @unchecked Sendable {
    private let task: LockBox<BGTask?>

    init(_ task: BGTask) { self.task = LockBox(task) }

    func end(isDone: Bool) {
        let ended = task.withLock { task in
            defer { task = nil }
            return task
        }
        ended?.setTaskCompleted(success: isDone)
    }
}
#endif
