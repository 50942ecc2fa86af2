import ArgumentParser
import ClusterNATS
import Logging
import WorkspaceServer

/// One process that moves the log into the store. The driver starts several and kills them.
struct WorkerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "worker", shouldDisplay: false)

    @Option(parsing: .upToNextOption) var nats: [String]
    @Option(parsing: .upToNextOption) var store: [String]
    @Option var database: String
    @Option var partitions: Int
    @Option var most: Int
    @Option var window: Int64
    @Option var name: String
    @Option var plant: PlantedFault?

    func run() async throws {
        let logger = Logger(label: name) { StreamLogHandler.standardOutput(label: $0) }
        while true {
            do {
                return try await worker(logger).run()
            } catch {
                logger.warning("the engines do not answer yet", metadata: ["error": "\(error)"])
                try await Task.sleep(for: .milliseconds(500))
            }
        }
    }

    private func worker(_ logger: Logger) async throws -> ClusterWorker {
        let connection = try NATSConnection(servers: nats, name: name)
        let log = try await JetStreamLog(
            connection, name: ClusterTestNames.log, partitions: partitions, bytes: ClusterTestNames.bytes)
        let places = try await JetStreamPlaces(connection, bucket: ClusterTestNames.bucket)
        var options = ClusterOptions()
        options.mostOwned = most
        options.window = window
        return try await ClusterWorker(
            name: name, log: log, places: plant.map { FaultyPlaces(places, $0) } ?? places,
            store: try ClusterTestNames.settings(store, database, plant), options: options, logger: logger)
    }
}

/// The names that the driver and its workers agree on.
enum ClusterTestNames {
    static let log = "INGEST"
    static let bucket = "place"
    static let bytes: Int64 = 1 << 30

    static func worker(_ index: Int) -> String { "worker-\(index)" }

    static func settings(
        _ hosts: [String], _ database: String, _ plant: PlantedFault?
    ) throws -> ClickHouseSettings {
        var settings = try ClickHouseSettings(hosts: hosts, database: database)
        if plant == .fewKnownBlocks { settings.knownBlocks = 2 }
        return settings
    }
}
