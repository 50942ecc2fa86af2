import Dispatch
import Foundation
import Tributary

/// Reports how many signals were lost: the first loss at once, later losses as a sum after some seconds, so that a
/// flood of signals causes few diagnostics.
final class LossReport: Sendable {
    private struct State {
        var lost = 0
        var isResting = false
    }

    private let state = LockBox(State())
    private let time: any TimeSource
    private let report: @Sendable (_ lost: Int) -> Void

    init(time: any TimeSource, report: @escaping @Sendable (_ lost: Int) -> Void) {
        self.time = time
        self.report = report
    }

    func add(_ lost: Int) {
        state.withLock { $0.lost += lost }
        reportLosses()
    }

    private func reportLosses() {
        let lost = state.withLock { state in
            guard !state.isResting, state.lost > 0 else { return 0 }
            defer { state.lost = 0 }
            state.isResting = true
            return state.lost
        }
        guard lost > 0 else { return }
        report(lost)
        time.schedule(after: SignalLimits.lossReportInterval, on: .global()) { [weak self] in
            self?.state.withLock { $0.isResting = false }
            self?.reportLosses()
        }
    }
}
