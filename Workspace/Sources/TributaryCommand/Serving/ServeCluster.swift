import Foundation
import Logging
import WorkspaceCluster
import WorkspaceCore
import WorkspaceServer

#if TRIBUTARY_CLUSTER
import ClusterNATS
#endif

/// Makes `serve` a node of a cluster.
struct ServeCluster {
    let engines: ClusterEngines
    let name: String
    let key: String
    let oldKeys: [String]

    /// - Returns: nil for one machine.
    /// - Throws: `Failure` when only one of both engines is named, `WorkspaceError` when an address is none.
    init?(_ values: ServeValues) throws {
        guard let engines = try ClusterEngines(values) else { return nil }
        self.engines = engines
        name = try Self.checked(values.text("node-name") ?? ProcessInfo.processInfo.hostName)
        let key = try TokenSource.token(
            file: values.text("cluster-key-file"), variable: TokenSource.clusterKeyVariable)
        guard let key else {
            throw Failure(
                "a cluster needs a key that seals its settings: --cluster-key-file, or \(TokenSource.clusterKeyVariable) in "
                    + "the environment")
        }
        self.key = key
        oldKeys = try TokenSource.keys(
            file: values.text("cluster-old-key-file"), variable: TokenSource.clusterOldKeysVariable)
    }

    /// A name for people. The library of NATS writes it into JSON as it is.
    static func checked(_ name: String) throws(Failure) -> String {
        let isPlain = name.unicodeScalars.allSatisfy { $0.value >= 32 && $0 != "\"" && $0 != "\\" }
        guard isPlain, (1...100).contains(name.utf8.count) else {
            throw Failure("--node-name has 1 to 100 bytes, without quotation marks, backslashes and control characters")
        }
        return name
    }

    /// Connects to the engines, and checks them.
    /// - Throws: `WorkspaceError`, also when an engine is set up so that events may be lost or doubled.
    func node(_ logger: Logger) async throws -> ClusterNode {
        #if TRIBUTARY_CLUSTER
        let (connection, log, places, nodes, changes, health) = try await connected(logger)
        let node: ClusterNode
        do {
            node = try await ClusterNode(
                name: name, version: Workspace.version, log: log, places: places, nodes: nodes, changes: changes,
                health: health, key: key, oldKeys: oldKeys, store: engines.store, logger: logger)
        } catch let error as ClickHouseError {
            throw WorkspaceError(.cluster, "the store cannot be used: \(error)")
        }
        try Self.accept(await engines.check(connection), logger)
        return node
        #else
        throw ClusterEngines.notBuilt
        #endif
    }

    /// Logs the warnings of the check, and refuses engines that are not safe.
    static func accept(_ check: EngineCheck, _ logger: Logger) throws(WorkspaceError) {
        for finding in check.noted {
            logger.warning("a check of the engines has a note", metadata: ["finding": "\(finding.sentence)"])
        }
        guard !check.wrong.isEmpty else { return }
        throw WorkspaceError(
            .cluster,
            "the engines are set up so that events may be lost or doubled; `tributary cluster check` shows all of it. "
                + check.wrong.map(\.sentence).joined(separator: ". "))
    }

    #if TRIBUTARY_CLUSTER
    /// Servers that have just been started choose a leader first, so the beginning has some patience.
    private func connected(_ logger: Logger) async throws -> (
        NATSConnection, any EventLog, JetStreamLeases, NATSNodes, JetStreamChangeLog, JetStreamLog
    ) {
        let end = ContinuousClock.now + .seconds(60)
        var isLogged = false
        while true {
            do {
                let connection = try NATSConnection(servers: engines.log, name: name)
                let names = JetStreamQueries.Names.usual
                return (
                    connection,
                    try await engines.openLog(connection),
                    try await JetStreamLeases(connection, bucket: names.places),
                    NATSNodes(connection, subject: "tributary.nodes"),
                    try await JetStreamChangeLog(connection, name: names.settings),
                    try await JetStreamLog(
                        connection, name: names.health, partitions: 1, days: JetStreamLog.healthDays)
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
