import Foundation

/// Three servers of NATS that keep streams together, with the configuration of `deploy/engines`.
public final class NATSEngines: Sendable {
    /// The addresses for clients, with the login.
    public let addresses: [String]
    /// The addresses of the servers' monitoring.
    public let monitoring: [String]
    /// The servers.
    public let servers: [EngineProcess]
    /// The first server's own disk; nil when it has none.
    public let disk: EngineDisk?
    private let folder: EngineFolder

    /// The login of `deploy/engines/nats.conf`; the password is one of tests.
    public static let login = "tributary:only-for-tests"

    /// The number of servers.
    static let count = 3

    /// Starts the servers, and waits until each answers. They may still be choosing a leader.
    /// - Parameters:
    ///   - machines: the machines of the servers, in their order. Further servers run on this machine.
    ///   - diskMegabytes: gives the first server a disk of its own with this size.
    ///   - change: changes the deployed configuration for a server, numbered from 0 to 2.
    /// - Throws: `EngineProcess.Failure`, also when the package is missing.
    public init(
        on machines: [EngineMachine] = [], diskMegabytes: Int? = nil,
        change: (_ server: Int, _ configuration: String) -> String = { $1 }
    ) async throws {
        guard let program = EnginePackages.nats else {
            throw EngineProcess.Failure(description: EnginePackages.missingForNATS ?? "")
        }
        let machines = EngineMachine.list(machines, count: Self.count)
        let folder = try EngineFolder()
        let ports = try EngineSockets.freePorts(9)
        var servers: [EngineProcess] = []
        let configuration = try EnginePackages.deployed("nats.conf")
        let disk = try diskMegabytes.map { try EngineDisk(at: folder.folder("nats-0/data"), megabytes: $0) }
        for index in 0..<Self.count {
            let path = try folder.folder("nats-\(index)")
            try folder.write(change(index, configuration), to: "nats-\(index)/nats.conf")
            servers.append(
                try EngineProcess(
                    [program, "-c", "nats.conf"], in: path,
                    environment: Self.environment(index, path, ports, machines),
                    disk: index == 0 ? disk : nil, on: machines[index]))
        }
        for (index, server) in servers.enumerated() {
            try await server.waitUntilReady { EngineSockets.isListening(ports[index], on: machines[index].address) }
        }
        (self.folder, self.disk, self.servers) = (folder, disk, servers)
        addresses = zip(machines, ports).map { "nats://\(Self.login)@\($0.address):\($1)" }
        monitoring = zip(machines, ports[6...]).map { "http://\($0.address):\($1)" }
    }

    /// - Parameter ports: three for clients, three for the other servers, three for monitoring.
    private static func environment(
        _ index: Int, _ path: String, _ ports: [Int], _ machines: [EngineMachine]
    ) -> [String: String] {
        let routes = zip(machines, ports[3..<6]).map { "nats-route://\(login)@\($0.address):\($1)" }
            .joined(separator: ", ")
        let host = machines[index].address
        return [
            "NATS_NAME": "node\(index)", "NATS_LISTEN": "\(host):\(ports[index])",
            "NATS_MONITORING": "\(host):\(ports[6 + index])", "NATS_DATA": "\(path)/data",
            "NATS_PASSWORD": login.split(separator: ":").last.map(String.init) ?? "",
            "NATS_ROUTE_LISTEN": "\(host):\(ports[3 + index])", "NATS_ROUTES": "[\(routes)]",
        ]
    }
}
