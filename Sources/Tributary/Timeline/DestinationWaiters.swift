/// The events that wait until a destination has finished its work, in the order of the work. A value, so that tests can
/// try every order of its functions.
struct DestinationWaiters {
    /// The waiter of each piece of work that has not ended; nil for work without one.
    private var open = FIFO<Countdown?>()
    /// The number of pieces of work that were added.
    private var added = 0
    private var ended = 0
    /// The waiters of the work up to this number are released.
    private var released = 0

    /// The number of pieces of work that have not ended.
    var count: Int { open.count }
    var isEmpty: Bool { open.isEmpty }

    /// Adds a piece of work.
    /// - Parameter isStuck: whether the destination is stuck. Then the waiter does not wait for this work.
    mutating func add(_ waiter: Countdown?, isStuck: Bool) {
        added += 1
        if isStuck { released = added } else { waiter?.hold() }
        open.append(waiter)
    }

    /// Ends the first piece of work.
    /// - Returns: the waiter to release; nil when there is none, or when it was released before.
    mutating func end() -> Countdown? {
        ended += 1
        let waiter = open.popFirst() ?? nil
        return ended > released ? waiter : nil
    }

    /// Ends the wait for all work so far, because the destination is stuck.
    /// - Returns: the waiters to release.
    mutating func giveUp() -> [Countdown] {
        let waiting = waiting(after: 0)
        released = added
        return waiting
    }

    /// Drops the last pieces of work, which have not begun, except calls that are made in any case.
    /// - Returns: the waiters of the dropped work.
    mutating func drop(last count: Int, keeping vital: Int) -> [Countdown] {
        let dropped = waiting(after: open.count - count)
        open.removeLast(count)
        for _ in 0..<vital { open.append(nil) }
        added -= count - vital
        released = min(released, added)
        return dropped
    }

    /// The waiters after the first pieces of work that were not released.
    private func waiting(after first: Int) -> [Countdown] {
        var number = 0
        var waiting: [Countdown] = []
        open.forEach { waiter in
            number += 1
            if number > first, ended + number > released, let waiter { waiting.append(waiter) }
        }
        return waiting
    }
}
