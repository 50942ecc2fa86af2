import Foundation
import Logging
import ServiceLifecycle
import Synchronization

/// Stores health reports and moves roll-outs, one step after the other.
struct HealthService: Service {
    let store: Store
    let inbox: HealthInbox
    let steps: RolloutSteps
    let metrics: ServerMetrics
    let pause: Duration
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                let clock = LookClock()
                group.addTask { await tick(clock) }
                await work(clock)
                group.cancelAll()
            }
        }
        inbox.close()
    }

    private func tick(_ clock: LookClock) async {
        repeat {
            clock.set()
            inbox.wake()
        } while await sleep()
    }

    /// False when the server stops.
    private func sleep() async -> Bool {
        do {
            try await Task.sleep(for: pause)
            return true
        } catch {
            return false
        }
    }

    private func work(_ clock: LookClock) async {
        var desk = ReportDesk(store: store, metrics: metrics, logger: logger)
        for await _ in inbox.signals {
            let reports = inbox.take()
            await desk.store(reports)
            if clock.take(hasReports: !reports.isEmpty) { await steps.look(&desk.samples) }
        }
    }
}

/// Says that it is time to look at the roll-outs.
private final class LookClock: Sendable {
    private struct State {
        var isDue = false
        var lookedAt = ContinuousClock.now
    }

    private let state = Mutex(State())

    func set() { state.withLock { $0.isDue = true } }

    /// After reports it is time when the last look was a second ago, so that a worse version is stopped soon.
    func take(hasReports: Bool) -> Bool {
        state.withLock { state in
            let isDue = state.isDue || (hasReports && ContinuousClock.now - state.lookedAt > Limits.rolloutReportPause)
            if isDue { state = State() }
            return isDue
        }
    }
}
