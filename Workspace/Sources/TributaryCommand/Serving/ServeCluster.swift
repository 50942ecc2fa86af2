import Foundation
import Logging
import WorkspaceServer

#if TRIBUTARY_CLUSTER
import ClusterNATS
#endif

/// The engines of a cluster, when `serve` is to be a node of one.
struct ServeCluster {
    let log: [String]
    let store: ClickHouseSettings
    let partitions: Int
    let name: String
    let key: String

    private static let defaultPartitions = 16
    private static let mostPartitions = 64

    /// - Returns: nil for one machine.
    /// - Throws: `Failure` when only one of both engines is named, `WorkspaceError` when an address is none.
    init?(_ values: ServeValues) throws {
        let partitions = try values.number("partitions", in: 1...Self.mostPartitions)
        switch (values.text("log"), values.text("store")) {
        case (nil, nil):
            guard partitions == nil else { throw Failure("--partitions needs --log and --store") }
            return nil
        case (let log?, let store?):
            self.log = try ClusterAddresses.log(log)
            self.store = try ClusterAddresses.store(store)
            self.partitions = partitions ?? Self.defaultPartitions
            name = values.text("node-name") ?? ProcessInfo.processInfo.hostName
            let key = try TokenSource.token(
                file: values.text("cluster-key-file"), variable: TokenSource.clusterKeyVariable)
            guard let key else {
                throw Failure(
                    "a cluster needs a key that seals its settings: --cluster-key-file, or \(TokenSource.clusterKeyVariable) in "
                        + "the environment")
            }
            self.key = key
        case (nil, .some): throw Failure("--store needs --log: a cluster has both")
        case (.some, nil): throw Failure("--log needs --store: a cluster has both")
        }
    }

    /// Connects to the engines.
    func node(_ logger: Logger) async throws -> ClusterNode {
        #if TRIBUTARY_CLUSTER
        let (log, places, nodes, changes) = try await connected(logger)
        do {
            return try await ClusterNode(
                name: name, version: Workspace.version, log: log, places: places, nodes: nodes, changes: changes,
                key: key, store: store, logger: logger)
        } catch let error as ClickHouseError {
            throw WorkspaceError(.cluster, "the store cannot be used: \(error)")
        }
        #else
        throw WorkspaceError(
            .cluster,
            "this program was built for one machine; build it with TRIBUTARY_CLUSTER=1 and the library libnats to make "
                + "it a node of a cluster")
        #endif
    }

    #if TRIBUTARY_CLUSTER
    /// Servers that have just been started choose a leader first, so the beginning has some patience.
    private func connected(_ logger: Logger) async throws -> (
        JetStreamLog, JetStreamPlaces, NATSNodes, JetStreamChangeLog
    ) {
        let end = ContinuousClock.now + .seconds(60)
        var isLogged = false
        while true {
            do {
                let connection = try NATSConnection(servers: log, name: name)
                return (
                    try await JetStreamLog(connection, name: "TRIBUTARY", partitions: partitions),
                    try await JetStreamPlaces(connection, bucket: "tributary_places"),
                    NATSNodes(connection, subject: "tributary.nodes"),
                    try await JetStreamChangeLog(connection, name: "TRIBUTARY_SETTINGS")
                )
            } catch let error as LogError {
                guard case .unavailable = error, ContinuousClock.now < end else {
                    throw WorkspaceError(.cluster, "the log cannot be used: \(error)")
                }
                if !isLogged { logger.warning("the log does not answer yet", metadata: ["error": "\(error)"]) }
                isLogged = true
                try await Task.sleep(for: .seconds(1))
            }
        }
    }
    #endif
}
