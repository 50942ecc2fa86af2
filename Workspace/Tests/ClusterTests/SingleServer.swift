import Logging
import TributaryJSON

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

/// A workspace on one machine, in the process of the test, with the same token as servers of a cluster.
final class SingleServer: Sendable {
    private let workspace: Workspace
    private let task: Task<Void, any Error>
    private let client: ClusterClient

    /// - Parameter data: the data folder.
    init(data: String) async throws {
        let (addresses, address) = AsyncStream.makeStream(of: String.self)
        var configuration = WorkspaceConfiguration(dataFolder: data)
        (configuration.port, configuration.writeKeys) = (0, ["WK"])
        configuration.adminToken = ClusterServer.token
        configuration.logger = Logger(label: "single") { _ in SwiftLogNoOpLogHandler() }
        configuration.patience = .seconds(60)
        let workspace = try Workspace(configuration) { address.yield($0.url) }
        task = Task { try await workspace.run() }
        var urls = addresses.makeAsyncIterator()
        client = ClusterClient(url: await urls.next() ?? "")
        self.workspace = workspace
    }

    func stop() async throws {
        await workspace.stop()
        try await task.value
    }

    func send(_ events: [JSON]) async throws -> Int { try await client.send(events) }

    func get(_ path: String) async throws -> JSON { try await client.ask("GET", path).body }
}
