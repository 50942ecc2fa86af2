import Logging
import ServiceLifecycle
import WorkspaceCore

/// Stores health reports and moves roll-outs on one machine, one step after the other.
struct HealthService: Service {
    let store: Store
    let sources: SourceRegistry
    let inbox: HealthInbox
    let steps: RolloutSteps
    let metrics: ServerMetrics
    let pause: Duration
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                let clock = RolloutPoll()
                group.addTask {
                    await RolloutPoll.every(pause) {
                        clock.set()
                        inbox.wake()
                    }
                }
                await work(clock)
                group.cancelAll()
            }
        }
        inbox.close()
    }

    private func work(_ clock: RolloutPoll) async {
        var desk = ReportCounter(store: store, sources: sources, metrics: metrics)
        var reader = ReportReader(store: store)
        for await _ in inbox.signals {
            let waiting = inbox.take()
            await count(waiting, &reader, &desk)
            if clock.take(hasReports: !waiting.isEmpty) { await steps.look(&desk.samples) }
        }
    }

    /// Counts reports, and answers the requests that wait for that.
    private func count(
        _ waiting: [HealthInbox.Waiting], _ reader: inout ReportReader, _ desk: inout ReportCounter
    ) async {
        guard !waiting.isEmpty else { return }
        do {
            var reports: [SourceReport] = []
            for one in waiting { reports.append(try await reader.read(one)) }
            try await desk.count(reports)
            for one in waiting { one.end(.success(())) }
        } catch {
            waiting.refuse(because: error, logger)
        }
    }
}
