import WorkspaceCluster
import WorkspaceCore
import WorkspaceServer

/// Names and times that the driver and its nodes share.
enum ClusterTestNames {
    static let log = "INGEST"
    static let places = "place"
    static let settings = "SETTINGS"
    static let health = "HEALTH"
    static let subject = "cluster_test.nodes"
    static let database = "cluster_test"
    static let bytes: Int64 = 1 << 30
    static let partitions = 4
    /// Milliseconds in which repeated events are recognised without the store. It is short, so that the store is asked
    /// about some of the repeated batches.
    static let window: Int64 = 60_000
    static let writeKey = "CLUSTER_TEST"
    /// The live plugin of the source writes it in front of the names of events.
    static let prefix = "Scripted"
    static let token = "token-of-the-test-of-a-cluster"

    static func node(_ index: Int) -> String { "node-\(index)" }

    static func store(_ hosts: [String], _ plant: PlantedFault?) throws -> ClickHouseSettings {
        var settings = try ClickHouseSettings(hosts: hosts, database: database)
        if plant == .fewKnownBlocks { settings.knownBlocks = 2 }
        return settings
    }
}
