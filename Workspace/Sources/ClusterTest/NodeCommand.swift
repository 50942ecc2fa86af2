import ArgumentParser
import ClusterNATS
import Logging
import WorkspaceCluster
import WorkspaceCore
import WorkspaceServer

/// One node: the server that `tributary serve` starts, with a planted fault if one is given. The driver starts several
/// and kills them.
struct NodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "node", shouldDisplay: false)

    @Option(parsing: .upToNextOption) var nats: [String]
    @Option(parsing: .upToNextOption) var store: [String]
    @Option var name: String
    @Option var host: String
    @Option var port: Int
    @Option var data: String
    @Option var plant: PlantedFault?
    /// The program that runs live plugins.
    @Option var program: String?

    func run() async throws {
        let logger = Logger(label: name) { StreamLogHandler.standardOutput(label: $0) }
        let node = try await waitForEngines(logger)
        var configuration = WorkspaceConfiguration(dataFolder: data)
        (configuration.host, configuration.port, configuration.logger) = (host, port, logger)
        configuration.adminToken = ClusterTestNames.token
        configuration.webLibraries = nil
        configuration.program = program
        try await Workspace.open(configuration, node: node).run()
    }

    /// A node may start while engines are away. A service manager would start it again and again.
    private func waitForEngines(_ logger: Logger) async throws -> ClusterNode {
        while true {
            do {
                return try await node(logger)
            } catch {
                logger.warning("the engines do not answer yet", metadata: ["error": "\(error)"])
                try await Task.sleep(for: .milliseconds(500))
            }
        }
    }

    private func node(_ logger: Logger) async throws -> ClusterNode {
        let connection = try NATSConnection(servers: nats, name: name)
        let places = try await JetStreamLeases(connection, bucket: ClusterTestNames.places)
        var options = ClusterOptions()
        options.window = ClusterTestNames.window
        let log = try await JetStreamLog(
            connection, name: ClusterTestNames.log, partitions: ClusterTestNames.partitions,
            bytes: ClusterTestNames.bytes)
        return try await ClusterNode(
            name: name, version: Workspace.version, log: plant == .noMajority ? FaultyLog(log: log) : log,
            places: plant.map { FaultyLeases(places, $0) } ?? places,
            nodes: NATSNodes(connection, subject: ClusterTestNames.subject),
            changes: try await JetStreamChangeLog(connection, name: ClusterTestNames.settings),
            health: try await JetStreamLog(
                connection, name: ClusterTestNames.health, partitions: 1, bytes: ClusterTestNames.bytes,
                days: JetStreamLog.healthDays),
            key: ClusterTestNames.token, store: try ClusterTestNames.store(store, plant), options: options,
            logger: logger)
    }
}
