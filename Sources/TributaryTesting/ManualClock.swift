public import Dispatch
public import Foundation
public import Tributary

/// A clock that moves only when a test moves it.
///
/// It begins in November 2026. Work that the client scheduled runs on the client's queues when its time has come. So
/// wait for the result (``TestClient/processed()``, ``StubServer/requests(_:)``) instead of reading it at once.
///
/// Unchecked because the state is behind its lock.
public final class ManualClock: TimeSource, @unchecked Sendable {
    private struct Work {
        let id: Int
        let at: TimeInterval
        let queue: DispatchQueue
        let body: @Sendable () -> Void
    }

    private struct State {
        var uptime: TimeInterval = 1000
        var milliseconds: Int64 = 1_795_000_000_000
        var work: [Work] = []
        var next = 0
        var watchers: [(isThere: @Sendable (State) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state: LockBox<State>

    /// A clock that stands.
    /// - Parameter seconds: how much later it begins than other clocks of tests. With it, a pause of delivery from an
    ///   earlier client may be over.
    public init(later seconds: TimeInterval = 0) {
        state = LockBox(State(milliseconds: 1_795_000_000_000 + Int64(seconds * 1000)))
    }

    /// Waits until there is work that is due within that many seconds.
    package func scheduled(in seconds: TimeInterval) async {
        let due = uptime + seconds
        await wait { $0.work.contains { abs($0.at - due) < 0.001 } }
    }

    /// The number of pieces of work that wait for their time.
    package var scheduledCount: Int { state.withLock { $0.work.count } }

    public var milliseconds: Int64 { state.withLock { $0.milliseconds } }
    public var uptime: TimeInterval { state.withLock { $0.uptime } }
    /// Seconds until the next work is due; nil when none is scheduled.
    public var nextDelay: TimeInterval? { state.withLock { state in state.work.map { $0.at - state.uptime }.min() } }

    public func schedule(
        after seconds: TimeInterval, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void
    ) -> any ScheduledWork {
        let id = state.withLock { state in
            state.next += 1
            state.work.append(Work(id: state.next, at: state.uptime + seconds, queue: queue, body: work))
            Self.resume(&state)
            return state.next
        }
        return Cancellation(time: self, id: id)
    }

    private func wait(until isThere: @escaping @Sendable (State) -> Bool) async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.watchers.append((isThere, continuation))
                Self.resume(&state)
            }
        }
    }

    private static func resume(_ state: inout State) {
        let present = state
        state.watchers.removeAll { watcher in
            guard watcher.isThere(present) else { return false }
            watcher.continuation.resume()
            return true
        }
    }

    /// Moves the clock, and passes all work that is due to its queues, in the order of its times.
    public func advance(by seconds: TimeInterval) {
        for work in takeDue(after: seconds) { work.queue.async(execute: work.body) }
    }

    /// Moves the clock as `advance` does, and returns when the work that was due has run.
    package func pass(_ seconds: TimeInterval) async {
        let due = takeDue(after: seconds)
        let group = DispatchGroup()
        for work in due { work.queue.async(group: group, execute: work.body) }
        await withCheckedContinuation { done in group.notify(queue: .global()) { done.resume() } }
    }

    /// Moves the clock. Returns the work that is due, in the order of its times.
    private func takeDue(after seconds: TimeInterval) -> [Work] {
        state.withLock { state in
            state.uptime += seconds
            state.milliseconds += Int64(seconds * 1000)
            let due = state.work.filter { $0.at <= state.uptime }.sorted { $0.at < $1.at }
            let ids = Set(due.map(\.id))
            state.work.removeAll { ids.contains($0.id) }
            return due
        }
    }

    /// Sets the wall clock without time passing.
    package func setClock(by seconds: TimeInterval) { state.withLock { $0.milliseconds += Int64(seconds * 1000) } }

    private func cancel(_ id: Int) { state.withLock { $0.work.removeAll { $0.id == id } } }

    private struct Cancellation: ScheduledWork {
        let time: ManualClock
        let id: Int
        func cancel() { time.cancel(id) }
    }
}
