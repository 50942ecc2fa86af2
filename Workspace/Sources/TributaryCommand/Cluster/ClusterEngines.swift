import WorkspaceServer

#if TRIBUTARY_CLUSTER
import ClusterNATS
#endif
#if TRIBUTARY_KAFKA
import ClusterKafka
#endif

/// The engines of a cluster, as options name them.
struct ClusterEngines {
    /// The servers of NATS. They keep the records and the settings, and the log unless that is in Kafka.
    let log: [String]
    /// The log, when it is in Kafka.
    let kafka: KafkaAddress?
    let logMonitoring: [String]
    let store: ClickHouseSettings
    let partitions: Int

    static let defaultPartitions = 16

    static let notBuilt = WorkspaceError(
        .cluster,
        "this program was built for one machine; build it with TRIBUTARY_CLUSTER=1 and the library libnats to use a "
            + "cluster"
    )

    static let notBuiltForKafka = WorkspaceError(
        .cluster,
        "this program was built without Kafka; build it with TRIBUTARY_CLUSTER=1 TRIBUTARY_KAFKA=1 and the library librdkafka"
    )

    /// - Returns: nil when no engine is named.
    /// - Throws: `Failure` when only one of both engines is named, `WorkspaceError` when an address is none.
    init?(_ values: ServeValues) throws {
        let partitions = try values.number("partitions", in: 1...ClusterOptions.mostPartitions)
        let monitoring = values.text("log-monitoring")
        let control = values.text("control")
        switch (values.text("log"), values.text("store")) {
        case (nil, nil):
            guard partitions == nil else { throw Failure("--partitions needs --log and --store") }
            guard monitoring == nil else { throw Failure("--log-monitoring needs --log and --store") }
            guard control == nil else { throw Failure("--control needs --log and --store") }
            return nil
        case (let log?, let store?):
            kafka = try ClusterAddresses.kafka(log)
            self.log = try kafka == nil ? ClusterAddresses.log(log) : Self.control(control)
            guard kafka != nil || control == nil else {
                throw Failure("--control is for a log in Kafka; with NATS, the servers of --log keep all of it")
            }
            self.store = try ClusterAddresses.store(store)
            self.logMonitoring = try monitoring.map(ClusterAddresses.monitoring) ?? []
            self.partitions = partitions ?? Self.defaultPartitions
        case (nil, .some): throw Failure("--store needs --log: a cluster has both")
        case (.some, nil): throw Failure("--log needs --store: a cluster has both")
        }
    }

    private static func control(_ control: String?) throws -> [String] {
        guard let control else {
            throw Failure("a log in Kafka needs --control: servers of NATS that keep the records and the settings")
        }
        return try ClusterAddresses.control(control)
    }

    #if TRIBUTARY_CLUSTER
    /// Looks at all engines, without changing anything.
    /// - Parameter connection: one to the servers of NATS; nil when it cannot be had.
    /// - Throws: `WorkspaceError` when the log is in Kafka and the program was built without it.
    func check(_ connection: NATSConnection?) async throws -> EngineCheck {
        async let servers = LogGreeting.servers(log)
        async let monitors = LogMonitoring.monitors(logMonitoring)
        async let store = StoreLook.facts(store)
        async let topic = topicFindings()
        var facts = LogFacts()
        if let connection {
            facts.streams = await JetStreamLook.streams(connection, .usual, partitions: kafka == nil ? partitions : nil)
        }
        (facts.servers, facts.monitors) = await (servers, monitors)
        return EngineCheck(try await topic + LogCheck.findings(facts) + StoreCheck.findings(await store, self.store))
    }

    private func topicFindings() async throws -> [CheckFinding] {
        guard let kafka else { return [] }
        #if TRIBUTARY_KAFKA
        return await KafkaLook.findings(kafka, partitions: partitions)
        #else
        throw Self.notBuiltForKafka
        #endif
    }

    /// Opens the log, and makes what is missing.
    /// - Throws: `LogError`, `WorkspaceError` when the program was built without Kafka.
    func openLog(_ connection: NATSConnection) async throws -> any EventLog {
        guard let kafka else {
            return try await JetStreamLog(connection, name: JetStreamLook.Names.usual.log, partitions: partitions)
        }
        #if TRIBUTARY_KAFKA
        return try await KafkaLog.open(kafka, partitions: partitions)
        #else
        throw Self.notBuiltForKafka
        #endif
    }
    #endif
}
