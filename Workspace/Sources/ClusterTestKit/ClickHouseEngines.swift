import Foundation

/// Replicas of a column store with their ZooKeeper, with the configuration of `deploy/engines`.
public final class ClickHouseEngines: Sendable {
    /// The HTTP addresses of the replicas.
    public let addresses: [String]
    /// The replicas.
    public let servers: [EngineProcess]
    /// The ZooKeeper that coordinates them.
    public let zooKeeper: EngineProcess
    /// The folder with the data of each replica.
    public let dataFolders: [String]
    /// The first replica's own disk; nil when it has none.
    public let disk: EngineDisk?
    private let folder: EngineFolder

    /// Starts the servers, and waits until they answer.
    /// - Parameters:
    ///   - count: the number of replicas.
    ///   - machines: the machines of the replicas, in their order. Further replicas run on this machine.
    ///   - coordinator: the machine of ZooKeeper; this machine by default.
    ///   - merges: false leaves the parts of tables as they were inserted.
    ///   - password: the password of the user `default`.
    ///   - diskMegabytes: gives the first replica a disk of its own with this size.
    ///   - change: changes the deployed configuration for a replica, numbered from 0.
    /// - Throws: `EngineProcess.Failure`, also when a package is missing.
    public init(
        replicas count: Int = 3, on machines: [EngineMachine] = [], coordinator: EngineMachine = .local,
        merges: Bool = true, password: String = "", diskMegabytes: Int? = nil,
        change: (_ replica: Int, _ configuration: String) -> String = { $1 }
    ) async throws {
        guard let program = EnginePackages.clickHouse, let java = EnginePackages.java else {
            throw EngineProcess.Failure(description: EnginePackages.missingForClickHouse ?? "")
        }
        let machines = EngineMachine.list(machines, count: count)
        let folder = try EngineFolder()
        let ports = try EngineSockets.freePorts(1 + 3 * machines.count)
        self.folder = folder
        let zooKeeper = try Self.startZooKeeper(folder, java: java, port: ports[0], on: coordinator)
        self.zooKeeper = zooKeeper
        try await zooKeeper.waitUntilReady { EngineSockets.isListening(ports[0], on: coordinator.address) }
        let disk = try diskMegabytes.map { try EngineDisk(at: folder.folder("clickhouse-0/data"), megabytes: $0) }
        self.disk = disk
        var (servers, addresses, dataFolders): ([EngineProcess], [String], [String]) = ([], [], [])
        for (index, machine) in machines.enumerated() {
            let own = Array(ports[(1 + 3 * index)..<(4 + 3 * index)])
            let path = try folder.folder("clickhouse-\(index)")
            try folder.write(
                change(index, try EnginePackages.deployed("clickhouse.xml")), to: "clickhouse-\(index)/clickhouse.xml")
            try folder.write(
                try EnginePackages.deployed("clickhouse-users.xml"), to: "clickhouse-\(index)/clickhouse-users.xml")
            _ = try folder.folder("clickhouse-\(index)/conf.d")
            try folder.write(Self.forTests(merges: merges), to: "clickhouse-\(index)/conf.d/tests.xml")
            var environment = Self.environment(path, replica: index, host: machine.address, ports: own)
            for keeper in 1...3 { environment["KEEPER_\(keeper)"] = coordinator.address }
            environment["KEEPER_PORT"] = "\(ports[0])"
            environment["CLICKHOUSE_PASSWORD"] = password
            servers.append(
                try EngineProcess(
                    [program, "--config-file=clickhouse.xml"], in: path, environment: environment,
                    disk: index == 0 ? disk : nil, on: machine))
            addresses.append("http://\(machine.address):\(own[0])")
            dataFolders.append("\(path)/data")
            try await servers[index].waitUntilReady { EngineSockets.isListening(own[0], on: machine.address) }
        }
        (self.servers, self.addresses, self.dataFolders) = (servers, addresses, dataFolders)
    }

    /// Starts a ZooKeeper of one server.
    static func startZooKeeper(
        _ folder: EngineFolder, java: String, port: Int, on machine: EngineMachine
    ) throws -> EngineProcess {
        let path = try folder.folder("zookeeper")
        // One server is enough for tests, and a short tick lets it notice earlier that a replica is gone.
        let changed = ["dataDir", "tickTime", "clientPort", "server."]
        let kept = try EnginePackages.deployed("zoo.cfg").split(separator: "\n").filter { line in
            !changed.contains { line.hasPrefix($0) }
        }
        let own = [
            "dataDir=\(path)/data", "tickTime=500", "clientPort=\(port)", "clientPortAddress=\(machine.address)",
        ]
        try folder.write((kept.map(String.init) + own).joined(separator: "\n"), to: "zookeeper/zoo.cfg")
        try folder.write(
            """
            log4j.rootLogger=WARN, CONSOLE
            log4j.appender.CONSOLE=org.apache.log4j.ConsoleAppender
            log4j.appender.CONSOLE.layout=org.apache.log4j.PatternLayout
            """, to: "zookeeper/log4j.properties")
        let command = [
            java, "-Xmx128m", "-Dlog4j.configuration=file:log4j.properties", "-cp", "/usr/share/java/*",
            "org.apache.zookeeper.server.quorum.QuorumPeerMain", "zoo.cfg",
        ]
        return try EngineProcess(command, in: path, on: machine)
    }

    /// - Parameter ports: for HTTP, for the protocol of its own, and for the other replicas.
    private static func environment(
        _ path: String, replica: Int, host: String, ports: [Int]
    ) -> [String: String] {
        [
            "CLICKHOUSE_LISTEN": host, "CLICKHOUSE_HOST": host,
            "CLICKHOUSE_HTTP_PORT": "\(ports[0])", "CLICKHOUSE_TCP_PORT": "\(ports[1])",
            "CLICKHOUSE_REPLICATION_PORT": "\(ports[2])", "CLICKHOUSE_DATA": "\(path)/data/",
            "CLICKHOUSE_TEMPORARY": "\(path)/tmp/", "CLICKHOUSE_REPLICA": "replica\(replica)",
        ]
    }

    /// Further settings for tests: servers drop old parts within a second, and use little memory. A killed server does
    /// not start when ZooKeeper does not know more than half of its rows, as is likely in a new table. So that check is
    /// off.
    private static func forTests(merges: Bool) -> String {
        """
        <clickhouse>
        <mark_cache_size>67108864</mark_cache_size>
        <zookeeper><session_timeout_ms>4000</session_timeout_ms></zookeeper>
        <merge_tree>
        <cleanup_delay_period>1</cleanup_delay_period>
        <cleanup_delay_period_random_add>0</cleanup_delay_period_random_add>
        <replicated_max_ratio_of_wrong_parts>1</replicated_max_ratio_of_wrong_parts>
        \(merges ? "" : withoutMerges)
        </merge_tree>
        </clickhouse>
        """
    }

    private static let withoutMerges = """
        <max_replicated_merges_in_queue>0</max_replicated_merges_in_queue>
        <parts_to_delay_insert>100000</parts_to_delay_insert><parts_to_throw_insert>100000</parts_to_throw_insert>
        """
}
