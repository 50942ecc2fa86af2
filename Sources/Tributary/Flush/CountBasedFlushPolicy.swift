/// Delivers when a number of events waits.
///
/// Unchecked because all state is behind its lock.
public final class CountBasedFlushPolicy: CountedFlushPolicy, @unchecked Sendable {
    private struct State {
        weak var analytics: Analytics?
        var limit: Int
        var seen = 0
    }

    private let state: LockBox<State>
    /// The count that was given in `init`, if any.
    let named: Int?

    /// A policy for that number of events; the minimum is 1. When it is added to a client, all policies of this type of
    /// that client get the count.
    /// - Parameter count: default: the client's `flushAt`, which is 20 unless it was set.
    public init(count: Int? = nil) {
        named = count
        state = LockBox(State(limit: max(1, count ?? 20)))
    }

    public var analytics: Analytics? {
        get { state.withLock { $0.analytics } }
        set { state.withLock { $0.analytics = newValue } }
    }

    /// The number of events that starts a delivery, at least 1. It may be changed at any time, from any thread.
    public var desiredCount: Int {
        get { state.withLock { $0.limit } }
        set { state.withLock { $0.limit = max(1, newValue) } }
    }

    public func shouldFlush() -> Bool { state.withLock { $0.seen >= $0.limit } }

    public func updateState(event: any RawEvent) { state.withLock { $0.seen += 1 } }

    public func reset() { state.withLock { $0.seen = 0 } }

    func isDue(after events: Int) -> Bool {
        state.withLock { state in
            state.seen += events
            guard state.seen >= state.limit else { return false }
            state.seen = 0
            return true
        }
    }
}
