package import Logging
import WorkspaceCore
import WorkspaceServer

/// The engine of a cluster's node. One machine has the journal and the days instead.
package struct ClusterNode: Sendable {
    private let name: String
    private let version: String
    let log: any EventLog
    let places: any PartitionLeases
    let worker: ClusterWorker
    let progress: ClusterProgress
    let nodes: any NodeDirectory
    /// The log of the changes of settings, and the keys that seal the changes.
    let changes: any ChangeLog
    let seal: ChangeSeal
    /// The health reports that all nodes received.
    let health: HealthLog
    /// Counts the events that sources with a quota send to this node and, as far as they report it, to the others.
    let quotas: QuotaLedger
    /// The destinations to which the nodes send nothing at present.
    let rests = PausedDestinations()
    /// The users and devices for which the node stores nothing.
    let suppressions = SuppressionBook()

    /// Connects to the store, and makes its table when it is missing.
    /// - Parameters:
    ///   - name: the name of the node, for people.
    ///   - version: the version of this program, for people.
    ///   - nodes: finds the other nodes.
    ///   - changes: the log of the changes of settings.
    ///   - health: the log of the health reports, with one partition.
    ///   - key: the operator's secret that seals the changes, the same on all nodes.
    ///   - oldKeys: the secrets of before, which open the changes that they sealed.
    ///   - options: how the node moves the log into the store.
    /// - Throws: `ClickHouseError` when the store cannot be used, `WorkspaceError` when the key is too short.
    package init(
        name: String, version: String, log: any EventLog, places: any PartitionLeases, nodes: any NodeDirectory,
        changes: any ChangeLog, health: any EventLog, key: String, oldKeys: [String] = [], store: ClickHouseSettings,
        options: ClusterOptions = ClusterOptions(),
        logger: Logger
    ) async throws {
        guard log.partitions <= ClusterNumber.partitions else {
            throw LogError.broken(
                "the log has \(log.partitions) partitions; \(ClusterNumber.partitions) is the most")
        }
        (self.name, self.version) = (name, version)
        (self.log, self.places, self.nodes, self.changes) = (log, places, nodes, changes)
        seal = try ChangeSeal(secret: key, old: oldKeys)
        progress = ClusterProgress(partitions: log.partitions)
        worker = try await ClusterWorker(
            name: name, log: log, places: places, store: store, options: options, suppressions: suppressions,
            progress: progress, logger: logger)
        self.health = HealthLog(log: health, node: worker.name)
        quotas = QuotaLedger(
            today: try await worker.storage.received(on: Day(milliseconds: options.now())), now: options.now)
        let node = self
        try nodes.answer { node.report }
    }

    /// The node's report to the other nodes.
    var report: NodeReport {
        NodeReport(
            name: name, id: worker.name, version: version, owned: worker.owned.leases.mapValues(\.through),
            takeovers: worker.owned.takeovers, repeated: worker.owned.repeated, alarms: worker.owned.alarms,
            isOutdated: worker.owned.isOutdated, keys: seal.marks, received: quotas.own,
            resting: rests.own)
    }

    var storage: ClickHouseStorage { worker.storage }
    var intake: ClusterIntake { ClusterIntake(log: log, progress: progress) }

    /// Whether this node does the work that only one node may do: moving roll-outs and deleting old days. The owner of
    /// the first partition does. A node that cannot change settings does none of it, because it could not record the
    /// result.
    var isCoordinator: Bool { worker.owned.responsible.contains(0) }

    /// Whether this node forwards to a destination. Destinations are spread over the partitions by their numbers, and
    /// the owner of a partition forwards to its destinations, unless it cannot record its progress in the settings.
    func forwards(to destination: Int64) -> Bool {
        worker.owned.responsible.contains(Int(destination.magnitude % UInt64(log.partitions)))
    }
}
