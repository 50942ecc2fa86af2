import ServiceLifecycle
import Tributary

/// Sends the waiting events before the server ends. Events that are not sent in time stay on disk for its next start.
struct AnalyticsService: Service {
    let analytics: Analytics

    func run() async throws {
        try? await gracefulShutdown()
        let result = await analytics.flush(timeout: 5)
        analytics.shutdown()
        if result != .sent { print("not all events were sent: \(result)") }
    }
}
