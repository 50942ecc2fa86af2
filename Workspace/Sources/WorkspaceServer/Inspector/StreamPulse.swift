import Logging
import ServiceLifecycle
import WorkspaceCore

/// Sends figures to the listeners when they have changed, and heartbeats.
struct StreamPulse: Service {
    let store: Store
    let broadcaster: Broadcaster
    let logger: Logger
    /// The time between two messages with figures, when they changed.
    let statistics: Duration
    let heartbeat: Duration

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { await sendHeartbeats() }
                group.addTask { await sendStatistics() }
            }
        }
    }

    private func sendHeartbeats() async {
        while await heartbeat.wait() { await broadcaster.publish(.heartbeat) }
    }

    private func sendStatistics() async {
        var seen = 0
        while await statistics.wait() {
            let commits = await broadcaster.commits
            if commits == seen { continue }
            if await broadcaster.isEmpty { continue }
            do {
                await broadcaster.publish(StreamMessage(try await store.statistics(writeKey: nil)))
                seen = commits
            } catch {
                logger.error("the figures cannot be read", metadata: ["error": "\(error)"])
            }
        }
    }
}
