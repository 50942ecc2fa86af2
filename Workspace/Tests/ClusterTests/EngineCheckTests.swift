import ClusterTestKit
import Foundation
import Logging
import Testing
import TributaryJSON

@testable import ClusterNATS
@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite(
    "Checks of real engines", JetStreams.isInstalled, Stores.isInstalled, .serialized, .timeLimit(.minutes(30)))
struct EngineCheckTests {
    private func logFindings(_ engines: NATSEngines, _ names: JetStreamQueries.Names) async throws -> [CheckFinding] {
        var facts = LogFacts()
        facts.servers = await LogGreeting.servers(engines.addresses)
        facts.monitors = await LogMonitoring.monitors(engines.monitoring)
        let connection = try NATSConnection(servers: engines.addresses, name: "test")
        defer { connection.close() }
        facts.streams = await JetStreamQueries.streams(connection, names, partitions: 16)
        return LogCheck.findings(facts)
    }

    private func notes(_ findings: [CheckFinding]) -> [String] {
        findings.filter { $0.verdict != .fine }.map { "\($0.place.prefix { $0 != " " }) \($0.setting) \($0.verdict)" }
    }

    @Test("Engines with the configuration of deploy are fine, before and after a node made its streams and its table")
    func deployed() async throws {
        let (nats, stores) = (try await JetStreams.engines, try await Stores.engines)
        let name = JetStreams.name()
        let names = JetStreamQueries.Names(
            log: name, places: name, settings: name + "_SETTINGS", health: name + "_HEALTH")
        let settings = try ClickHouseSettings(hosts: stores.addresses, database: name.lowercased())
        #expect(notes(try await logFindings(nats, names)) == [])
        #expect(notes(StoreCheck.findings(await StoreQueries.facts(settings), settings)) == [])
        let server = try await ClusterServer(name, nats: nats, stores: stores)
        let log = try await logFindings(nats, names)
        #expect(notes(log) == [])
        #expect(log.filter { $0.setting == "sync_interval" }.map(\.found) == ["always", "always", "always"])
        // Four partitions, the places, the settings, the health reports: the streams say how many partitions there are.
        #expect(log.contains { $0.place == "7 streams" && $0.setting == "settings of streams" })
        let store = StoreCheck.findings(await StoreQueries.facts(settings), settings)
        #expect(notes(store) == [])
        #expect(store.count { $0.setting == "replicated_deduplication_window" && $0.found == "10000" } == 3)
        #expect(store.count { $0.setting == "keeper" && $0.found == "reachable" } == 3)
        #expect(store.count { $0.setting == "replicas of the table" && $0.found == "3 of 3 active" } == 3)
        try await server.stop()
    }

    @Test("A server of NATS that does not sync, one that takes small messages, and one that is away are found")
    func wrongLog() async throws {
        let engines = try await NATSEngines { server, text in
            switch server {
            case 0: text.replacing("sync_interval: always", with: #"sync_interval: "2m""#)
            case 1: text.replacing("max_payload: 8MB", with: "max_payload: 1MB")
            default: text
            }
        }
        engines.servers[2].kill()
        let names = JetStreamQueries.Names(log: "A", places: "B", settings: "C", health: "D")
        let findings = try await logFindings(engines, names)
        let found = notes(findings)
        #expect(found.contains("node0 sync_interval wrong"))
        #expect(findings.contains { $0.setting == "sync_interval" && $0.found == "120 s" })
        #expect(found.contains("node1 max_payload wrong"))
        #expect(found.contains { $0.hasSuffix(" answers warning") })
        #expect(!found.contains { $0.hasPrefix("node1 sync_interval") })
    }

    @Test("A stream with other settings is wrong") func wrongStream() async throws {
        let name = JetStreams.name()
        let connection = try await JetStreams.connection()
        defer { connection.close() }
        var wanted = JetStreamLog.settings(name, 0, of: 1, replicas: 1, bytes: 1 << 20)
        wanted["max_age"] = 3_600_000_000_000
        try await JetStream.make(wanted, on: connection)
        let names = JetStreamQueries.Names(log: name, places: name, settings: name + "_S", health: name + "_H")
        let findings = try await logFindings(try await JetStreams.engines, names)
        #expect(
            notes(findings.filter { $0.verdict == .wrong }) == [
                "\(name)_0 num_replicas wrong", "\(name)_0 max_age wrong",
            ])
    }

    @Test(
        "A replica without ZooKeeper and a name, a table that forgets blocks early, and one that is away are found"
    )
    func wrongStore() async throws {
        let engines = try await ClickHouseEngines(replicas: 3) { replica, text in
            guard replica == 1 else { return text }
            let start = text.range(of: "<zookeeper>")?.lowerBound ?? text.startIndex
            let end = text.range(of: "</zookeeper>")?.upperBound ?? text.startIndex
            return text.replacingCharacters(in: start..<end, with: "").replacing(
                #"<macros><replica from_env="CLICKHOUSE_REPLICA"/></macros>"#, with: "")
        }
        engines.servers[2].kill()
        var settings = try ClickHouseSettings(hosts: [engines.addresses[0]], database: "checked", quorum: 1)
        settings.knownBlocks = 100
        _ = try await ClickHouseStorage(settings)
        settings = try ClickHouseSettings(hosts: engines.addresses, database: "checked")
        let findings = StoreCheck.findings(await StoreQueries.facts(settings), settings)
        let found = notes(findings)
        #expect(found.contains("\(engines.addresses[0]) replicated_deduplication_window wrong"))
        #expect(found.contains("\(engines.addresses[1]) macro replica wrong"))
        #expect(found.contains { $0.hasPrefix("\(engines.addresses[1]) keeper") })
        #expect(found.contains("\(engines.addresses[2]) answers warning"))
    }
}
