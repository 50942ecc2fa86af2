import ClusterTestKit
import Foundation
import Testing
import TributaryJSON

@testable import ClusterKafka
@testable import ClusterNATS
@testable import WorkspaceServer

/// The log is in brokers without disks, in the process; the records, the settings and the events are in real servers.
@Suite(
    "Servers of a cluster with the log in Kafka", JetStreams.isInstalled, Stores.isInstalled, .serialized,
    .timeLimit(.minutes(5)))
struct KafkaNodeTests {
    private let brokers: MockBrokers

    init() throws { brokers = try MockBrokers(partitions: 4) }

    private func servers(_ count: Int) async throws -> [ClusterServer] {
        try await ClusterServer.start(count) { name in
            try await ClusterServer(
                name, nats: try await JetStreams.engines, stores: try await Stores.engines,
                log: try brokers.log(patience: .seconds(5), readPatience: .milliseconds(1_500)))
        }
    }

    private func events(_ step: Int) -> [JSON] {
        (0..<10).map { device in
            [
                "type": "track", "event": "Step", "messageId": .string("m-\(device)-\(step)"),
                "anonymousId": .string("d\(device)"),
            ]
        }
    }

    private func ids(_ server: ClusterServer) async throws -> [String] {
        try await server.get("/api/events?limit=1000")["events"]?.elements?.compactMap { $0["messageId"]?.stringValue }
            ?? []
    }

    /// What every server has to show after so many steps: each event once, those of a device in order.
    private func expect(_ steps: Int, from server: ClusterServer) async throws {
        let found = try await ids(server)
        #expect(found.count == steps * 10)
        for device in 0..<10 {
            #expect(
                found.filter { $0.hasPrefix("m-\(device)-") } == (0..<steps).reversed().map { "m-\(device)-\($0)" })
        }
    }

    @Test("What is acknowledged is stored once, in the order of each device, and another server goes on when one ends")
    func handover() async throws {
        let servers = try await servers(2)
        for step in 0..<5 {
            #expect(try await servers[step % 2].send(events(step)) == 200)
            // The client did not get the answer and sends again, to another server.
            #expect(try await servers[(step + 1) % 2].send(events(step)) == 200)
        }
        for server in servers { try await expect(5, from: server) }
        try await servers[0].stop()
        #expect(try await servers[1].send(events(5)) == 200)
        try await expect(6, from: servers[1])
        try await servers[1].stop()
    }

    @Test("While the brokers are away requests get 503, and nothing is lost or doubled afterwards") func brokersAway()
        async throws
    {
        let servers = try await servers(1)
        #expect(try await servers[0].send(events(0)) == 200)
        brokers.stop()
        #expect(try await servers[0].send(events(1)) == 503)
        brokers.start()
        while try await servers[0].send(events(1)) != 200 {}
        #expect(try await servers[0].send(events(2)) == 200)
        try await expect(3, from: servers[0])
        try await servers[0].stop()
    }
}
