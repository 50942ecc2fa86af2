import Foundation

/// Three servers of NATS that keep streams together.
public final class NATSEngines: Sendable {
    /// The addresses for clients.
    public let addresses: [String]
    /// The servers.
    public let servers: [EngineProcess]
    private let folder: EngineFolder

    /// Starts the servers, and waits until each answers. They may still be choosing who leads.
    /// - Throws: `EngineProcess.Failure`, also when the package is missing.
    public init() async throws {
        guard let program = EnginePackages.nats else {
            throw EngineProcess.Failure(description: EnginePackages.missingForNATS ?? "")
        }
        let folder = try EngineFolder()
        let ports = try EngineSockets.freePorts(6)
        let routes = ports[3...].map { "nats://127.0.0.1:\($0)" }.joined(separator: ", ")
        var servers: [EngineProcess] = []
        for index in 0..<3 {
            let path = try folder.folder("nats-\(index)")
            try folder.write(
                """
                server_name: node\(index)
                listen: "127.0.0.1:\(ports[index])"
                max_payload: 8MB
                jetstream { store_dir: "\(path)/data", sync_interval: always }
                cluster { name: tributary, listen: "127.0.0.1:\(ports[3 + index])", routes: [\(routes)] }
                """, to: "nats-\(index)/nats.conf")
            servers.append(try EngineProcess([program, "-c", "nats.conf"], in: path))
        }
        for (index, server) in servers.enumerated() {
            try await server.waitUntilReady { EngineSockets.isListening(ports[index]) }
        }
        self.folder = folder
        self.servers = servers
        addresses = ports[..<3].map { "nats://127.0.0.1:\($0)" }
    }
}
