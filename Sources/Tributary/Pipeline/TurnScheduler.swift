/// Runs a client's turns on its executor, one at a time, and keeps work that belongs between two events.
final class TurnScheduler: Sendable {
    private let executor: ClientExecutor
    private let inbox: FailoverLog
    private let isScheduled = LockBox(false)
    private let placed = LockBox(PlacedWork())
    private let turn = LockBox<@Sendable () -> Void>({})
    private let isEnding = LockBox(false)

    /// - Parameter inbox: the inbox of the client's own queue.
    init(executor: ClientExecutor, inbox: FailoverLog) {
        self.executor = executor
        self.inbox = inbox
    }

    /// - Parameter turn: processes some events, and calls `wake` when there are more.
    func begin(_ turn: @escaping @Sendable () -> Void) { self.turn.withLock { $0 = turn } }

    // MARK: On any thread

    /// Requests a turn. At most one turn is queued: each turn queues the next while there is more to do. A second one
    /// would run beside it and hold up everything else on the queue.
    func wake() {
        guard !isScheduled.exchange(true) else { return }
        executor.perform { [self] in
            isScheduled.withLock { $0 = false }
            turn.current()
        }
    }

    /// Calls back on the executor when everything that is in the inbox now has been processed.
    /// - Parameter whenSwitchedOff: called in the place of `completion` when the settings have switched collection off, or
    ///   do so meanwhile: then the events may wait for days. Without it, the call waits with them.
    func barrier(
        whenSwitchedOff: (@Sendable () -> Void)? = nil, _ completion: @escaping @Sendable () -> Void
    ) {
        let end = inbox.end
        placed.withLock { $0.add(barrier: completion, at: end, whenSwitchedOff: whenSwitchedOff) }
        executor.perform { [self] in
            guard isEnding.current else { return wake() }
            for barrier in takeAllBarriers() { barrier() }
        }
    }

    /// Changes which plugins see events, before the next tracked event. A turn that is under way may make the change
    /// earlier. A change that a plugin requests on the executor is made at once, because it may keep waiting events
    /// from a destination.
    func change(_ action: @escaping @Sendable () -> Void) {
        guard !executor.isCurrent else { return action() }
        place(action)
    }

    /// Makes a change like `change`, but never in the middle of an event: a plugin that requests it on the executor has
    /// finished its event then.
    func place(_ action: @escaping @Sendable () -> Void) {
        let end = inbox.end
        let number = placed.withLock { $0.add(change: action, at: end) }
        executor.perform { [self] in
            while let change = placed.withLock({ $0.nextChange(through: number) }) { change() }
        }
    }

    /// Holds the events that are tracked after this call, until the hold is released. Events that are in the inbox now
    /// go on.
    func hold() -> TurnHold {
        let end = inbox.end
        let number = placed.withLock { $0.add(holdAt: end) }
        return TurnHold { [weak self] in
            guard let self else { return }
            // After the changes that were requested before.
            executor.perform {
                self.placed.withLock { $0.remove(hold: number) }
                self.wake()
            }
        }
    }

    /// The place after which no event may be processed yet; the highest number when there is none.
    var heldAfter: UInt64 { placed.withLock { $0.hold } ?? .max }

    // MARK: On the executor

    /// The position of the inbox after which a change or a barrier is due next; the highest number when there is none.
    /// A later request belongs behind the events that are in the inbox now.
    var nextWork: UInt64 { placed.withLock { $0.next } ?? .max }

    /// Makes the changes that come before the event after that position.
    func makeChanges(at position: UInt64) {
        while let change = placed.withLock({ $0.nextChange(at: position) }) { change() }
    }

    /// The barriers behind events that have been processed.
    func takeBarriers(at position: UInt64) -> [PlacedWork.Action] {
        placed.withLock { $0.takeBarriers(at: position) }
    }

    /// What the barriers do while collection is switched off.
    func takeSwitchedOff() -> [PlacedWork.Action] { placed.withLock { $0.takeSwitchedOff() } }

    func takeAllBarriers() -> [PlacedWork.Action] { placed.withLock { $0.takeAllBarriers() } }

    /// Ends the turns. No further event is begun, so nothing needs to wait.
    func end() { isEnding.withLock { $0 = true } }
}
