import Dispatch
import Foundation
import Tributary

/// A clock on which delays pass a hundred times as fast, so that pauses of seconds do not make a round slow.
///
/// The wall clock is the machine's.
struct FastTime: TimeSource {
    static let factor = 100.0

    private let base = SystemTimeSource()

    var milliseconds: Int64 { base.milliseconds }
    var uptime: TimeInterval { base.uptime * Self.factor }

    func schedule(
        after seconds: TimeInterval, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void
    ) -> any ScheduledWork {
        base.schedule(after: seconds / Self.factor, on: queue, work)
    }
}
