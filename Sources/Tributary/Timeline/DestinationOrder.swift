/// Whose turn it is among destinations that get their calls one after the other.
///
/// Each call has a turn, in the order in which the calls were queued: one destination gets it when those that were asked
/// before have dealt with theirs. A destination that holds up the others leaves, and comes back when it has caught up.
/// Safe from any thread.
final class DestinationOrder: Sendable {
    private let turns = LockBox(FIFO<DestinationQueue>())

    /// The next turn behind all others.
    func append(_ queue: DestinationQueue) {
        turns.withLock { $0.append(queue) }
    }

    func isTurn(of queue: DestinationQueue) -> Bool {
        turns.withLock { $0.first === queue }
    }

    /// Ends the first turn, which is the queue's.
    /// - Returns: whose turn it is now.
    func finish(_ queue: DestinationQueue) -> DestinationQueue? {
        turns.withLock { turns in
            if turns.first === queue { _ = turns.popFirst() }
            return turns.first
        }
    }

    /// Gives up all turns of a queue.
    /// - Returns: whose turn it is now.
    func leave(_ queue: DestinationQueue) -> DestinationQueue? {
        turns.withLock { turns in
            turns.removeAll { $0 === queue }
            return turns.first
        }
    }
}
