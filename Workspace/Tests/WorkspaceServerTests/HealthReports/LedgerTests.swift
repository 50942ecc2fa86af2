import Foundation
import GRDB
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The ledger of a source", .timeLimit(.minutes(30))) struct LedgerTests {
    private let clock = TestClock()

    private var environment: WorkspaceEnvironment {
        var environment = WorkspaceEnvironment.testing
        let clock = clock
        environment.now = { clock.now }
        return environment
    }

    private static func send(
        _ client: TestClient, _ instance: String, number: Int = 1, app: String = "4.2", tracked: Int = 10,
        delivered: Int = 10
    ) async throws {
        let report: JSON = [
            "writeKey": "WK", "instanceId": .string(instance), "number": .number(number), "seconds": 600,
            "app": ["version": .string(app)],
            "delivery": ["tracked": .number(tracked), "uploaded": .number(delivered)],
            "account": ["waiting": .number(tracked - delivered)],
        ]
        let answer = try await client.post("/v1/health-reports", report)
        #expect(answer.status == 200, "\(answer.text)")
    }

    private static func store(_ client: TestClient, _ count: Int, app: String?) async throws {
        for number in 0..<count {
            var event: JSON = [
                "writeKey": "WK", "userId": "u", "event": "E", "messageId": .string("\(app ?? "")-\(number)"),
            ]
            event["context"] = app.map { ["app": ["version": .string($0)]] }
            #expect(try await client.post("/v1/track", event).status == 200)
        }
    }

    private static func ledger(_ client: TestClient, _ query: String = "") async throws -> JSON {
        try await client.get("/api/ledger?writeKey=WK\(query)").json
    }

    @Test("Reports are added up by version, and compared with stored events")
    func joined() async throws {
        try await TestWorkspace.run(environment: environment) { workspace async throws in
            let client = workspace.client
            try await Self.store(client, 12, app: "4.2")
            try await Self.store(client, 2, app: nil)
            try await Self.send(client, "a", delivered: 7)
            try await Self.send(client, "b", app: "4.1")
            let ledger = try await Self.ledger(client)
            let apps = ledger["apps"]?.elements ?? []
            #expect(apps.map { $0["version"] } == ["4.2", "4.1", .null])
            #expect(apps.map { $0["kind"] } == ["version", "version", "none"])
            #expect(apps.map { $0["delivered"] } == [7, 10, 0])
            #expect(apps.map { $0["waiting"] } == [3, 0, 0])
            #expect(apps.map { $0["unheard"] } == [5, 0, 2])
            #expect(apps.map { $0["claimed"] } == [0, 10, 0])
            #expect(apps.map { $0["devices"] } == [1, 1, 0])
            #expect(ledger["all"]?["stored"] == 14)
            let plain = try await Self.ledger(client, "&stored=false")
            #expect(plain["all"]?["stored"] == .null)
            #expect(plain["all"]?["tracked"] == 20)
        }
    }

    @Test("A repeated report counts once, and a missing one is counted")
    func repeatedAndMissing() async throws {
        try await TestWorkspace.run(environment: environment) { workspace async throws in
            let client = workspace.client
            for number in [1, 1, 2, 5, 3, 5] { try await Self.send(client, "a", number: number) }
            // The first report of a device that is not known has none before it.
            try await Self.send(client, "b", number: 40)
            let all = try await Self.ledger(client, "&stored=false")["all"]
            #expect(all?["reports"] == 4)
            #expect(all?["tracked"] == 40)
            #expect(all?["missing"] == 2)
        }
    }

    @Test("A report counts on the day of its arrival, and the sums go with the days")
    func days() async throws {
        try await TestWorkspace.run(environment: environment) { workspace async throws in
            let client = workspace.client
            try await Self.send(client, "a")
            let first = Day(milliseconds: clock.now)
            clock.advance(by: 2 * 86_400_000)
            try await Self.send(client, "b")
            let until = first.advanced(by: 1).description
            let early = try await Self.ledger(client, "&stored=false&until=\(until)")
            #expect(early["all"]?["reports"] == 1)
            #expect(early["lastDay"]?.stringValue == first.description)
            #expect(try await Self.ledger(client, "&stored=false")["all"]?["reports"] == 2)
            try await workspace.store.removeHealth(before: Day(milliseconds: clock.now))
            #expect(try await Self.ledger(client, "&stored=false")["all"]?["reports"] == 1)
            // Sums of another kind are not shown among live plugins.
            let health = try await client.get("/api/live-plugins/health?writeKey=WK").json
            #expect(health["versions"] == [])
        }
    }

    @Test("Invented versions fill no more than the limit, and their events are those of others")
    func invented() async throws {
        try await TestWorkspace.run(environment: environment) { workspace async throws in
            let client = workspace.client
            for device in 0..<3 { try await Self.send(client, "real-\(device)") }
            for number in 1..<60 { try await Self.send(client, "fake-\(number)", app: "fake \(number)") }
            let ledger = try await Self.ledger(client, "&stored=false")
            #expect(ledger["apps"]?.elements?.count == Limits.reportedApps + 1)
            #expect(ledger["apps"]?.elements?.last?["kind"] == "others")
            #expect(ledger["all"]?["tracked"] == 620)
            let rows = try await workspace.store.pool.read { db in
                try Int.fetchOne(db, sql: "SELECT count(*) FROM healthHour")
            }
            #expect(rows == Limits.reportedApps + 2)
        }
    }
}
