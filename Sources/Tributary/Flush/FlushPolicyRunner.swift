import Dispatch
import TributaryJSON

/// Calls one flush policy. A policy of an app has a queue of its own for that.
///
/// Unchecked because the policy is only called on its queue or is safe from any thread, and the rest is behind its
/// lock.
final class FlushPolicyRunner: @unchecked Sendable {
    private struct State {
        /// Events that the policy has not seen yet.
        var behind = 0
        var isEnded = false
        var isSlow = false
    }

    let policy: any FlushPolicy
    private let counted: (any CountedFlushPolicy)?
    private let queue = DispatchQueue(label: "tributary.flush.policy", qos: .utility)
    private let report: @Sendable (Diagnostic) -> Void
    private let deliver: @Sendable () -> Void
    private let state = LockBox(State())

    init(
        _ policy: any FlushPolicy, report: @escaping @Sendable (Diagnostic) -> Void,
        deliver: @escaping @Sendable () -> Void
    ) {
        self.policy = policy
        counted = policy as? any CountedFlushPolicy
        self.report = report
        self.deliver = deliver
    }

    /// Shows the events to the policy. Returns true when it decides at once to deliver.
    func isDue(after events: [JSONObject]) -> Bool {
        if let counted {
            let isDue = counted.isDue(after: events.count)
            guard state.withLock({ $0.isEnded }) else { return isDue }
            counted.reset()  // the policy was removed meanwhile, so its wait must end
            return false
        }
        let (isTaken, isNews) = state.withLock { state -> (Bool, Bool) in
            let isTaken = state.behind + events.count <= Limits.pendingPolicyEvents && !state.isEnded
            if isTaken { state.behind += events.count }
            let isNews = !isTaken && !state.isSlow && !state.isEnded
            if isNews { state.isSlow = true }
            return (isTaken, isNews)
        }
        if isTaken { queue.async { self.show(events) } }
        if isNews {
            report(
                Diagnostic(
                    .pluginFault, "a flush policy is too slow to see every event", reason: .slowPolicy,
                    plugin: "\(Swift.type(of: policy))"))
        }
        return false
    }

    /// A delivery has begun, for any reason. A policy of an app hears only of its own decisions.
    func delivered() { counted?.reset() }

    /// Ends the calls of the policy; a call that has begun goes on.
    func end() {
        state.withLock { $0.isEnded = true }
        counted?.reset()
    }

    private func show(_ events: [JSONObject]) {
        for event in events {
            let isEnded = state.withLock { state in
                state.behind -= 1
                return state.isEnded
            }
            guard !isEnded, let event = EventParser.event(event) else { continue }
            policy.updateState(event: event)
            guard policy.shouldFlush() else { continue }
            deliver()
            policy.reset()
        }
    }
}
