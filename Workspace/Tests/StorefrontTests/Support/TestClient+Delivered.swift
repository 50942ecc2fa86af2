import Tributary
import TributaryTesting

extension TestClient {
    /// Returns when the server and the destinations have all events that were tracked so far.
    @discardableResult
    func delivered() async -> FlushResult {
        await processed()
        return await analytics.flush(timeout: 3600)
    }
}
