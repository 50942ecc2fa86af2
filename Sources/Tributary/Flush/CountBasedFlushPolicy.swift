/// Delivers as soon as that many events wait.
///
/// Unchecked because all state is behind its lock.
public final class CountBasedFlushPolicy: CountedFlushPolicy, @unchecked Sendable {
    private struct State {
        weak var analytics: Analytics?
        var limit: Int
        var seen = 0
    }

    private let state: LockBox<State>
    /// The count that the policy was made with, if any.
    let named: Int?

    /// A policy of that many events; of less than one event it is one of one event. The count becomes that of all such policies
    /// of the client that it is added to.
    /// - Parameter count: default: what the client's `flushAt` says, which is 20 unless it was set.
    public init(count: Int? = nil) {
        named = count
        state = LockBox(State(limit: max(1, count ?? 20)))
    }

    public var analytics: Analytics? {
        get { state.withLock { $0.analytics } }
        set { state.withLock { $0.analytics = newValue } }
    }

    /// How many events are waited for, at least one. May be changed at any time, from any thread.
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
