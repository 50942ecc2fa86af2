import Testing
import TributaryJSON

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Checks of the log of a cluster") struct LogCheckTests {
    private func facts() -> LogFacts {
        var facts = LogFacts()
        for name in ["one", "two", "three"] {
            var server = LogFacts.Server("\(name):4222")
            (server.id, server.name, server.version, server.cluster) = ("id-\(name)", name, "2.15.1", "tributary")
            (server.mostBytes, server.keepsStreams) = (8 << 20, true)
            server.group = ["one:4222", "two:4222", "three:4222"]
            facts.servers.append(server)
            var monitor = LogFacts.Monitor("http://\(name):8222")
            (monitor.id, monitor.name, monitor.keepsStreams, monitor.isAlwaysSynced) = ("id-\(name)", name, true, true)
            monitor.syncInterval = 120_000_000_000
            facts.monitors.append(monitor)
        }
        for name in ["TRIBUTARY_0", "TRIBUTARY_1"] {
            var stream = LogFacts.Stream(
                name, wanted: ["name": .string(name), "storage": "file", "num_replicas": 3, "max_bytes": 1_024])
            stream.found = [
                "name": .string(name), "storage": "file", "num_replicas": 3, "max_bytes": 4_096, "max_age": 0,
                "max_msgs": -1, "max_msg_size": -1, "sealed": false,
            ]
            facts.streams.append(stream)
        }
        return facts
    }

    /// What is not fine, as `setting verdict`.
    private func notes(_ facts: LogFacts) -> [String] {
        let findings = LogCheck.findings(facts).filter { $0.verdict != .fine }
        for finding in findings { #expect(!finding.advice.isEmpty) }
        return findings.map { "\($0.setting) \($0.verdict)" }
    }

    @Test("Three servers that sync each record, and streams with replicas on disk, are fine") func fine() {
        #expect(notes(facts()) == [])
        #expect(LogCheck.findings(facts()).contains { $0.setting == "sync_interval" && $0.found == "always" })
    }

    @Test("A server that does not sync each record is wrong, and one that says nothing about it is unseen")
    func syncing() {
        var changed = facts()
        changed.monitors[1].isAlwaysSynced = false
        #expect(notes(changed) == ["sync_interval wrong"])
        changed.monitors[1].syncInterval = nil
        #expect(notes(changed) == ["sync_interval unseen"])
        changed.monitors[1].failure = "the server does not answer"
        // The server itself answers its clients, and nobody says how it syncs.
        #expect(notes(changed) == ["sync_interval unseen", "sync_interval unseen"])
        changed.monitors = []
        #expect(notes(changed) == Array(repeating: "sync_interval unseen", count: 3))
    }

    @Test("A version without sync_interval, a small max_payload and a server without streams are wrong")
    func servers() {
        var changed = facts()
        changed.servers[0].version = "2.9.10"
        changed.servers[1].mostBytes = 1 << 20
        changed.servers[2].keepsStreams = false
        #expect(notes(changed) == ["version wrong", "max_payload wrong", "jetstream wrong"])
    }

    @Test("A server that is away is a warning, and too few servers are wrong") func count() {
        var changed = facts()
        changed.servers[2].failure = "no"
        changed.monitors[2].failure = "the server does not answer"
        #expect(notes(changed) == ["answers warning", "sync_interval unseen"])
        changed = facts()
        changed.servers.removeLast()
        #expect(notes(changed) == ["servers warning"])
        for index in changed.servers.indices { changed.servers[index].group = ["one:4222", "two:4222"] }
        #expect(notes(changed) == ["servers wrong"])
    }

    @Test("One server under three addresses is one server") func sameServer() {
        var changed = facts()
        for index in changed.servers.indices {
            changed.servers[index].id = "id-one"
            changed.servers[index].group = []
        }
        #expect(notes(changed) == ["servers wrong"])
    }

    @Test("Servers of two clusters, or of none, are wrong") func groups() {
        var changed = facts()
        changed.servers[0].cluster = "other"
        #expect(notes(changed) == ["cluster wrong"])
        for index in changed.servers.indices { changed.servers[index].cluster = "" }
        #expect(notes(changed) == ["cluster wrong"])
    }

    @Test(
        "A stream with a setting that loses records is wrong, and the finding names it",
        arguments: [
            ("storage", "memory"), ("num_replicas", 1), ("max_age", 60), ("max_msgs", 5), ("max_msg_size", 100),
            ("sealed", true), ("no_ack", true), ("mirror", ["name": "other"]), ("sources", [["name": "other"]]),
            ("persist_mode", "async"),
        ] as [(String, JSON)])
    func streams(_ name: String, _ value: JSON) {
        var changed = facts()
        guard case .object(var object) = changed.streams[1].found else { return }
        object[name] = value
        changed.streams[1].found = .object(object)
        #expect(notes(changed) == ["\(name) wrong"])
        #expect(LogCheck.findings(changed).filter { $0.verdict == .wrong }.map(\.place) == ["TRIBUTARY_1"])
    }

    @Test("A stream that has to drop old records is wrong when it keeps all, or refuses new ones") func droppingStream()
    {
        var changed = facts()
        var stream = LogFacts.Stream(
            "TRIBUTARY_HEALTH_0", wanted: ["storage": "file", "discard": "old", "max_age": 2_592_000_000_000_000])
        stream.found = ["storage": "file", "discard": "old", "max_age": 2_592_000_000_000_000]
        changed.streams.append(stream)
        #expect(notes(changed) == [])
        changed.streams[2].found = ["storage": "file", "discard": "new", "max_age": 0]
        #expect(notes(changed) == ["discard wrong", "max_age wrong"])
    }

    @Test("Streams are fine before the first node makes them, and a single missing stream is a warning") func missing()
    {
        var changed = facts()
        changed.streams[1].found = nil
        #expect(notes(changed) == ["stream warning"])
        changed.streams[0].found = nil
        #expect(notes(changed) == [])
    }

    @Test("A stream of settings that cannot be trimmed is a warning") func keptWhole() {
        var changed = facts()
        var stream = LogFacts.Stream("TRIBUTARY_SETTINGS", wanted: ["name": "TRIBUTARY_SETTINGS", "deny_purge": false])
        stream.found = ["name": "TRIBUTARY_SETTINGS", "deny_purge": true]
        changed.streams.append(stream)
        #expect(notes(changed) == ["deny_purge warning"])
        changed.streams[2].found = ["name": "TRIBUTARY_SETTINGS", "deny_purge": false]
        #expect(notes(changed) == [])
    }

    @Test("A stream without an answer, and a replica that is behind, are warnings") func away() {
        var changed = facts()
        changed.streams[0].failure = "not answered in time"
        changed.streams[0].found = nil
        changed.streams[1].behind = ["three"]
        #expect(notes(changed) == ["answers warning", "replicas up to date warning"])
    }

    @Test(
        "What a server says of itself is read, and what is none is no server",
        arguments: ["", "INFO", "INFO {", "HTTP/1.1 400", "INFO []x"])
    func greeting(_ text: String) {
        var server = LogFacts.Server("one:4222")
        LogGreeting.read(
            Array(
                #"INFO {"server_id":"A","server_name":"one","version":"2.15.1","max_payload":8388608,"jetstream":true,"cluster":"t","connect_urls":["a:1","b:1"]}"#
                    .utf8),
            into: &server)
        #expect(server.failure == nil)
        #expect((server.id, server.name, server.version, server.cluster) == ("A", "one", "2.15.1", "t"))
        #expect(server.mostBytes == 8_388_608)
        #expect(server.keepsStreams)
        #expect(server.group.count == 2)
        var other = LogFacts.Server("one:4222")
        LogGreeting.read(Array(text.utf8), into: &other)
        #expect(other.failure != nil)
    }

    @Test("A greeting is asked from the host and the port of an address, whatever its login") func parts() {
        #expect(LogGreeting.parts("nats://me:p@ss@one:4222") == ("one", 4_222))
        #expect(LogGreeting.parts("tls://[::1]:4333") == ("::1", 4_333))
    }

    @Test("The monitoring of a server says how it syncs, and a server without streams has none") func monitoring() {
        var monitor = LogFacts.Monitor("http://one:8222")
        LogMonitoring.read(
            Array(#"{"server_id":"A","jetstream":{"config":{"sync_interval":120000000000,"sync_always":true}}}"#.utf8),
            into: &monitor)
        #expect(monitor.isAlwaysSynced)
        #expect(monitor.keepsStreams)
        monitor = LogFacts.Monitor("http://one:8222")
        LogMonitoring.read(
            Array(#"{"server_id":"A","jetstream":{"config":{"sync_interval":120000000000}}}"#.utf8), into: &monitor)
        #expect(!monitor.isAlwaysSynced)
        #expect(monitor.syncInterval == 120_000_000_000)
        monitor = LogFacts.Monitor("http://one:8222")
        LogMonitoring.read(Array(#"{"server_id":"A"}"#.utf8), into: &monitor)
        #expect(!monitor.keepsStreams)
        for text in ["", "[]", "{}", "<html>"] {
            var other = LogFacts.Monitor("http://one:8222")
            LogMonitoring.read(Array(text.utf8), into: &other)
            #expect(other.failure != nil)
        }
    }
}
