import Dispatch
public import Foundation

/// Delivers that many seconds after the first event that came since the last time.
///
/// While there are no events, nothing wakes the device.
///
/// Unchecked because all state is behind its lock.
public final class IntervalBasedFlushPolicy: CountedFlushPolicy, @unchecked Sendable {
    private struct State {
        weak var analytics: Analytics?
        var interval: TimeInterval
        var timer: (any ScheduledWork)?
        /// Which timer counts: one that was cancelled may be on its way already.
        var generation = 0
    }

    private let state: LockBox<State>
    private let queue = DispatchQueue(label: "tributary.flush.interval", qos: .utility)

    /// The interval that the policy was made with, if any.
    let named: TimeInterval?

    /// A policy of that many seconds; 0 or less never delivers. The interval becomes that of all such policies of the client
    /// that it is added to.
    /// - Parameter interval: default: what the client's `flushInterval` says, which is 30 unless it was set.
    public init(interval: TimeInterval? = nil) {
        named = interval
        state = LockBox(State(interval: interval ?? 30))
    }

    deinit { state.withLock { $0.timer }?.cancel() }

    public var analytics: Analytics? {
        get { state.withLock { $0.analytics } }
        set { state.withLock { $0.analytics = newValue } }
    }

    /// Seconds; 0 or less never delivers. May be changed at any time, from any thread: a wait that has begun starts
    /// over.
    public var desiredInterval: TimeInterval {
        get { state.withLock { $0.interval } }
        set {
            let isWaiting = state.withLock { state in
                state.interval = newValue
                return state.timer != nil
            }
            reset()
            if isWaiting { arm() }
        }
    }

    /// Never true: the timer delivers by itself.
    public func shouldFlush() -> Bool { false }

    public func updateState(event: any RawEvent) { arm() }

    public func reset() {
        let timer = state.withLock { state in
            defer { state.timer = nil }
            state.generation += 1
            return state.timer
        }
        timer?.cancel()
    }

    func isDue(after events: Int) -> Bool {
        arm()
        return false
    }

    private func arm() {
        state.withLock { state in
            guard state.timer == nil, state.interval > 0, let analytics = state.analytics else { return }
            state.generation += 1
            let generation = state.generation
            state.timer = analytics.time.schedule(after: state.interval, on: queue) { [weak self] in
                self?.fire(generation)
            }
        }
    }

    private func fire(_ generation: Int) {
        let analytics = state.withLock { state -> Analytics? in
            guard state.generation == generation else { return nil }
            state.timer = nil
            return state.analytics
        }
        analytics?.deliver()
    }
}
