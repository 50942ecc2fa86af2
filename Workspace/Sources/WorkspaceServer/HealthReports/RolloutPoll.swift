import Synchronization
import WorkspaceCore

/// Says when it is time to look at the roll-outs. May be used from any thread.
package final class RolloutPoll: Sendable {
    private struct State {
        var isDue = false
        var lookedAt = ContinuousClock.now
    }

    private let state = Mutex(State())

    package init() {}

    package func set() { state.withLock { $0.isDue = true } }

    /// After reports it is time when the last look was a second ago, so that a worse version is stopped soon.
    package func take(hasReports: Bool) -> Bool {
        state.withLock { state in
            let isDue = state.isDue || (hasReports && ContinuousClock.now - state.lookedAt > Limits.rolloutReportPause)
            if isDue { state = State() }
            return isDue
        }
    }

    /// Calls something at once and after each pause, until the task is cancelled.
    package static func every(_ pause: Duration, _ call: @Sendable () -> Void) async {
        repeat { call() } while await pause.wait()
    }
}
