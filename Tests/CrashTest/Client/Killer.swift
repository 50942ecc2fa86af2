import Tributary

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Ends the process with SIGKILL when the planned step has come by often enough.
final class Killer: Sendable {
    private let point: KillPoint?
    private let left: LockBox<Int>
    private let ledger: Ledger

    init(_ point: KillPoint?, ledger: Ledger) {
        self.point = point
        left = LockBox(point?.nth ?? 0)
        self.ledger = ledger
    }

    /// Counts a side of a step.
    func reached(_ step: Step?, _ side: StepSide) {
        if isDue(step, side) { die() }
    }

    /// Whether the process is to die at this side of the step, this time; the caller then calls `die`.
    func isDue(_ step: Step?, _ side: StepSide) -> Bool {
        guard let point, point.step == step, point.side == side else { return false }
        return left.withLock { left in
            left -= 1
            return left == 0
        }
    }

    func die() {
        if let point { ledger.append(.killed(point)) }
        kill(getpid(), SIGKILL)
    }
}
