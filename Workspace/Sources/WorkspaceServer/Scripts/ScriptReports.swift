import Logging
import Synchronization
import TributaryJSON
import WorkspaceCore

/// Reports what live plugins do in the workspace, as devices report it, so that it is counted and seen in the same places.
final class ScriptReports: Sendable {
    /// The name of this server among the devices that report. Two servers with one name would hide each other's reports,
    /// because the numbers of a name only grow.
    private let instance: String
    private let inbox: HealthInbox
    private let now: @Sendable () -> Int64
    private let logger: Logger
    private let number: Mutex<Int64>

    init(
        _ inbox: HealthInbox, instance: String = "workspace", now: @escaping @Sendable () -> Int64, _ logger: Logger
    ) {
        (self.inbox, self.instance, self.now, self.logger) = (inbox, instance, now, logger)
        // A report with a number that was counted before would not be counted.
        number = Mutex(now())
    }

    /// - Parameter version: the counts of a version, in the form of a health report.
    func send(_ version: JSON, of source: Source) {
        let number = number.withLock { number in
            number += 1
            return number
        }
        let json: JSON = [
            "instanceId": .string(instance), "number": .number(number), "versions": [version],
        ]
        Task {
            do {
                try await inbox.store(DeviceReport(json.encoded()), of: source, receivedAt: now())
            } catch {
                logger.warning(
                    "what live plugins did in the workspace is not counted", metadata: ["error": "\(error)"])
            }
        }
    }
}
