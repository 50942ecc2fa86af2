import Foundation
import Tributary

/// A clock that moves from one moment to the next at which something is due, and counts the timers of a client.
///
/// Unchecked because what changes stands behind the lock.
final class SteppedClock: TimeSource, @unchecked Sendable {
    private struct Timer {
        let id: Int
        let at: TimeInterval
        let queue: DispatchQueue
        let work: @Sendable () -> Void
    }

    private struct State {
        var uptime: TimeInterval = 1000
        var timers: [Timer] = []
        var armed = 0
    }

    /// 2026-11-25, at the beginning of `State.uptime`.
    private static let start: TimeInterval = 1_795_564_800

    private let lock = NSLock()
    private var state = State()

    var uptime: TimeInterval { lock.withLock { state.uptime } }
    var milliseconds: Int64 { Int64((Self.start + uptime) * 1000) }

    /// How many timers were armed so far.
    var armed: Int { lock.withLock { state.armed } }
    /// How many timers wait for their time.
    var waiting: Int { lock.withLock { state.timers.count } }
    /// When the next timer is due; nil when there is none.
    var nextDue: TimeInterval? { lock.withLock { state.timers.map(\.at).min() } }

    func schedule(
        after seconds: TimeInterval, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void
    ) -> any ScheduledWork {
        lock.withLock {
            state.armed += 1
            let timer = Timer(id: state.armed, at: state.uptime + max(0, seconds), queue: queue, work: work)
            state.timers.append(timer)
            return Armed(clock: self, id: timer.id)
        }
    }

    /// Moves the clock to a moment. Returns the number of timers that were due and whose work begins now.
    @discardableResult
    func move(to moment: TimeInterval) -> Int {
        let due = lock.withLock {
            let now = max(state.uptime, moment)
            state.uptime = now
            let due = state.timers.filter { $0.at <= now }.sorted { $0.at < $1.at }
            state.timers.removeAll { $0.at <= now }
            return due
        }
        for timer in due { timer.queue.async(execute: timer.work) }
        return due.count
    }

    private func cancel(_ id: Int) { lock.withLock { state.timers.removeAll { $0.id == id } } }

    private struct Armed: ScheduledWork {
        let clock: SteppedClock
        let id: Int
        func cancel() { clock.cancel(id) }
    }
}
