/// Has a client's turns run on its executor, one at a time, and keeps the work that has its place between two events.
///
/// Unchecked because `turn` is set before the first call of `wake` and constant from then on, and `isEnding` is only touched
/// on the executor.
final class TurnScheduler: @unchecked Sendable {
    private let executor: ClientExecutor
    private let inbox: FailoverLog
    private let isScheduled = LockBox(false)
    private let placed = LockBox(PlacedWork())
    private var turn: @Sendable () -> Void = {}
    private var isEnding = false

    /// - Parameter inbox: the client's own.
    init(executor: ClientExecutor, inbox: FailoverLog) {
        self.executor = executor
        self.inbox = inbox
    }

    /// - Parameter turn: processes some events, and calls `wake` when there are more.
    func begin(_ turn: @escaping @Sendable () -> Void) { self.turn = turn }

    // MARK: On any thread

    /// There is something to do. At most one turn is queued: each turn queues the next while there is a backlog, so a
    /// second one would go on beside it and hold up everything else on the queue.
    func wake() {
        let isFirst = isScheduled.withLock { scheduled in
            defer { scheduled = true }
            return !scheduled
        }
        guard isFirst else { return }
        executor.perform { [self] in
            isScheduled.withLock { $0 = false }
            turn()
        }
    }

    /// Calls back on the executor when everything in the inbox now was processed.
    func barrier(_ completion: @escaping @Sendable () -> Void) {
        let end = inbox.end
        placed.withLock { $0.add(barrier: completion, at: end) }
        executor.perform { [self] in
            guard isEnding else { return wake() }
            for barrier in takeAllBarriers() { barrier() }
        }
    }

    /// Changes which plugins see events, before the next tracked event. A turn that is under way may be earlier. A
    /// change that a plugin requests on the executor is made at once, because it may keep waiting events from a
    /// destination.
    func change(_ action: @escaping @Sendable () -> Void) {
        guard !executor.isCurrent else { return action() }
        let end = inbox.end
        let number = placed.withLock { $0.add(change: action, at: end) }
        executor.perform { [self] in
            while let change = placed.withLock({ $0.nextChange(through: number) }) { change() }
        }
    }

    // MARK: On the executor

    /// Whether changes or barriers are due there, which is seldom.
    func hasWork(at position: UInt64) -> Bool { placed.withLock { $0.hasWork(at: position) } }

    /// Makes the changes that come before the event behind that position.
    func makeChanges(at position: UInt64) {
        while let change = placed.withLock({ $0.nextChange(at: position) }) { change() }
    }

    /// The barriers whose events have been processed.
    func takeBarriers(at position: UInt64) -> [PlacedWork.Action] {
        placed.withLock { $0.takeBarriers(at: position) }
    }

    func takeAllBarriers() -> [PlacedWork.Action] { placed.withLock { $0.takeAllBarriers() } }

    /// No event is begun any more, so nobody waits for one.
    func end() { isEnding = true }
}
