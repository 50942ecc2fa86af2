public import Dispatch
public import Foundation

/// Where the client gets its time from, so that tests can hold the clock.
public protocol TimeSource: Sendable {
    /// Wall clock in milliseconds since 1970, for timestamps.
    var milliseconds: Int64 { get }
    /// Seconds that only move forward, for delays and deadlines.
    var uptime: TimeInterval { get }
    /// Runs the work on the queue once, after that many seconds, unless it is cancelled before.
    @discardableResult
    func schedule(
        after seconds: TimeInterval, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void
    ) -> any ScheduledWork
}

/// Work that waits for its time.
public protocol ScheduledWork: Sendable {
    /// Work that has not begun will not run; calling it again does nothing.
    func cancel()
}

/// The machine's own clocks.
public struct SystemTimeSource: TimeSource {
    /// The machine's own clocks.
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

// A work item may be cancelled from any thread.
private struct DispatchedWork: ScheduledWork, @unchecked Sendable {
    let item: DispatchWorkItem
    func cancel() { item.cancel() }
}
