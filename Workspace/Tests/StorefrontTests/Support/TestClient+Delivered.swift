import Tributary
import TributaryTesting

extension TestClient {
    /// Everything that was tracked so far has reached the server, and destinations have dealt with it.
    @discardableResult
    func delivered() async -> FlushResult {
        await processed()
        return await analytics.flush(timeout: 3600)
    }
}
