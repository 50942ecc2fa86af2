import Logging
import ServiceLifecycle
import WorkspaceCore
import WorkspaceServer

/// Looks again and again how far all partitions are stored, and reports when rows are confirmed.
struct ClusterFollower: Service {
    let places: any PartitionLeases
    let intake: ClusterIntake
    let partitions: Int
    /// The time between two looks.
    let pause: Duration
    /// The partitions that this node owns.
    let owned: OwnedPartitions
    let logger: Logger
    let failures: RepeatedFailures
    /// Called when more rows are confirmed.
    let confirmed: @Sendable () -> Void
    /// Called when the partitions for which this node is responsible have changed.
    let responsibilityChanged: @Sendable () async -> Void

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var known: Set<Int> = []
            for count in 0... {
                await look()
                // People read the number of waiting requests. It may be a moment old.
                if count % 5 == 0 { _ = try? await intake.mark() }
                let responsible = owned.responsible
                if responsible != known {
                    known = responsible
                    await responsibilityChanged()
                }
                try await Task.sleep(for: pause)
            }
        }
    }

    private var progress: ClusterProgress { intake.progress }

    private func look() async {
        do {
            if await progress.update(try await standing()) { confirmed() }
        } catch {
            await progress.fail()
            failures.log(
                "the records of the partitions cannot be read; lists show what was confirmed before", kind: "places",
                logger, metadata: ["error": "\(error)"])
        }
    }

    private func standing() async throws -> [PartitionLease?] {
        try await withThrowingTaskGroup(of: (Int, PartitionLease?).self) { group in
            for partition in 0..<partitions {
                group.addTask { (partition, try await places.place(of: partition)?.place) }
            }
            return try await group.reduce(into: Array(repeating: nil, count: partitions)) { $0[$1.0] = $1.1 }
        }
    }
}
