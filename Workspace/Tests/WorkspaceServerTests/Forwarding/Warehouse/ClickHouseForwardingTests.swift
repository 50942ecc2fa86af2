import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// Destinations of the kind clickhouse with a real server.
@Suite(
    "Events in a ClickHouse database", .enabled(if: ClickHouseServer.python != nil, "\(ClickHouseServer.reason)"),
    .timeLimit(.minutes(30)))
struct ClickHouseForwardingTests {
    private static let path = "/api/sources/WK/destinations/Lake"

    private let clock = TestClock()
    private var environment: WorkspaceEnvironment {
        var environment = WorkspaceEnvironment.testing
        environment.now = { [clock] in clock.now }
        return environment
    }

    private static func make(_ client: TestClient, _ settings: JSONObject) async throws {
        let body: JSON = [
            "kind": "clickhouse", "settings": .object(settings), "secret": .string(ClickHouseServer.password),
            "from": "start",
        ]
        let answer = try await client.put(path, String(decoding: body.encoded(), as: UTF8.self))
        #expect(answer.status == 201, "\(answer.text)")
        #expect(!answer.text.contains(ClickHouseServer.password))
    }

    private static func send(_ client: TestClient, _ numbers: Range<Int>) async throws {
        try await client.batch(numbers.map { Events.track(messageId: "m-\($0)", userId: "u-\($0 % 3)") })
        _ = try await client.events()
    }

    /// Asks for the destination until the condition holds; the time limit of the suite ends an endless wait.
    private func until(_ client: TestClient, _ holds: (JSON) -> Bool) async throws -> JSON {
        while true {
            let destination = try await client.get(Self.path).json
            if holds(destination) { return destination }
            clock.advance(by: 1_000)
        }
    }

    @Test(
        "An event that a rule of a table refuses becomes a dead letter, alone, and can be tried again; nothing is there twice"
    )
    func deadLetters() async throws {
        let server = try await ClickHouseServer.shared()
        let database = await server.nextDatabase()
        try await TestWorkspace.run(environment: environment) { workspace async throws in
            let client = workspace.client
            try await Self.send(client, 0..<1)
            try await Self.make(client, server.settings(database))
            _ = try await until(client) { $0["delivered"] == 1 }
            try await server.query(
                "ALTER TABLE \(database).tracks ADD CONSTRAINT picky CHECK id != 'm-4'", database: database)
            try await Self.send(client, 1..<9)
            _ = try await until(client) { $0["delivered"] == 8 && $0["deadLetters"] == 1 }
            let letters = try await client.get("\(Self.path)/dead-letters").json["deadLetters"]?.elements
            #expect(letters?.first?["messageId"] == "m-4")
            let reason = letters?.first?["reason"]?.stringValue ?? ""
            #expect(reason.contains("picky") && !reason.contains("m-4"), "\(reason)")
            try await server.query("ALTER TABLE \(database).tracks DROP CONSTRAINT picky", database: database)
            _ = try await client.post("\(Self.path)/dead-letters/retry", [:])
            _ = try await until(client) { $0["delivered"] == 9 && $0["deadLetters"] == 0 && $0["retrying"] == 0 }
        }
        let rows = try await server.query(
            "SELECT toString(count()), toString(uniqExact(id)) FROM \(database).tracks", database: database)
        #expect(rows == [["9", "9"]])
    }

    @Test("An erased user disappears from the tables, and a database that was restored from a backup is filled again")
    func people() async throws {
        let server = try await ClickHouseServer.shared()
        let database = await server.nextDatabase()
        try await TestWorkspace.run(environment: environment, deletionPause: .milliseconds(50)) {
            workspace async throws in
            let client = workspace.client
            try await Self.make(client, server.settings(database))
            try await Self.send(client, 0..<6)
            _ = try await until(client) { $0["delivered"] == 6 && $0["caughtUp"] == true }
            let erased = try await client.send("DELETE", "/api/users/u-0", body: nil)
            #expect(erased.status == 200, "\(erased.text)")
            while true {
                let requests = try await client.get("\(Self.path)/deletions").json["deletions"]?.elements ?? []
                if let request = requests.first, request["state"] == "accepted" {
                    #expect(request["answer"]?.stringValue?.contains("rows deleted") == true)
                    break
                }
            }
            let left = "SELECT id FROM \(database).tracks ORDER BY id"
            #expect(try await server.query(left, database: database) == [["m-1"], ["m-2"], ["m-4"], ["m-5"]])
            _ = try await client.put(Self.path, #"{"enabled":false}"#)
            try await server.query(
                "ALTER TABLE \(database)._tributary_positions UPDATE position = 0 WHERE true", database: database)
            try await server.query("ALTER TABLE \(database).tracks DELETE WHERE id = 'm-4'", database: database)
            _ = try await client.put(Self.path, #"{"enabled":true}"#)
            _ = try await until(client) { $0["delivered"] == 10 && $0["caughtUp"] == true }
            #expect(try await server.query(left, database: database) == [["m-1"], ["m-2"], ["m-4"], ["m-5"]])
        }
    }
}
