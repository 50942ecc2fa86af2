/// Whose turn it is among destinations that get their calls one after the other.
///
/// Each call has a turn, in the order in which the calls were queued: one destination gets it when those that were asked
/// before have dealt with theirs. A destination that holds up the others leaves, and comes back when it has caught up.
/// Safe from any thread.
final class DestinationOrder: Sendable {
    private let turns = LockBox(FIFO<DestinationLine>())

    /// The next turn behind all others.
    func append(_ line: DestinationLine) {
        turns.withLock { $0.append(line) }
    }

    func isTurn(of line: DestinationLine) -> Bool {
        turns.withLock { $0.first === line }
    }

    /// Ends the first turn, which is the line's.
    /// - Returns: whose turn it is now.
    func finish(_ line: DestinationLine) -> DestinationLine? {
        turns.withLock { turns in
            if turns.first === line { _ = turns.popFirst() }
            return turns.first
        }
    }

    /// Gives up all turns of a line.
    /// - Returns: whose turn it is now.
    func leave(_ line: DestinationLine) -> DestinationLine? {
        turns.withLock { turns in
            turns.removeAll { $0 === line }
            return turns.first
        }
    }
}
