import Foundation
import GRDB
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Health reports", .timeLimit(.minutes(30))) struct HealthReportTests {
    private let clock = TestClock()

    private var environment: WorkspaceEnvironment {
        var environment = WorkspaceEnvironment.testing
        let clock = clock
        environment.now = { clock.now }
        return environment
    }

    private static func report(
        _ instance: String = "i-1", _ number: Int = 1, version: String = "1", events: Int = 10, faulty: Int = 0,
        plugin: String = "Fix"
    ) -> JSON {
        [
            "writeKey": "WK", "instanceId": .string(instance), "number": .number(number), "seconds": 600,
            "versions": [
                [
                    "version": .string(version), "events": .number(events), "faulty": .number(faulty),
                    "microseconds": 3000, "times": [8, 2],
                    "plugins": [
                        [
                            "name": .string(plugin), "seen": .number(events), "faults": .number(faulty),
                            "fault": faulty > 0 ? ["message": "no price for …", "line": 4, "event": "Order"] : .null,
                        ]
                    ],
                ]
            ],
            "destinations": [["key": "Amplitude", "delivered": 9, "filtered": 1]],
            "delivery": ["tracked": 10, "uploaded": 9, "waiting": 1],
        ]
    }

    private static func deploy(_ client: TestClient) async throws {
        let script = "class Fix extends LivePlugin {}"
        #expect(try await client.put("/api/sources/WK/live-plugins", script).status == 200)
    }

    private static func health(_ client: TestClient, hours: Int = 24) async throws -> JSON {
        try await client.get("/api/live-plugins/health?writeKey=WK&hours=\(hours)").json
    }

    @Test("Reports are added up by version, plugin, destination and hour")
    func sums() async throws {
        try await TestWorkspace.run(environment: environment) { workspace async throws in
            let client = workspace.client
            try await Self.deploy(client)
            for path in ["/v1/health-reports", "/health-reports"] {
                let answer = try await client.post(path, Self.report(path, faulty: 2))
                #expect(answer.status == 200)
                #expect(try answer.json == ["success": true])
            }
            clock.advance(by: 3_600_000)
            #expect(try await client.post("/v1/health-reports", Self.report("i-3")).status == 200)
            let health = try await Self.health(client)
            let version = try #require(health["versions"]?[0])
            #expect(version["version"] == "1")
            #expect(version["percentage"] == 100)
            #expect(version["reports"] == 3)
            #expect(version["events"] == 30)
            #expect(version["faulty"] == 4)
            #expect(version["microseconds"] == 9000)
            #expect(version["times"] == [24, 6, 0, 0, 0, 0, 0, 0])
            #expect(version["plugins"] == [["name": "Fix", "faults": 4, "seen": 30]])
            #expect(
                version["faults"] == [
                    ["plugin": "Fix", "message": "no price for …", "line": 4, "event": "Order", "reports": 2]
                ])
            #expect(version["hours"]?.elements?.map { $0["events"]?.intValue } == [20, 10])
            #expect(health["destinations"] == [["name": "Amplitude", "delivered": 27, "filtered": 3]])
            #expect(health["delivery"]?["tracked"] == 30)
            #expect(health["rollout"] == .null)
            #expect(try await Self.health(client, hours: 1)["versions"]?[0]?["events"] == 10)
        }
    }

    @Test("A report that comes again counts once, also after a restart")
    func repeated() async throws {
        let folder = try TemporaryFolder()
        try await TestWorkspace.run(in: folder, environment: environment) { workspace async throws in
            try await Self.deploy(workspace.client)
            for number in [1, 1, 2, 1] {
                #expect(
                    try await workspace.client.post("/v1/health-reports", Self.report("i", number)).status == 200)
            }
            let metrics = try await workspace.client.get(
                "/metrics", headers: ["Authorization": "Bearer \(TestClient.token)"]
            ).text
            #expect(metrics.contains("tributary_health_reports_total{outcome=\"counted\"} 2\n"))
            #expect(metrics.contains("tributary_health_reports_total{outcome=\"repeated\"} 2\n"))
            #expect(metrics.contains("tributary_live_plugin_events_total{source=\"WK\",version=\"1\"} 20\n"))
        }
        try await TestWorkspace.run(in: folder, environment: environment) { workspace async throws in
            #expect(try await workspace.client.post("/v1/health-reports", Self.report("i", 2)).status == 200)
            let before = try await Self.health(workspace.client)
            #expect(before["versions"]?[0]?["events"] == 20)
            #expect(try await workspace.client.post("/v1/health-reports", Self.report("i", 3)).status == 200)
            #expect(try await Self.health(workspace.client)["versions"]?[0]?["events"] == 30)
        }
    }

    @Test("Reports at the same time are each counted once")
    func concurrent() async throws {
        try await TestWorkspace.run(environment: environment) { workspace async throws in
            let client = workspace.client
            try await Self.deploy(client)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        try await client.post("/v1/health-reports", Self.report("i-\(number / 2)")).status
                    }
                }
                for try await status in group { #expect(status == 200) }
            }
            #expect(try await Self.health(client)["versions"]?[0]?["reports"] == 50)
        }
    }

    @Test("Invented versions and plugins are added up without their names")
    func invented() async throws {
        let folder = try TemporaryFolder()
        try await TestWorkspace.run(in: folder, environment: environment) { workspace async throws in
            let client = workspace.client
            try await Self.deploy(client)
            for (number, version) in ["2", "01", "-1", "9223372036854775807", "evil version", "fallback", "1 "]
                .enumerated()
            {
                let report = Self.report("i-\(number)", version: version, plugin: "Evil\(number)")
                #expect(try await client.post("/v1/health-reports", report).status == 200)
            }
            for number in 0..<50 {
                let report = Self.report("j-\(number)", faulty: 1, plugin: "Invented\(number)")
                #expect(try await client.post("/v1/health-reports", report).status == 200)
            }
            let health = try await Self.health(client)
            #expect(health["versions"]?.elements?.map { $0["version"] } == ["1", "other"])
            #expect(health["versions"]?[1]?["events"] == 70)
            #expect(health["versions"]?[0]?["plugins"]?.elements?.map { $0["name"] } == [""])
            #expect(health["versions"]?[0]?["faults"] == [])
        }
        #expect(try DataFiles.containing("Invented", in: folder.path) == [])
        #expect(try DataFiles.containing("evil version", in: folder.path) == [])
    }

    @Test("A body that is too large, invalid or without a valid write key is refused")
    func refused() async throws {
        try await TestWorkspace.run(environment: environment) { workspace async throws in
            let client = workspace.client
            let large =
                #"{"writeKey":"WK","instanceId":"i","number":1,"x":""# + String(repeating: "x", count: 9000) + #""}"#
            #expect(try await client.send("POST", "/v1/health-reports", body: Array(large.utf8)).status == 400)
            #expect(try await client.send("POST", "/v1/health-reports", body: Array("no JSON".utf8)).status == 400)
            var report = Self.report()
            report["writeKey"] = "NO"
            #expect(try await client.post("/v1/health-reports", report).status == 401)
            report["writeKey"] = nil
            #expect(try await client.post("/v1/health-reports", report).status == 401)
            #expect(
                try await client.post("/v1/health-reports", report, headers: ["X-Write-Key": "WK"]).status == 200)
        }
    }

    @Test("No file contains the id of a device")
    func noIds() async throws {
        let folder = try TemporaryFolder()
        try await TestWorkspace.run(in: folder, environment: environment) { workspace async throws in
            try await Self.deploy(workspace.client)
            _ = try await workspace.client.post("/v1/health-reports", Self.report("a-very-special-instance"))
            #expect(try await Self.health(workspace.client)["versions"]?[0]?["reports"] == 1)
        }
        #expect(try DataFiles.containing("a-very-special-instance", in: folder.path) == [])
    }

    @Test("Sums of reports are deleted after their days and with their source")
    func retention() async throws {
        let folder = try TemporaryFolder()
        try await TestWorkspace.run(in: folder, environment: environment) { workspace async throws in
            try await Self.deploy(workspace.client)
            _ = try await workspace.client.post("/v1/health-reports", Self.report())
            let (store, today) = (workspace.store, Day(milliseconds: clock.now))
            let source = try #require(try store.sources().first).id
            _ = try await store.sweep(today, Retention(days: 2), isLasting: false)
            for day in Int64(1)...2 {
                _ = try await store.sweep(today.advanced(by: day), Retention(days: 2), isLasting: false)
            }
            #expect(try await store.healthHours(source: source, from: 0).count == 2)
            _ = try await store.sweep(today.advanced(by: 3), Retention(days: 2), isLasting: false)
            #expect(try await store.healthHours(source: source, from: 0).isEmpty)
            // The server forgets the instance, too.
            _ = try await workspace.client.post("/v1/health-reports", Self.report())
            #expect(try await store.healthHours(source: source, from: 0).count == 2)
            _ = try await workspace.client.put("/api/sources/MORE", "")
            #expect(try await workspace.client.send("DELETE", "/api/sources/WK", body: nil).status == 200)
            #expect(try await store.healthHours(source: source, from: 0).isEmpty)
        }
    }

    @Test("A node of a cluster deletes its own sums, also when another one deletes the days")
    func retentionOfNode() async throws {
        try await TestWorkspace.run(environment: environment) { workspace async throws in
            _ = try await workspace.client.post("/v1/health-reports", Self.report())
            try await workspace.client.batch([
                ["type": "track", "event": "Step", "messageId": "m-1", "anonymousId": "a"]
            ])
            #expect(try await workspace.client.events().count == 1)
            let (store, today) = (workspace.store, Day(milliseconds: clock.now))
            let source = try #require(try store.sources().first).id
            let retention = Retention(days: 2)
            _ = try await store.sweep(today, retention, isLasting: false, isConfirmed: true)
            for day in Int64(0)...3 {
                _ = try await store.sweep(
                    today.advanced(by: day), retention, isLasting: false, deletesDays: false)
            }
            #expect(try await store.healthHours(source: source, from: 0).isEmpty)
            #expect(try await workspace.client.events().count == 1)
        }
    }

    @Test("Instances that reported longest ago are forgotten when there are too many")
    func tooManyDevices() async throws {
        let folder = try TemporaryFolder()
        let store = try Store.testing(folder)
        try store.ensureSources(writeKeys: ["WK"], now: 1)
        try await store.pool.write { db in
            try db.execute(
                sql: """
                    WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?)
                    INSERT INTO healthDevice SELECT 1, CAST(printf('%08d', n) AS BLOB), 1, n, 0, -1, 0 FROM number
                    """,
                arguments: [Limits.healthDevices + 500])
        }
        try await store.forgetOldestDevices()
        let (count, oldest) = try await store.pool.read { db in
            (
                try Int.fetchOne(db, sql: "SELECT count(*) FROM healthDevice"),
                try Int.fetchOne(db, sql: "SELECT min(at) FROM healthDevice")
            )
        }
        #expect(count == Limits.healthDevices)
        #expect(oldest == 501)
        try store.close()
    }

    @Test("Settings ask clients for reports, as many as the policy says")
    func settings() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            let all: JSON = ["sampleRate": 1, "minimumSeconds": 86_400]
            #expect(try await client.get("/v1/projects/WK/settings").json["healthReports"] == all)
            #expect(
                try await client.put("/api/sources/WK/policy", #"{"healthReports":{"sampleRate":0.25}}"#).status == 200)
            #expect(
                try await client.get("/v1/projects/WK/settings").json["healthReports"]?["sampleRate"]?.doubleValue
                    == 0.25)
            for bad in [
                #"{"healthReports":{"sampleRate":2}}"#, #"{"healthReports":{"rate":1}}"#, #"{"healthReports":1}"#,
            ] {
                #expect(try await client.put("/api/sources/WK/policy", bad).status == 400)
            }
        }
    }
}
