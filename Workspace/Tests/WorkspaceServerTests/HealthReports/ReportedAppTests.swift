import Foundation
import GRDB
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("What apps allow to scripts, as devices report it", .timeLimit(.minutes(30))) struct ReportedAppTests {
    private let clock = TestClock()

    private var environment: WorkspaceEnvironment {
        var environment = WorkspaceEnvironment.testing
        let clock = clock
        environment.now = { clock.now }
        return environment
    }

    private static func app(_ version: String, _ allows: [String]? = nil) -> JSON {
        var app: JSON = ["version": .string(version)]
        app["allows"] = allows.map { .strings($0) }
        return app
    }

    private static func send(
        _ client: TestClient, _ instance: String, _ app: JSON?, number: Int = 1
    ) async throws {
        var report: JSON = ["writeKey": "WK", "instanceId": .string(instance), "number": .number(number)]
        report["app"] = app
        let answer = try await client.post("/v1/health-reports", report)
        #expect(answer.status == 200, "\(answer.text)")
    }

    private static func apps(_ client: TestClient) async throws -> JSON {
        try #require(try await client.get("/api/live-plugins/health?writeKey=WK").json["apps"])
    }

    // MARK: Reading

    @Test("Permissions of a report are sorted, each once, so that their order makes no other version")
    func reading() throws {
        let app = try #require(
            ReportedApp(reported: ["version": "5.1.0", "allows": ["rename", "drop Debug*", "rename"], "more": 1]))
        #expect(app == ReportedApp(version: "5.1.0", allows: ["drop Debug*", "rename"]))
        #expect(ReportedApp(stored: .object(app.json)) == app)
        #expect(ReportedApp(reported: ["version": "5"]) == ReportedApp(version: "5"))
        #expect(ReportedApp(reported: ["allows": []]) == ReportedApp(version: nil, allows: []))
    }

    @Test(
        "What a stranger writes in place of an app is left out, and no report is refused because of it",
        arguments: [
            nil, .null, 1, "5.1", [], [:], ["version": 5], ["version": ""], ["allows": 1], ["allows": .null],
            ["version": .string(String(repeating: "5", count: 41))], ["version": "5\n1"], ["version": "5\u{7f}"],
        ] as [JSON?])
    func nothing(_ json: JSON?) { #expect(ReportedApp(reported: json) == nil) }

    @Test("Permissions beyond the limits are cut off, and the app says so")
    func limits() throws {
        for allows: JSON in [
            .strings((0..<41).map { "drop \($0)" }), .strings([String(repeating: "x", count: 81)]), [1, [:], "rename"],
            ["rename\u{0}"], .strings((0..<20).map { "\($0)" + String(repeating: "x", count: 60) }),
        ] {
            let app = try #require(ReportedApp(reported: ["version": "5", "allows": allows]))
            #expect(app.isCut)
            #expect(app.allows?.count ?? 0 <= 40)
            #expect(app.allows?.reduce(0) { $0 + $1.utf8.count } ?? 0 <= 600)
        }
        let told = try #require(ReportedApp(reported: ["allows": ["rename"], "isCut": true]))
        #expect(told.isCut)
    }

    @Test("Versions with the same permissions are one restriction, the one of the most devices first")
    func restrictions() {
        var apps = ReportedApps()
        apps.versions = [
            (ReportedApp(version: "5", allows: nil), 50), (ReportedApp(version: "4", allows: ["rename"]), 9),
            (ReportedApp(version: "3", allows: []), 7), (ReportedApp(version: nil, allows: []), 5),
        ]
        apps.silent = 4
        #expect(apps.devices == 75)
        #expect(
            apps.restrictions == [
                AppRestriction(allows: [], versions: ["3", nil], devices: 12),
                AppRestriction(allows: ["rename"], versions: ["4"], devices: 9),
            ])
        for restriction in apps.restrictions { #expect(AppRestriction(.object(restriction.json)) == restriction) }
    }

    // MARK: Counting

    @Test("Devices are counted by the version of their app, and not by their reports")
    func devices() async throws {
        try await TestWorkspace.run(environment: environment) { workspace async throws in
            let client = workspace.client
            for number in 1...3 { try await Self.send(client, "a", Self.app("5.1.0", ["rename"]), number: number) }
            try await Self.send(client, "b", Self.app("5.1.0", ["rename"]))
            try await Self.send(client, "c", Self.app("5.0.0"))
            try await Self.send(client, "d", nil)
            let apps = try await Self.apps(client)
            #expect(
                apps == [
                    "devices": 4, "others": 0, "silent": 1,
                    "versions": [
                        ["version": "5.1.0", "allows": ["rename"], "isCut": false, "devices": 2],
                        ["version": "5.0.0", "allows": .null, "isCut": false, "devices": 1],
                    ],
                ])
            // A device counts for what it said last.
            try await Self.send(client, "a", Self.app("5.0.0"), number: 4)
            #expect(try await Self.apps(client)["versions"]?.elements?.map { $0["devices"] } == [2, 1])
            // A repeated report changes nothing.
            try await Self.send(client, "a", Self.app("5.1.0", ["rename"]), number: 2)
            #expect(try await Self.apps(client)["versions"]?.elements?.map { $0["version"] } == ["5.0.0", "5.1.0"])
            clock.advance(by: 8 * 86_400_000)
            #expect(try await Self.apps(client)["devices"] == 0)
        }
    }

    @Test(
        "Invented versions fill no more than the limit, come one in a minute then, and displace no version with devices"
    )
    func invented() async throws {
        try await TestWorkspace.run(environment: environment) { workspace async throws in
            let client = workspace.client
            for device in 0..<3 { try await Self.send(client, "real-\(device)", Self.app("5.1.0", ["rename"])) }
            for number in 1..<100 { try await Self.send(client, "fake-\(number)", Self.app("fake \(number)")) }
            var apps = try await Self.apps(client)
            #expect(apps["versions"]?.elements?.count == Limits.reportedApps)
            #expect(apps["others"]?.intValue == 99 - (Limits.reportedApps - 1))
            for number in 100..<130 {
                clock.advance(by: Limits.reportedAppPause)
                try await Self.send(client, "fake-\(number)", Self.app("fake \(number)"))
            }
            apps = try await Self.apps(client)
            #expect(apps["versions"]?.elements?.count == Limits.reportedApps)
            #expect(apps["versions"]?[0]?["version"] == "5.1.0")
            #expect(apps["versions"]?[0]?["devices"] == 3)
            #expect(apps["versions"]?.elements?.contains { $0["version"] == "fake 129" } == true)
            #expect(apps["devices"] == 132)
        }
    }

    @Test("A version goes when its devices are forgotten, and all of them with their source")
    func forgotten() async throws {
        let folder = try TemporaryFolder()
        try await TestWorkspace.run(in: folder, environment: environment) { workspace async throws in
            let client = workspace.client
            try await Self.send(client, "a", Self.app("5.1.0"))
            clock.advance(by: 3 * 86_400_000)
            try await Self.send(client, "b", Self.app("5.2.0"))
            func kept() async throws -> Int? {
                try await workspace.store.pool.read { db in
                    try Int.fetchOne(db, sql: "SELECT count(*) FROM appVersion")
                }
            }
            #expect(try await kept() == 2)
            try await workspace.store.removeHealth(before: Day(milliseconds: clock.now))
            #expect(try await kept() == 1)
            _ = try await client.put("/api/sources/MORE", "")
            #expect(try await client.send("DELETE", "/api/sources/WK", body: nil).status == 200)
            #expect(try await kept() == 0)
        }
    }
}
