import Dispatch
import TributaryJSON

/// Shows events to the flush policies of a client, and delivers when a policy decides so.
///
/// Unchecked because the list is behind its lock; `pending` is only touched by the client's executor.
final class FlushScheduler: @unchecked Sendable {
    private let policies = LockBox<[FlushPolicyRunner]>([])
    private let report: @Sendable (Diagnostic) -> Void
    /// Events that the policies have not seen. Nothing here calls back while it changes, so the check for simultaneous
    /// access at run time is switched off.
    @exclusivity(unchecked) private var pending: [JSONObject] = []

    init(report: @escaping @Sendable (Diagnostic) -> Void) { self.report = report }

    var all: [any FlushPolicy] { policies.withLock { $0.map(\.policy) } }

    /// Adds a policy, which sees later events. A policy that is already here is not added again.
    func add(_ policy: any FlushPolicy, deliver: @escaping @Sendable () -> Void) {
        let runner = FlushPolicyRunner(policy, report: report, deliver: deliver)
        policies.withLock { policies in
            guard !policies.contains(where: { $0.policy === policy }) else { return }
            policies.append(runner)
        }
    }

    func remove(where isRemoved: (any FlushPolicy) -> Bool) {
        let removed = policies.withLock { policies in
            let removed = policies.filter { isRemoved($0.policy) }
            policies.removeAll { isRemoved($0.policy) }
            return removed
        }
        for runner in removed { runner.end() }
    }

    // MARK: On the client's executor

    /// Takes an event that has gone through the timeline.
    func note(_ event: JSONObject) { pending.append(event) }

    /// Shows the new events to the policies. The client calls this once for many events, because a delivery takes all
    /// waiting events.
    /// - Returns: whether to deliver now.
    func isDue() -> Bool {
        guard !pending.isEmpty else { return false }
        let events = pending
        pending.removeAll(keepingCapacity: true)
        var isDue = false
        for runner in policies.withLock({ $0 }) where runner.isDue(after: events) { isDue = true }
        return isDue
    }

    /// A delivery has begun that takes all events so far. Without this, the timer of a policy would wake the device when
    /// nothing waits.
    func delivered() {
        for runner in policies.withLock({ $0 }) { runner.delivered() }
    }
}
