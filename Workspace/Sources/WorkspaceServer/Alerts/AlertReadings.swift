import Synchronization
import WorkspaceCore

/// The result of the last look at each alert rule. May be used from any thread.
final class AlertReadings: Sendable {
    struct Look: Sendable {
        let reading: AlertReading
        let at: Int64
    }

    private let looks = Mutex<[String: Look]>([:])

    subscript(name: String) -> Look? { looks.withLock { $0[name] } }

    /// Replaces all readings, so that removed rules leave none behind.
    func put(_ all: [String: Look]) { looks.withLock { $0 = all } }
}
