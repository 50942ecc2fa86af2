import Dispatch
public import Foundation

/// Delivers some seconds after the first event since the last delivery.
///
/// Without events, nothing wakes the device.
///
/// Unchecked because all state is behind its lock.
public final class IntervalBasedFlushPolicy: CountedFlushPolicy, @unchecked Sendable {
    private struct State {
        weak var analytics: Analytics?
        var interval: TimeInterval
        var timer: (any ScheduledWork)?
        /// The number of the current timer. A timer that was cancelled may still fire, with an older number.
        var generation = 0
    }

    private let state: LockBox<State>
    private let queue = DispatchQueue(label: "tributary.flush.interval", qos: .utility)

    /// The interval that was given in `init`, if any.
    let named: TimeInterval?

    /// A policy for that many seconds; 0 or less never delivers. When it is added to a client, all policies of this
    /// type of that client get the interval.
    /// - Parameter interval: default: the client's `flushInterval`, which is 30 unless it was set.
    public init(interval: TimeInterval? = nil) {
        named = interval
        state = LockBox(State(interval: interval ?? 30))
    }

    deinit { state.withLock { $0.timer }?.cancel() }

    public var analytics: Analytics? {
        get { state.withLock { $0.analytics } }
        set { state.withLock { $0.analytics = newValue } }
    }

    /// Seconds; 0 or less never delivers. It may be changed at any time, from any thread. A wait that has begun then
    /// starts again.
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

    /// Always false, because the timer starts the delivery.
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
