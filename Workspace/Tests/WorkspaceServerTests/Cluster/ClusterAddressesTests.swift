import Testing

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Addresses of a cluster's engines") struct ClusterAddressesTests {
    @Test("Servers of the log share a login and have a default port") func log() throws {
        #expect(
            try ClusterAddresses.log("nats://me:secret@one,two:4333,[::1]:4222")
                == ["nats://me:secret@one:4222", "nats://me:secret@two:4333", "nats://me:secret@[::1]:4222"])
        #expect(try ClusterAddresses.log("tls://one") == ["tls://one:4222"])
    }

    @Test("Replicas of the store have a login, a database and a default port") func store() throws {
        let settings = try ClusterAddresses.store("clickhouse://me:p%40ss@one,two:9000/events")
        #expect(settings.hosts == ["http://one:8123", "http://two:9000"])
        #expect(settings.database == "events")
        #expect(settings.user == "me")
        #expect(settings.password == "p@ss")
        #expect(settings.quorum == 2)
        let plain = try ClusterAddresses.store("clickhouses://one")
        #expect(plain.hosts == ["https://one:8123"])
        #expect(plain.database == "tributary")
        #expect(plain.user == nil)
    }

    @Test(
        "An address that is none is refused, and the error names the option",
        arguments: [
            "", "one:4222", "http://one", "nats://", "nats://one,,two", "nats://one:0", "nats://one:70000",
            "nats://one:x", "nats://one:+4222", "nats://[::1]:65536", "nats://one:99999999999999999999",
            "nats://one two", "nats://one/path", "nats://one\u{0}",
            "nats://" + String(repeating: "a,", count: 40) + "a",
            "nats://" + String(repeating: "a", count: 10_000),
        ])
    func hostileLog(_ text: String) {
        #expect { try ClusterAddresses.log(text) } throws: { "\($0)".hasPrefix("--log ") }
    }

    @Test(
        "A store's address that is none is refused",
        arguments: [
            "", "clickhouse://", "clickhouse://one/Data Base", "clickhouse://one/a/b", "nats://one",
            "clickhouse://one:65536",
        ])
    func hostileStore(_ text: String) {
        #expect { try ClusterAddresses.store(text) } throws: { "\($0)".hasPrefix("--store ") }
    }

    @Test("The monitoring of servers of the log has addresses of its own") func monitoring() throws {
        #expect(
            try ClusterAddresses.monitoring("http://one:8222,https://two,http://[::1]:8223/")
                == ["http://one:8222", "https://two:8222", "http://[::1]:8223"])
    }

    @Test(
        "An address of a monitoring that is none is refused",
        arguments: [
            "", "one:8222", "nats://one", "http://", "http://one,", "http://one/varz", "http://one two",
            "http://one\u{0}",
            "http://one:70000", "http://" + String(repeating: "a", count: 10_000),
            String(repeating: "http://a,", count: 40) + "http://a",
        ])
    func hostileMonitoring(_ text: String) {
        #expect { try ClusterAddresses.monitoring(text) } throws: { "\($0)".hasPrefix("--log-monitoring ") }
    }
}
