import WorkspaceCluster
import WorkspaceCore
import WorkspaceServer

#if TRIBUTARY_CLUSTER
import ClusterNATS
#endif

/// The engines of a cluster, as options name them.
struct ClusterEngines {
    /// The servers of NATS. They keep the log, the records and the settings.
    let log: [String]
    let logMonitoring: [String]
    let store: ClickHouseSettings
    let partitions: Int

    static let defaultPartitions = 16

    static let notBuilt = WorkspaceError(
        .cluster,
        "this program was built for one machine; build it with TRIBUTARY_CLUSTER=1 and the library libnats to use a "
            + "cluster"
    )

    /// - Returns: nil when no engine is named.
    /// - Throws: `Failure` when only one of both engines is named, `WorkspaceError` when an address is none.
    init?(_ values: ServeValues) throws {
        let partitions = try values.number("partitions", in: 1...ClusterOptions.mostPartitions)
        let monitoring = values.text("log-monitoring")
        switch (values.text("log"), values.text("store")) {
        case (nil, nil):
            guard partitions == nil else { throw Failure("--partitions needs --log and --store") }
            guard monitoring == nil else { throw Failure("--log-monitoring needs --log and --store") }
            return nil
        case (let log?, let store?):
            self.log = try ClusterAddresses.log(log)
            self.store = try ClusterAddresses.store(store)
            self.logMonitoring = try monitoring.map(ClusterAddresses.monitoring) ?? []
            self.partitions = partitions ?? Self.defaultPartitions
        case (nil, .some): throw Failure("--store needs --log: a cluster has both")
        case (.some, nil): throw Failure("--log needs --store: a cluster has both")
        }
    }

    #if TRIBUTARY_CLUSTER
    /// Looks at all engines, without changing anything.
    /// - Parameter connection: one to the servers of NATS; nil when it cannot be had.
    func check(_ connection: NATSConnection?) async -> EngineCheck {
        async let servers = LogGreeting.servers(log)
        async let monitors = LogMonitoring.monitors(logMonitoring)
        async let store = StoreQueries.facts(store)
        var facts = LogFacts()
        if let connection {
            facts.streams = await JetStreamQueries.streams(connection, .usual, partitions: partitions)
        }
        (facts.servers, facts.monitors) = await (servers, monitors)
        return EngineCheck(LogCheck.findings(facts) + StoreCheck.findings(await store, self.store))
    }

    /// Opens the log, and makes its missing parts.
    /// - Throws: `LogError`.
    func openLog(_ connection: NATSConnection) async throws -> any EventLog {
        try await JetStreamLog(connection, name: JetStreamQueries.Names.usual.log, partitions: partitions)
    }
    #endif
}
