import Foundation

/// Replicas of a column store with their ZooKeeper.
public final class ClickHouseEngines: Sendable {
    /// The HTTP addresses of the replicas.
    public let addresses: [String]
    /// The replicas.
    public let servers: [EngineProcess]
    /// What coordinates them.
    public let zooKeeper: EngineProcess
    /// The folder with the data of each replica.
    public let dataFolders: [String]
    private let folder: EngineFolder

    /// Starts the servers, and waits until they answer.
    /// - Parameters:
    ///   - count: how many replicas.
    ///   - merges: false leaves the parts of tables as they were inserted.
    /// - Throws: `EngineProcess.Failure`, also when a package is missing.
    public init(replicas count: Int = 3, merges: Bool = true) async throws {
        guard let program = EnginePackages.clickHouse, let java = EnginePackages.java else {
            throw EngineProcess.Failure(description: EnginePackages.missingForClickHouse ?? "")
        }
        let folder = try EngineFolder()
        let ports = try EngineSockets.freePorts(1 + 3 * count)
        self.folder = folder
        let zooKeeper = try Self.startZooKeeper(folder, java: java, port: ports[0])
        self.zooKeeper = zooKeeper
        try await zooKeeper.waitUntilReady { EngineSockets.isListening(ports[0]) }
        var (servers, addresses, dataFolders): ([EngineProcess], [String], [String]) = ([], [], [])
        for index in 0..<count {
            let own = Array(ports[(1 + 3 * index)..<(4 + 3 * index)])
            let path = try folder.folder("clickhouse-\(index)")
            try folder.write(
                Self.configuration(path, replica: index, ports: own, zooKeeper: ports[0], merges: merges),
                to: "clickhouse-\(index)/config.xml")
            try folder.write(Self.users, to: "clickhouse-\(index)/users.xml")
            servers.append(try EngineProcess([program, "--config-file=config.xml"], in: path))
            addresses.append("http://127.0.0.1:\(own[0])")
            dataFolders.append("\(path)/data")
            try await servers[index].waitUntilReady { EngineSockets.isListening(own[0]) }
        }
        (self.servers, self.addresses, self.dataFolders) = (servers, addresses, dataFolders)
    }

    private static func startZooKeeper(_ folder: EngineFolder, java: String, port: Int) throws -> EngineProcess {
        let path = try folder.folder("zookeeper")
        try folder.write(
            """
            dataDir=\(path)/data
            clientPort=\(port)
            clientPortAddress=127.0.0.1
            admin.enableServer=false
            tickTime=500
            maxClientCnxns=0
            """, to: "zookeeper/zoo.cfg")
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
        return try EngineProcess(command, in: path)
    }

    /// Servers forget what they may forget within a second, so that a test sees it.
    /// - Parameter ports: for HTTP, for the protocol of its own, and for the other replicas.
    private static func configuration(
        _ path: String, replica: Int, ports: [Int], zooKeeper: Int, merges: Bool
    ) -> String {
        """
        <yandex>
        <logger><level>warning</level><console>1</console></logger>
        <http_port>\(ports[0])</http_port><tcp_port>\(ports[1])</tcp_port>
        <interserver_http_port>\(ports[2])</interserver_http_port>
        <interserver_http_host>127.0.0.1</interserver_http_host>
        <listen_host>127.0.0.1</listen_host>
        <path>\(path)/data/</path><tmp_path>\(path)/tmp/</tmp_path>
        <users_config>users.xml</users_config>
        <default_profile>default</default_profile><default_database>default</default_database>
        <mark_cache_size>67108864</mark_cache_size>
        <zookeeper>
        <node><host>127.0.0.1</host><port>\(zooKeeper)</port></node><session_timeout_ms>4000</session_timeout_ms>
        </zookeeper>
        <macros><replica>replica\(replica)</replica></macros>
        <merge_tree>
        <cleanup_delay_period>1</cleanup_delay_period>
        <cleanup_delay_period_random_add>0</cleanup_delay_period_random_add>
        \(merges ? "" : withoutMerges)
        </merge_tree>
        </yandex>
        """
    }

    private static let withoutMerges = """
        <max_replicated_merges_in_queue>0</max_replicated_merges_in_queue>
        <parts_to_delay_insert>100000</parts_to_delay_insert><parts_to_throw_insert>100000</parts_to_throw_insert>
        """

    private static let users = """
        <yandex>
        <profiles><default/></profiles>
        <users><default>
        <password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota>
        </default></users>
        <quotas><default/></quotas>
        </yandex>
        """
}
