import Dispatch
import Foundation
import Tributary

/// A clock on which delays pass forty times as fast, so that pauses of seconds do not make a round slow.
///
/// Nothing is due before `begin`: the moment in which an app adds its plugins would otherwise pass too quickly. The wall
/// clock goes as fast, from the same moment in all processes, because pauses are kept for the next process by it.
final class FastTime: TimeSource {
    static let factor = 40.0

    private let base = SystemTimeSource()
    /// What was scheduled before the beginning; nil after it.
    private let early = LockBox<[@Sendable () -> Void]?>([])

    /// When the driver began, in milliseconds since 1970.
    private let start: Int64

    init(start: Int64) { self.start = start }

    var milliseconds: Int64 { start + (base.milliseconds - start) * Int64(Self.factor) }
    var uptime: TimeInterval { base.uptime * Self.factor }

    /// From now on time passes.
    func begin() {
        let waiting = early.withLock { early in
            defer { early = nil }
            return early ?? []
        }
        for start in waiting { start() }
    }

    func schedule(
        after seconds: TimeInterval, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void
    ) -> any ScheduledWork {
        let cancellable = CancellableWork(work)
        let start: @Sendable () -> Void = { [base] in
            _ = base.schedule(after: seconds / Self.factor, on: queue) { cancellable.run() }
        }
        let isEarly = early.withLock { early in
            early?.append(start)
            return early != nil
        }
        if !isEarly { start() }
        return cancellable
    }
}

/// Work that is run once, unless it was cancelled before.
private final class CancellableWork: ScheduledWork {
    private let work: LockBox<(@Sendable () -> Void)?>

    init(_ work: @escaping @Sendable () -> Void) { self.work = LockBox(work) }

    func cancel() { work.withLock { $0 = nil } }

    func run() {
        let due = work.exchange(nil)
        due?()
    }
}
