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
        let item = DispatchWorkItem(block: work)
        queue.asyncAfter(deadline: .now() + seconds, execute: item)
        return DispatchedWork(item: item)
    }
}

// Unchecked because a work item may be cancelled from any thread.
private struct DispatchedWork: ScheduledWork, @unchecked Sendable {
    let item: DispatchWorkItem
    func cancel() { item.cancel() }
}
