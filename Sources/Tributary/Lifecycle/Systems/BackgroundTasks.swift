#if canImport(BackgroundTasks) && !os(macOS) && !os(watchOS)
public import BackgroundTasks

extension Analytics {
    /// Delivers waiting events in the time of a background task, and ends the task when that is done.
    ///
    /// For the launch handler of `BGTaskScheduler`. Events that cannot be sent in that time stay on disk. It may be
    /// called on any thread.
    public func deliver(in task: BGTask) {
        let ending = TaskEnding(task)
        task.expirationHandler = { ending.end(isDone: false) }
        requestFlush { [weak self] in ending.end(isDone: self?.hasUnsentEvents == false) }
    }
}

/// Ends a task once.
///
/// Unchecked because the task is behind the lock, and it may be ended on any thread.
private final class TaskEnding: @unchecked Sendable {
    private let task: LockBox<BGTask?>

    init(_ task: BGTask) { self.task = LockBox(task) }

    func end(isDone: Bool) {
        let ended = task.exchange(nil)
        ended?.setTaskCompleted(success: isDone)
    }
}
#endif
