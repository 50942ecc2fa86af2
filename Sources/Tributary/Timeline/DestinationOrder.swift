/// The order in which destinations with a common order make their calls.
///
/// Each call has a turn, in the order in which the calls were queued. A destination gets its turn when the destinations
/// before it have finished theirs. A destination that holds up the others leaves, and returns when it has caught up.
/// Safe from any thread.
final class DestinationOrder: Sendable {
    private let turns = LockBox(FIFO<DestinationQueue>())

    /// Adds a turn at the end.
    func append(_ queue: DestinationQueue) {
        turns.withLock { $0.append(queue) }
    }

    func isTurn(of queue: DestinationQueue) -> Bool {
        turns.withLock { $0.first === queue }
    }

    /// Ends the first turn, which belongs to the queue.
    /// - Returns: the queue that has the turn now.
    func finish(_ queue: DestinationQueue) -> DestinationQueue? {
        turns.withLock { turns in
            if turns.first === queue { _ = turns.popFirst() }
            return turns.first
        }
    }

    /// Removes all turns of a queue.
    /// - Returns: the queue that has the turn now.
    func leave(_ queue: DestinationQueue) -> DestinationQueue? {
        turns.withLock { turns in
            turns.removeAll { $0 === queue }
            return turns.first
        }
    }
}
