public import Dispatch
public import Foundation

/// The clock of a client. Tests replace it to control time.
public protocol TimeSource: Sendable {
    /// The wall clock in milliseconds since 1970, for timestamps.
    var milliseconds: Int64 { get }
    /// Seconds of a clock that only moves forward, for delays and deadlines.
    var uptime: TimeInterval { get }
    /// Runs the work on the queue once, after that many seconds, unless it is cancelled earlier.
    @discardableResult
    func schedule(
        after seconds: TimeInterval, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void
    ) -> any ScheduledWork
}

/// Work that runs later.
public protocol ScheduledWork: Sendable {
    /// Cancels work that has not begun. Further calls do nothing.
    func cancel()
}

/// The clocks of the system.
public struct SystemTimeSource: TimeSource {
    /// The clocks of the system.
    public init() {}

    public var milliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    public var uptime: TimeInterval { ProcessInfo.processInfo.systemUptime }

    public func schedule(
        after seconds: TimeInterval, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void
    ) -> any ScheduledWork {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        // The tolerance that `asyncAfter` gives as well, so that the system can join wake-ups.
        let tolerance = seconds < 600 ? max(seconds / 10, 0.001) : 60
        timer.schedule(deadline: .now() + seconds, leeway: .milliseconds(Int(tolerance * 1000)))
        // The handler keeps the timer until it has fired or was cancelled.
        timer.setEventHandler {
            timer.cancel()
            work()
        }
        timer.activate()
        return SystemTimer(timer: timer)
    }
}

/// A timer of the system, and not a delayed work item: a cancelled item still wakes the device at its time.
///
/// Unchecked because a timer may be cancelled from any thread.
private struct SystemTimer: ScheduledWork, @unchecked Sendable {
    let timer: any DispatchSourceTimer
    func cancel() { timer.cancel() }
}
