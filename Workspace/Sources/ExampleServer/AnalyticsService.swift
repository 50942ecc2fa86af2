import ServiceLifecycle
import Tributary

/// Sees to it that events leave before the server ends. What does not leave in time stays on disk for its next start.
struct AnalyticsService: Service {
    let analytics: Analytics

    func run() async throws {
        try? await gracefulShutdown()
        let result = await analytics.flush(timeout: 5)
        analytics.shutdown()
        if result != .sent { print("not all events were sent: \(result)") }
    }
}
