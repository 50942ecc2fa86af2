import ArgumentParser
import ClusterNATS
import WorkspaceCluster
import WorkspaceCore
import WorkspaceServer

/// Waits, after the last disturbance, until all records are stored.
struct Settlement {
    let log: JetStreamLog
    let places: JetStreamLeases
    let nodes: TestNodes

    /// How long a partition may make no progress.
    private static let patience = Duration.seconds(180)

    /// Returns when the place of each partition is at the end of the log, and every node is ready and follows the
    /// settings.
    /// - Throws: `ExitCode` when a partition has not moved for three minutes, or a node is not well after one.
    func wait() async throws {
        for partition in 0..<log.partitions { try await wait(for: partition) }
        try await nodes.waitUntilWell()
    }

    private func wait(for partition: Int) async throws {
        var end = ContinuousClock.now + Self.patience
        var through: UInt64?
        while true {
            // Servers that were just started may not answer yet.
            let place = try? await places.place(of: partition)?.place
            let last = try? await log.standing(of: partition).last
            if let place, place.through == last, place.announced == nil { return }
            if let place, place.through != through {
                (through, end) = (place.through, ContinuousClock.now + Self.patience)
            }
            guard ContinuousClock.now < end else {
                let standing = place.map { "\($0)" } ?? "nothing"
                print("cluster-test: partition \(partition) is at \(standing) of \(last ?? 0)")
                for index in nodes.processes.indices { nodes.printLog(of: index) }
                throw ExitCode(1)
            }
            try await Task.sleep(for: .milliseconds(200))
        }
    }
}
