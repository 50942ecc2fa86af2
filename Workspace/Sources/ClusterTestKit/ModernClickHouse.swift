import Foundation

/// A current version of ClickHouse: the library chdb, which `Tests/Cluster/modern_clickhouse.py` serves.
///
/// It has one server and no replication. The program translates the few statements that need replication, and logs each
/// request.
public final class ModernClickHouse: Sendable {
    /// A statement that arrived.
    public struct Request: Sendable, Decodable {
        /// nil when the request was refused before its statement was read.
        public let statement: String?
        /// The settings that came with it.
        public let settings: [String: String]
        /// The number of the error; nil when the request was not refused.
        public let code: Int?
    }

    /// The HTTP address.
    public let address: String
    private let server: EngineProcess
    private let zooKeeper: EngineProcess?
    private let folder: EngineFolder

    /// Starts the server, and waits until it answers.
    /// - Parameters:
    ///   - password: the password of the user `default`.
    ///   - hasZooKeeper: whether to make replicated tables as requested. chdb takes no rows for them.
    /// - Throws: `EngineProcess.Failure`, also when a package is missing.
    public init(password: String = "", hasZooKeeper: Bool = false) async throws {
        let missing = hasZooKeeper ? EnginePackages.missingForModernReplica : EnginePackages.missingForModernClickHouse
        guard missing == nil, let python = EnginePackages.chdb else {
            throw EngineProcess.Failure(description: missing ?? "")
        }
        let folder = try EngineFolder()
        let ports = try EngineSockets.freePorts(2)
        var command = [
            python, EnginePackages.modernClickHouse, "--port", "\(ports[0])", "--folder", "\(folder.path)/clickhouse",
            "--password", password,
        ]
        var zooKeeper: EngineProcess?
        if hasZooKeeper, let java = EnginePackages.java {
            zooKeeper = try ClickHouseEngines.startZooKeeper(folder, java: java, port: ports[1], on: .local)
            try await zooKeeper?.waitUntilReady { EngineSockets.isListening(ports[1]) }
            command += ["--keeper", "127.0.0.1:\(ports[1])"]
        }
        (self.folder, self.zooKeeper) = (folder, zooKeeper)
        server = try EngineProcess(command, in: try folder.folder("server"))
        address = "http://127.0.0.1:\(ports[0])"
        try await server.waitUntilReady { EngineSockets.isListening(ports[0]) }
    }

    /// All requests so far.
    /// - Throws: when the log has other lines, such as a failure of the program itself.
    public func requests() throws -> [Request] {
        let log = try Data(contentsOf: URL(fileURLWithPath: server.log))
        // An incomplete line counts later.
        let newline = UInt8(ascii: "\n")
        guard let end = log.lastIndex(of: newline) else { return [] }
        return try log[..<end].split(separator: newline).map { try JSONDecoder().decode(Request.self, from: $0) }
    }
}
