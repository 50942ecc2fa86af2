import Logging
import ServiceLifecycle
import WorkspaceCore
import WorkspaceServer

/// Removes stored records from the log, in the partitions that this node owns.
struct ClusterTrimmer: Service {
    let log: any EventLog
    let owned: OwnedPartitions
    /// The time between two passes.
    let pause: Duration
    let logger: Logger
    let failures: RepeatedFailures

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: pause)
                await pass()
            }
        }
    }

    /// A partition that cannot be trimmed now is trimmed by a later pass. Until then it only takes space.
    func pass() async {
        for (partition, place) in owned.leases where place.through > 0 {
            do {
                try await log.trim(partition, through: place.through)
            } catch {
                failures.log(
                    "stored records cannot be removed from the log", kind: "trimming", logger, level: .warning,
                    metadata: ["partition": "\(partition)", "error": "\(error)"])
            }
        }
    }
}
