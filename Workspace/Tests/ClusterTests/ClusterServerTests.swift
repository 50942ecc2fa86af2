import ClusterTestKit
import Foundation
import Testing
import TributaryJSON

@testable import ClusterNATS
@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Servers of a cluster", JetStreams.isInstalled, Stores.isInstalled, .serialized, .timeLimit(.minutes(30)))
struct ClusterServerTests {
    private func servers(_ count: Int, files: String? = nil) async throws -> [ClusterServer] {
        try await ClusterServer.start(count) { name in
            try await ClusterServer(
                name, nats: try await JetStreams.engines, stores: try await Stores.engines, files: files)
        }
    }

    private func event(_ id: Int, of device: Int) -> JSON {
        [
            "type": "track", "event": "Step", "messageId": .string("m-\(device)-\(id)"),
            "anonymousId": .string("d\(device)"),
        ]
    }

    private func ids(_ list: JSON) -> [String] {
        list["events"]?.elements?.compactMap { $0["messageId"]?.stringValue } ?? []
    }

    @Test("Events that one server acknowledges are in the next list of another one, once and in each device's order")
    func readYourWrites() async throws {
        let servers = try await servers(2)
        for step in 0..<5 {
            let events = (0..<10).map { event(step, of: $0) }
            #expect(try await servers[step % 2].send(events) == 200)
            // The client did not get the answer and sends again, to another server.
            #expect(try await servers[(step + 1) % 2].send(events) == 200)
        }
        for server in servers {
            let found = ids(try await server.get("/api/events?limit=200"))
            #expect(found.count == 50)
            #expect(Set(found).count == 50)
            for device in 0..<10 {
                #expect(found.filter { $0.hasPrefix("m-\(device)-") } == (0..<5).reversed().map { "m-\(device)-\($0)" })
            }
        }
        #expect(try await servers[0].get("/api/events/m-3-4")["messageId"]?.stringValue == "m-3-4")
        #expect(try await servers[1].get("/api/stats?writeKey=WK")["stored"]?.intValue == 50)
        for server in servers { try await server.stop() }
    }

    @Test("Pages that go forward by a cursor miss nothing that comes meanwhile") func cursors() async throws {
        let servers = try await servers(2)
        async let sending: Void = {
            for step in 0..<40 { try await servers[step % 2].send((0..<5).map { event(step, of: $0) }) }
        }()
        var found: [String] = []
        var after = 0
        while found.count < 200 {
            let page = try await servers[0].get("/api/events?after=\(after)&limit=30")
            found += ids(page)
            after = page["events"]?.elements?.last?["sequence"]?.intValue ?? after
        }
        try await sending
        #expect(Set(found).count == 200)
        for device in 0..<5 {
            #expect(found.filter { $0.hasPrefix("m-\(device)-") } == (0..<40).map { "m-\(device)-\($0)" })
        }
        for server in servers { try await server.stop() }
    }

    @Test("Another server goes on at once when one ends, and an event is waited for there") func handover() async throws
    {
        let servers = try await servers(2)
        try await servers[0].send([event(0, of: 1)])
        #expect(ids(try await servers[1].get("/api/events")) == ["m-1-0"])
        try await servers[0].stop()
        #expect(try await servers[1].send([event(1, of: 1)]) == 200)
        let waited = try await servers[1].ask("GET", "/api/wait-for-event?writeKey=WK&count=2&timeout=30")
        #expect(waited.status == 200)
        #expect(ids(waited.body) == ["m-1-0", "m-1-1"])
        try await servers[1].stop()
    }

    @Test("An erased user is gone from the lists of every server and from the log") func erasure() async throws {
        let servers = try await servers(2)
        var events = (0..<3).map { event($0, of: 1) }
        for index in events.indices {
            guard case .object(var object) = events[index] else { continue }
            object["userId"] = "erased user"
            events[index] = .object(object)
        }
        try await servers[0].send(events + [event(0, of: 2)])
        #expect(try await servers[0].standing().contains { $0.last > 0 })
        // 202 says that the erasure goes on.
        while try await servers[1].ask("DELETE", "/api/users/erased%20user").status == 202 {}
        #expect(ids(try await servers[0].get("/api/events")) == ["m-2-0"])
        for standing in try await servers[0].standing() { #expect(standing.first == standing.last + 1) }
        for server in servers { try await server.stop() }
    }

    @Test("Servers share the partitions evenly, and each says so of all") func sharing() async throws {
        let servers = try await servers(2)
        // While a partition goes from one to the other, nobody owns it, and the servers say so.
        var cluster: JSON = [:]
        var counts: [Int] = []
        while counts != [2, 2] || cluster["problems"] != [] {
            try await Task.sleep(for: .milliseconds(50))
            cluster = try await servers[1].get("/api/cluster")
            counts = cluster["nodes"]?.elements?.compactMap { $0["partitions"]?.intValue } ?? []
        }
        #expect(cluster["nodes"]?.elements?.count { $0["isCoordinator"]?.boolValue == true } == 1)
        #expect(cluster["partitions"]?.elements?.count == 4)
        #expect(cluster["nodes"]?.elements?.allSatisfy { $0["isOutdated"] == false } == true)
        #expect(cluster["settings"]?["usesNewKey"] == true)
        #expect(cluster["settings"]?["needsOldKey"] == false)
        var coordinators = 0
        for server in servers {
            let lines = try await server.text("/metrics").split(separator: "\n")
            #expect(lines.contains("tributary_cluster_owned_partitions 2"))
            #expect(lines.contains("tributary_cluster_partitions_without_owner 0"))
            #expect(lines.contains("tributary_cluster_settings_following 1"))
            #expect(lines.contains("tributary_cluster_settings_outdated 0"))
            #expect(lines.contains("tributary_cluster_alarms_total 0"))
            #expect(lines.contains { $0.hasPrefix("tributary_cluster_repeated_total ") })
            #expect(lines.count { $0.hasPrefix("tributary_cluster_waiting_records{partition=") } == 4)
            #expect(lines.contains { $0.hasPrefix("tributary_cluster_complete_seconds ") })
            if lines.contains("tributary_cluster_coordinator 1") { coordinators += 1 }
        }
        #expect(coordinators == 1)
        #expect(try await servers[0].send((0..<20).map { event(0, of: $0) }) == 200)
        #expect(ids(try await servers[1].get("/api/events")).count == 20)
        for server in servers { try await server.stop() }
    }

    @Test("A setting of one server holds on the others: sources, and the audit log of simultaneous changes")
    func settings() async throws {
        let servers = try await servers(2)
        #expect(
            try await servers[0].ask("POST", "/api/sources", ["writeKey": "NEW", "name": "made on the first"]).status
                == 201)
        let batch: JSON = ["writeKey": "NEW", "batch": [event(0, of: 1)]]
        let end = ContinuousClock.now + .seconds(5)
        while try await servers[1].ask("POST", "/v1/b", batch).status != 200, ContinuousClock.now < end {}
        let found = try await servers[0].get("/api/events?writeKey=NEW")["events"]?.elements ?? []
        #expect(found.map { $0["writeKey"]?.stringValue } == ["NEW"])
        // Both change settings at once; each change is there once, and in the audit log.
        try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<10 {
                group.addTask {
                    try await servers[index % 2].ask("POST", "/api/sources", ["writeKey": .string("S\(index)")]).status
                }
            }
            for try await status in group { #expect(status == 201) }
        }
        for server in servers {
            while try await server.get("/api/sources")["sources"]?.elements?.count != 12 {}
            let entries = try await server.get("/api/audit")["entries"]?.elements ?? []
            let made = entries.compactMap { entry in
                entry["action"]?.stringValue == "source made" ? entry["writeKey"]?.stringValue : nil
            }
            #expect(Set(made).isSuperset(of: (0..<10).map { "S\($0)" }))
            #expect(Set(made).count == made.count)
            #expect(try await server.get("/api/cluster")["settings"]?["state"]?.stringValue == "following")
        }
        for server in servers { try await server.stop() }
    }

    @Test("A daily quota holds over all servers, also over one that starts later") func quota() async throws {
        let name = JetStreams.name()
        func server() async throws -> ClusterServer {
            try await ClusterServer(name, nats: try await JetStreams.engines, stores: try await Stores.engines)
        }
        let (first, second) = (try await server(), try await server())
        #expect(
            try await first.ask("PUT", "/api/sources/WK/policy", ["quota": ["eventsPerDay": 10]]).status == 200)
        #expect(try await first.send((0..<10).map { event($0, of: 1) }) == 200)
        #expect(try await first.send([event(10, of: 1)]) == 429)
        // The second one hears of the policy and of the events within some seconds.
        let end = ContinuousClock.now + .seconds(20)
        var step = 11
        while try await second.send([event(step, of: 1)]) != 429, ContinuousClock.now < end { step += 1 }
        #expect(try await second.send([event(0, of: 2)]) == 429)
        // What is stored counts for a server that starts now.
        _ = try await first.get("/api/events")
        let third = try await server()
        #expect(try await third.send([event(0, of: 2)]) == 429)
        for server in [first, second, third] { try await server.stop() }
    }

    @Test(
        "Each server shows the health reports of all, and a roll-out moves on by those that other servers received")
    func health() async throws {
        let name = JetStreams.name()
        func server() async throws -> ClusterServer {
            try await ClusterServer(
                name, nats: try await JetStreams.engines, stores: try await Stores.engines,
                rolloutPause: .milliseconds(100))
        }
        let (first, second) = (try await server(), try await server())
        let path = "/api/sources/WK/live-plugins"
        #expect(try await first.ask("PUT", path, "first").status == 200)
        let plan = "?stages=10,50,100&holdSeconds=0&minimumDevices=20&minimumEvents=500"
        #expect(try await first.ask("PUT", path + plan, "second").status == 200)
        func stage(_ percentage: Int, on server: ClusterServer) async throws {
            while try await server.get(path + "/rollout")["rollout"]?["percentage"]?.intValue != percentage {}
        }
        try await stage(10, on: second)
        // Reports are named by the versions that apps can have, and the second server tells them to apps a moment later.
        while try await second.get("/v1/projects/WK/settings")["edgeFunction"]?["staged"] == nil {}
        // The first server has owned the first partition from the beginning, and coordinates.
        try await report(20, 1, to: second)
        try await stage(50, on: first)
        let third = try await server()
        // A repeated report counts nowhere again.
        try await report(1, 1, to: third)
        let sums = try await first.get("/api/live-plugins/health?writeKey=WK")
        #expect(sums["delivery"]?["reports"] == 40)
        #expect(sums["versions"]?[0]?["events"] == 2_000)
        #expect(sums["cover"]?["isCurrent"] == true)
        for server in [second, third] {
            try await stage(50, on: server)
            let other = try await server.get("/api/live-plugins/health?writeKey=WK")
            for member in ["versions", "delivery"] { #expect(other[member] == sums[member]) }
            #expect(try await server.text("/metrics").contains("\ntributary_cluster_health_following 1\n"))
        }
        try await first.stop()
        try await report(20, 2, to: third)
        try await stage(100, on: second)
        for server in [second, third] {
            #expect(try await server.get("/api/live-plugins/health?writeKey=WK")["delivery"]?["reports"] == 80)
            try await server.stop()
        }
    }

    /// Devices of the second version report, and as many of the first one.
    private func report(_ count: Int, _ number: Int, to server: ClusterServer) async throws {
        for device in 0..<count {
            for version in ["1", "2"] {
                let report: JSON = [
                    "writeKey": "WK", "instanceId": .string("\(version)-\(device)"), "number": .number(number),
                    "versions": [["version": .string(version), "events": 100, "microseconds": 30_000]],
                ]
                #expect(try await server.ask("POST", "/v1/health-reports", report).status == 200)
            }
        }
    }

    @Test("Servers share the destinations, and each gets every event, also after its server has ended")
    func forwarding() async throws {
        let folder = try EngineFolder()
        let servers = try await servers(2, files: folder.path)
        let names = (0..<4).map { "Archive\($0)" }
        for name in names {
            let path = "/api/sources/WK/destinations/\(name)"
            let body: JSON = ["kind": "files", "settings": [:], "from": "start"]
            #expect(try await servers[1].ask("PUT", path, body).status == 201)
        }
        while try await servers[0].get("/api/cluster")["nodes"]?.elements?.map({ $0["partitions"] }) != [2, 2] {
            try await Task.sleep(for: .milliseconds(50))
        }
        for step in 0..<10 { try await servers[step % 2].send((0..<5).map { event(step, of: $0) }) }
        while try !names.allSatisfy({ try delivered(to: $0, in: folder).count == 50 }) {
            try await Task.sleep(for: .milliseconds(50))
        }
        for server in servers {
            while try await forwardedTo(by: server).count < 2 { try await Task.sleep(for: .milliseconds(50)) }
            #expect(try await forwardedTo(by: server).count == 2)
        }
        try await servers[0].stop()
        for step in 10..<15 { try await servers[1].send((0..<5).map { event(step, of: $0) }) }
        while try !names.allSatisfy({ try delivered(to: $0, in: folder).count == 75 }) {
            try await Task.sleep(for: .milliseconds(50))
        }
        try await servers[1].stop()
    }

    @Test("Each server says that a destination waits, and why, also when another one would send to it") func waiting()
        async throws
    {
        let servers = try await servers(2)
        // Nothing listens there.
        _ = try await servers[0].ask(
            "PUT", "/api/sources/WK/destinations/away",
            ["kind": "webhook", "settings": ["url": "http://127.0.0.1:9"]])
        try await servers[0].send([event(0, of: 1)])
        for server in servers {
            var found: JSON = [:]
            while found["state"] != "waiting" {
                try await Task.sleep(for: .milliseconds(50))
                found = try await server.get("/api/sources/WK/destinations/away")
            }
            #expect(found["reason"]?.stringValue?.isEmpty == false)
            #expect(found["retryAt"]?.stringValue != nil)
        }
        for server in servers { try await server.stop() }
    }

    /// The message ids in the files of a destination.
    private func delivered(to destination: String, in folder: EngineFolder) throws -> Set<String> {
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        let lines = try files.filter { $0.hasSuffix(".ndjson") && $0.contains("/\(destination)/") }
            .flatMap { try String(contentsOfFile: "\(folder.path)/\($0)", encoding: .utf8).split(separator: "\n") }
        return Set(try lines.compactMap { try JSON.parse(String($0))["messageId"]?.stringValue })
    }

    /// The destinations that a server has forwarded events to.
    private func forwardedTo(by server: ClusterServer) async throws -> Set<Substring> {
        let lines = try await server.text("/metrics").split(separator: "\n")
        return Set(
            lines.filter { $0.hasPrefix("tributary_forwarded") && $0.contains("delivered") }
                .compactMap { line in line.split(separator: "\"").first { $0.hasPrefix("Archive") } })
    }

    @Test(
        "A cluster that is founded with the data of one machine has its events, and knows what clients repeat"
    )
    func moved() async throws {
        let (nats, stores) = (try await JetStreams.engines, try await Stores.engines)
        let (folder, name) = (try EngineFolder(), JetStreams.name())
        let events = (0..<5).flatMap { step in (0..<4).map { event(step, of: $0) } }
        let single = try await SingleServer(data: folder.path + "/single")
        #expect(try await single.send(events) == 200)
        #expect(ids(try await single.get("/api/events")).count == 20)
        try await single.stop()
        let settings = try ClickHouseSettings(hosts: stores.addresses, database: name.lowercased())
        let summary = try await ClusterImport.run(
            from: folder.path + "/single", to: settings, partitions: 4, founder: folder.path + "/founder")
        #expect(summary.counts.events == 20)
        let first = try await ClusterServer(name, nats: nats, stores: stores, data: folder.path + "/founder")
        let second = try await ClusterServer(name, nats: nats, stores: stores)
        for server in [first, second] {
            let found = ids(try await server.get("/api/events?limit=200"))
            #expect(found == events.reversed().compactMap { $0["messageId"]?.stringValue })
            #expect(try await server.get("/api/sources")["sources"]?.elements?.count == 1)
        }
        // A client that did not get the answer of the single machine sends again, and something new.
        #expect(try await second.send(events.suffix(4) + [event(9, of: 1)]) == 200)
        #expect(ids(try await first.get("/api/events?limit=200")).count == 21)
        #expect(ids(try await first.get("/api/events?limit=1")) == ["m-1-9"])
        // Rows that a server would merge count as doubled.
        let storage = try await ClickHouseStorage(settings)
        var answer = try await storage.client.read(ClickHouseQuery("SELECT count() FROM \(storage.table)"))
        #expect(try answer.number(UInt64.self) == 21)
        for server in [first, second] { try await server.stop() }
    }

    @Test("A server says at its start which setting of an engine is wrong") func otherPartitions() async throws {
        let name = JetStreams.name()
        let connection = try await JetStreams.connection()
        defer { connection.close() }
        _ = try await JetStreamLog(connection, name: name, partitions: 2, bytes: 1 << 20)
        await #expect {
            _ = try await JetStreamLog(connection, name: name, partitions: 3, bytes: 1 << 20)
        } throws: { "\($0)".contains("partition 0 of 2") }
    }
}
