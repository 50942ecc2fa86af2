package import Logging
import ServiceLifecycle
import WorkspaceCore
import WorkspaceServer

/// Moves the log into the column store: takes partitions without an owner, and stores each record exactly once.
///
/// Any number of processes may do so at the same time.
package struct ClusterWorker: Service {
    let name: String
    private let log: any EventLog
    private let places: any PartitionLeases
    let storage: ClickHouseStorage
    private let options: ClusterOptions
    private let suppressions: SuppressionBook
    private let logger: Logger
    private var scripts: BlockScripts?
    /// The partitions that the process owns.
    package let owned: OwnedPartitions

    /// - Parameter name: for people. The process makes its own unique name from it.
    /// - Throws: `ClickHouseError` when the store cannot be used.
    package init(
        name: String, log: any EventLog, places: any PartitionLeases, store: ClickHouseSettings,
        options: ClusterOptions = ClusterOptions(), logger: Logger
    ) async throws {
        try await self.init(
            name: name, log: log, places: places, store: store, options: options, suppressions: SuppressionBook(),
            progress: ClusterProgress(partitions: log.partitions), logger: logger)
    }

    /// - Parameters:
    ///   - suppressions: the users and devices for which nothing may be stored.
    ///   - progress: how far all nodes have stored the log.
    init(
        name: String, log: any EventLog, places: any PartitionLeases, store: ClickHouseSettings,
        options: ClusterOptions, suppressions: SuppressionBook, progress: ClusterProgress, logger: Logger
    ) async throws {
        self.name = "\(name)-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        (self.log, self.places, self.options, self.logger) = (log, places, options, logger)
        self.suppressions = suppressions
        storage = try await ClickHouseStorage(store) { await progress.confirmed }
        owned = OwnedPartitions(mostOwned: options.mostOwned)
    }

    /// The same worker, which takes events through live plugins before it stores them.
    func taking(_ scripts: BlockScripts) -> ClusterWorker {
        var worker = self
        worker.scripts = scripts
        return worker
    }

    /// Works until the task is cancelled or the server stops.
    package func run() async {
        await cancelWhenGracefulShutdown {
            let turns = Turns()
            await withTaskGroup(of: Void.self) { group in
                for partition in 0..<log.partitions {
                    let task = PartitionTask(
                        partition, log: log, places: places, store: storage, options: options, logger: logger,
                        owned: owned, turns: turns, suppressions: suppressions, scripts: scripts)
                    group.addTask { await task.run(as: name) }
                }
            }
        }
        await scripts?.close()
    }
}
