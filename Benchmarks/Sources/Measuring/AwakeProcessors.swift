import Foundation

#if os(Linux)
import Glibc
import Synchronization

/// Keeps every processor from falling asleep, with threads that give way to any other.
///
/// What a processor has at hand is gone when it wakes up, the more so on a virtual machine, where waking is the work of
/// another system. That is a property of the machine and not of what is measured. Linux only; without effect elsewhere.
public final class AwakeProcessors: Sendable {
    /// `SCHED_IDLE` of Linux, which Swift does not see.
    private static let giveWay: Int32 = 5

    private let isOver = Atomic(false)

    public init() {
        for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
            Thread.detachNewThread { [self] in
                // One that does not give way would take time from what is measured.
                var parameters = sched_param()
                guard pthread_setschedparam(pthread_self(), Self.giveWay, &parameters) == 0 else { return }
                while !isOver.load(ordering: .relaxed) {}
            }
        }
    }

    /// Lets them sleep again.
    public func end() { isOver.store(true, ordering: .relaxed) }
}
#else
/// Without effect on this system.
public final class AwakeProcessors: Sendable {
    public init() {}
    public func end() {}
}
#endif
