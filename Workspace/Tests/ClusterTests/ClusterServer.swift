import ClusterTestKit
import Foundation
import Logging
import Testing
import TributaryJSON

@testable import ClusterNATS
@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

/// A server of a cluster for tests, in the process of the test.
final class ClusterServer: Sendable {
    static let token = "token-of-the-tests-of-a-cluster"

    let url: String
    private let workspace: Workspace
    private let task: Task<Void, any Error>
    private let folder: EngineFolder
    private let connection: NATSConnection

    /// - Parameters:
    ///   - name: that of the streams and of the database, which all servers of a cluster share.
    ///   - files: the folder for destinations of the kind files.
    ///   - data: the data folder; one of its own unless told.
    ///   - log: one of four partitions; streams of NATS unless told.
    ///   - program: the program that runs live plugins; without one the server runs none.
    ///   - rolloutPause: the time between two looks at roll-outs.
    init(
        _ name: String, nats: NATSEngines, stores: ClickHouseEngines, files: String? = nil, data: String? = nil,
        log: (any EventLog)? = nil, program: String? = nil, countryDatabase: String? = nil,
        rolloutPause: Duration = Limits.rolloutPause
    ) async throws {
        let logger = Logger(label: "cluster") { _ in SwiftLogNoOpLogHandler() }
        let folder = try EngineFolder()
        let connection = try NATSConnection(servers: nats.addresses, name: name)
        var options = ClusterOptions()
        // A takeover is waited for.
        (options.patience, options.pulse) = (2_000, 250)
        let log: any EventLog =
            if let log { log } else {
                try await JetStreamLog(connection, name: name, partitions: 4, bytes: 64 << 20)
            }
        let node = try await ClusterNode(
            name: name, version: Workspace.version, log: log,
            places: try await JetStreamLeases(connection, bucket: name),
            nodes: NATSNodes(connection, subject: "\(name).nodes"),
            changes: try await JetStreamChangeLog(connection, name: name + "_SETTINGS"),
            health: try await JetStreamLog(
                connection, name: name + "_HEALTH", partitions: 1, bytes: 64 << 20, days: JetStreamLog.healthDays),
            key: Self.token,
            store: try ClickHouseSettings(hosts: stores.addresses, database: name.lowercased()), options: options,
            logger: logger)
        let (addresses, address) = AsyncStream.makeStream(of: String.self)
        var configuration = WorkspaceConfiguration(dataFolder: data ?? folder.path + "/data")
        (configuration.port, configuration.writeKeys) = (0, ["WK"])
        (configuration.adminToken, configuration.logger) = (Self.token, logger)
        // Lists wait for what was acknowledged, also on a slow machine.
        configuration.patience = .seconds(60)
        configuration.filesFolder = files
        (configuration.program, configuration.countryDatabase) = (program, countryDatabase)
        configuration.rolloutPause = rolloutPause
        let workspace = try await Workspace.open(configuration, node: node) { address.yield($0.url) }
        task = Task { try await workspace.run() }
        var urls = addresses.makeAsyncIterator()
        url = await urls.next() ?? ""
        (self.workspace, self.folder, self.connection) = (workspace, folder, connection)
    }

    /// Servers of one cluster, which nothing else has.
    /// - Parameter make: starts a server of the cluster with that name.
    static func start(
        _ count: Int, _ make: (_ name: String) async throws -> ClusterServer
    ) async throws -> [ClusterServer] {
        let name = JetStreams.name()
        var servers: [ClusterServer] = []
        for _ in 0..<count { servers.append(try await make(name)) }
        return servers
    }

    /// Ends the server, which lets its partitions go. The other servers would count one that still answers as a node.
    func stop() async throws {
        await workspace.stop()
        try await task.value
        connection.close()
    }

    /// What the partitions of the log have.
    func standing() async throws -> [LogRange] {
        let log = try #require(workspace.engine as? ClusterEngine).node.log
        var standing: [LogRange] = []
        for partition in 0..<log.partitions { standing.append(try await log.standing(of: partition)) }
        return standing
    }

    /// Sends a batch of events.
    /// - Returns: the status of the answer.
    @discardableResult
    func send(_ events: [JSON]) async throws -> Int { try await client.send(events) }

    func get(_ path: String) async throws -> JSON { try await ask("GET", path).body }

    func ask(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> (status: Int, body: JSON) {
        try await client.ask(method, path, body)
    }

    /// An answer that is no JSON.
    func text(_ path: String) async throws -> String {
        String(decoding: try await client.bytes("GET", path).body, as: UTF8.self)
    }

    func put(_ path: String, text: String) async throws -> Int { try await client.put(path, text: text) }

    private var client: ClusterClient { ClusterClient(url: url) }
}
