/// The position of the indexer, for requests that wait until acknowledged events are stored.
package actor IndexProgress {
    /// Every request up to this place is stored.
    package private(set) var sequence: UInt64
    /// Every request up to this place is read, and is stored unless it waits for scripts of its source.
    package private(set) var passed: UInt64
    /// Why nothing can be stored at present; nil while all is well.
    package private(set) var failure: String?
    /// The end of a backlog that is too long to wait for; 0 when there is none.
    private var backlog: UInt64 = 0
    /// The end of the requests that scripts hold up for too long to wait for; 0 when there are none.
    private var late: UInt64 = 0
    private let waiters = Waiters<UInt64>()
    private let passWaiters = Waiters<UInt64>()

    /// - Parameter backlog: the end of the requests that an earlier process left, if they are too many to wait for.
    package init(sequence: UInt64, backlog: UInt64 = 0) {
        (self.sequence, passed, self.backlog) = (sequence, sequence, backlog)
    }

    /// Whether the backlog is too long to wait for.
    package var isBehind: Bool { passed < backlog }

    /// Whether scripts hold requests up for too long to wait for.
    package var isLate: Bool { sequence < late }

    package func noteLate(through sequence: UInt64) { late = max(late, sequence) }

    package func noteBacklog(through sequence: UInt64) { backlog = max(backlog, sequence) }

    package func advance(to sequence: UInt64) {
        self.sequence = max(self.sequence, sequence)
        failure = nil
        waiters.resume { $0 <= self.sequence }
        pass(to: sequence)
    }

    package func pass(to sequence: UInt64) {
        passed = max(passed, sequence)
        passWaiters.resume { $0 <= passed }
    }

    package func fail(_ reason: String) { failure = reason }

    /// Waits until the indexer has passed a place, but not longer than that.
    package func pass(_ sequence: UInt64, within duration: Duration) async {
        guard sequence > passed else { return }
        await passWaiters.wait(for: sequence, within: duration)
    }

    /// Waits until the indexer has reached a place, but not longer than that.
    package func reach(_ sequence: UInt64, within duration: Duration) async {
        guard sequence > self.sequence else { return }
        await waiters.wait(for: sequence, within: duration)
    }
}
