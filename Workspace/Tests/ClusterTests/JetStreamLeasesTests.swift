import ClusterTestKit
import Testing
import TributaryJSON

@testable import ClusterNATS
@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The records of partitions in JetStream", JetStreams.isInstalled, .serialized) struct JetStreamLeasesTests {
    private let place = PartitionLease(
        owner: "me", epoch: 3, incarnation: "log", through: .max, next: .max,
        announced: .init(to: 9, storedAt: -1, next: 4))

    @Test("A record is read as it was written") func roundTrip() async throws {
        let connection = try await JetStreams.connection()
        defer { connection.close() }
        let places = try await JetStreamLeases(connection, bucket: JetStreams.name())
        #expect(try await places.place(of: 0) == nil)
        let revision = try #require(try await places.set(place, of: 0, ifRevision: 0))
        let found = try #require(try await places.place(of: 0))
        #expect(found.place == place)
        #expect(found.revision == revision)
        #expect(try await places.place(of: 1) == nil)
    }

    @Test("Members that a newer version added are passed over, and a record of a newer form is refused")
    func otherVersions() throws {
        var json = try #require(JetStreamLeases.json(place, mark: "m").objectValue)
        json["added"] = ["x"]
        json["form"] = 1
        #expect(try JetStreamLeases.place(.object(json)) == place)
        json["form"] = 3
        let newer = JSON.object(json)
        #expect(throws: LogError.newer("the record of a partition")) { try JetStreamLeases.place(newer) }
    }

    @Test("A range with scripts has a form of its own, which an older version refuses")
    func scripts() throws {
        var scripted = place
        scripted.announced = .init(to: 9, storedAt: -1, next: 4, made: MadeEvents(text: "0.1x2"))
        let json = JetStreamLeases.json(scripted, mark: "m")
        #expect(json["form"] == 2)
        #expect(try JetStreamLeases.place(json) == scripted)
        scripted.announced = .init(to: 9, storedAt: -1, next: 4, made: MadeEvents())
        #expect(try JetStreamLeases.place(JetStreamLeases.json(scripted, mark: "m")) == scripted)
        #expect(JetStreamLeases.json(place, mark: "m")["form"] == nil)
        var broken = try #require(json.objectValue)
        broken["made"] = "x"
        #expect(throws: LogError.self) { try JetStreamLeases.place(.object(broken)) }
    }

    @Test("Of two writers that change the same record one succeeds") func race() async throws {
        let connection = try await JetStreams.connection()
        defer { connection.close() }
        let places = try await JetStreamLeases(connection, bucket: JetStreams.name())
        var revision: UInt64 = 0
        for _ in 0..<10 {
            let won = try await withThrowingTaskGroup(of: UInt64?.self) { [revision, place] group in
                for _ in 0..<4 { group.addTask { try await places.set(place, of: 0, ifRevision: revision) } }
                return try await group.reduce(into: []) { won, one in won += [one].compactMap { $0 } }
            }
            #expect(won.count == 1)
            revision = try #require(won.first)
        }
        #expect(try await places.set(place, of: 0, ifRevision: revision - 1) == nil)
    }

    @Test("A change succeeds once while a server is killed") func killedServer() async throws {
        let engines = try await NATSEngines()
        let connection = try JetStreams.connection(to: engines)
        defer { connection.close() }
        let places = try await JetStreamLeases(connection, bucket: "places", patience: .seconds(60))
        var revision: UInt64 = 0
        for (index, server) in engines.servers.enumerated() {
            for step in 0..<10 {
                if step == 3 { server.kill() }
                var next = place
                next.through = UInt64(index * 10 + step)
                revision = try #require(try await places.set(next, of: 0, ifRevision: revision))
            }
            try server.start()
        }
        #expect(try await places.place(of: 0)?.place.through == 29)
    }
}
