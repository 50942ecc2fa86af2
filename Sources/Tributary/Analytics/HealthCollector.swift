/// Collects the counts since the last time: of live plugins, of filters, and the client's own.
///
/// Unchecked because what changes stands behind a lock; everything else is constant and safe by itself.
final class HealthCollector: @unchecked Sendable {
    private struct State {
        /// The counters of the last time.
        var counters = EventCounters()
        /// How many events waited then.
        var waiting: Int
        /// How often each destination got stuck since then.
        var stuck: [String: Int] = [:]
    }

    private let timeline: Timeline
    private let executor: ClientExecutor
    private let counterStore: CounterStore
    private let uploader: Uploader
    /// How many events of the client wait, whether they are processed or not.
    private let waiting: @Sendable () -> Int
    private let state: LockBox<State>

    init(
        timeline: Timeline, executor: ClientExecutor, counterStore: CounterStore, uploader: Uploader,
        waiting: @escaping @Sendable () -> Int
    ) {
        self.timeline = timeline
        self.executor = executor
        self.counterStore = counterStore
        self.uploader = uploader
        self.waiting = waiting
        state = LockBox(State(waiting: waiting()))
        counterStore.beginLosses()
    }

    /// Notes destinations that are stuck; the counters do not have them.
    func note(_ diagnostic: Diagnostic) {
        guard diagnostic.reason == .destinationStuck, let key = diagnostic.destination else { return }
        state.withLock { state in
            guard state.stuck[key] != nil || state.stuck.count < HealthTotals.destinations else { return }
            state.stuck[key, default: 0] += 1
        }
    }

    /// Hands over the counts since the last call, on the executor.
    func collect(_ done: @escaping @Sendable (HealthTotals) -> Void) {
        executor.perform { [self] in
            var totals = ownTotals()
            for entry in timeline.begun {
                for part in (entry.plugin as? any HealthSource)?.takeHealth() ?? [] { totals.add(part) }
            }
            done(totals)
        }
    }

    private func ownTotals() -> HealthTotals {
        let counters = counterStore.current
        let (processed, all) = (uploader.state.waiting, waiting())
        let losses = counterStore.takeLosses()
        return state.withLock { state in
            var totals = HealthTotals(counters, since: state.counters, stuck: state.stuck, waiting: processed)
            totals.account.waiting = all - state.waiting
            totals.account.losses = losses
            state = State(counters: counters, waiting: all)
            return totals
        }
    }
}
