/// The work of a destination between the executor, which puts it in, and the destination's thread, which takes it out.
///
/// A value: `DestinationQueue` holds it behind a lock.
struct DestinationMailbox {
    /// A piece of work.
    enum Work {
        case event(any RawEvent, DestinationVisitor.Scripts, InFlightEvent)
        case call(isVital: Bool, @Sendable (any Plugin) -> Void)

        /// Whether the work is done even when the destination ends.
        var isVital: Bool { if case .call(true, _) = self { true } else { false } }
    }

    /// The result of a piece of work.
    enum Outcome {
        /// The destination and its plugins have finished with an event.
        case visited(DestinationVisit, InFlightEvent)
        /// A call without an event was made.
        case called
    }

    private(set) var waiting = FIFO<Work>()
    /// The number of pieces of work that have begun.
    var begun = 0
    private var outcomes: [Outcome] = []
    /// Whether the thread works.
    private(set) var isWorking = false
    /// Whether the executor knows of outcomes that it has not taken.
    private var isTelling = false
    /// Whether the destination works without waiting for a turn.
    var isFree: Bool
    /// The work for which the thread was woken last, and the time.
    private(set) var woken = (work: 0, at: 0.0)

    init(isFree: Bool) { self.isFree = isFree }

    // MARK: The executor

    mutating func put(_ work: [Work]) { for piece in work { waiting.append(piece) } }

    /// Drops work that has not begun, except vital work.
    /// - Returns: how much had not begun, and how much of it stays.
    mutating func dropWaiting() -> (unbegun: Int, vital: Int) {
        let unbegun = waiting.count
        waiting.removeAll { !$0.isVital }
        return (unbegun, waiting.count)
    }

    mutating func takeOutcomes() -> [Outcome] {
        defer { outcomes.removeAll(keepingCapacity: true) }
        isTelling = false
        return outcomes
    }

    // MARK: Any thread

    /// Marks the thread as woken, if it has something to do now.
    /// - Parameter isTurn: whether it is the destination's turn.
    /// - Returns: whether the caller has to start the work.
    mutating func wake(at now: Double, isTurn: @autoclosure () -> Bool) -> Bool {
        guard !isWorking, !waiting.isEmpty, isFree || isTurn() else { return false }
        isWorking = true
        woken = (begun + 1, now)
        return true
    }

    // MARK: The destination's thread

    /// Adds the outcome of a piece of work.
    /// - Returns: whether the executor has to be called.
    mutating func add(_ outcome: Outcome) -> Bool {
        outcomes.append(outcome)
        defer { isTelling = true }
        return !isTelling
    }

    /// Takes the next piece of work; nil ends the work of the thread.
    mutating func next(isTurn: @autoclosure () -> Bool) -> Work? {
        let work = isFree || isTurn() ? waiting.popFirst() : nil
        if work == nil { isWorking = false } else { begun += 1 }
        return work
    }
}
