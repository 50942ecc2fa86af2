import Foundation
import GRDB
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// Destinations of the kind postgres with a real server and a real database.
@Suite(
    "Events in a PostgreSQL database", .enabled(if: PostgresServer.programs != nil, "\(PostgresServer.reason)"),
    .timeLimit(.minutes(30)))
struct WarehouseForwardingTests {
    private static let path = "/api/sources/WK/destinations/Lake"

    private let clock = TestClock()
    private var environment: WorkspaceEnvironment {
        var environment = WorkspaceEnvironment.testing
        environment.now = { [clock] in clock.now }
        return environment
    }

    private static func make(
        _ client: TestClient, _ settings: String, more: String = "", password: String = PostgresServer.password
    ) async throws {
        let answer = try await client.put(
            path, #"{"kind":"postgres","settings":\#(settings),"secret":"\#(password)","from":"start"\#(more)}"#)
        #expect(answer.status == 201, "\(answer.text)")
        #expect(!answer.text.contains(password))
    }

    private static func send(_ client: TestClient, _ numbers: Range<Int>, _ more: JSONObject = [:]) async throws {
        try await client.batch(
            numbers.map { number in
                var event = Events.track(messageId: "m-\(number)", userId: "u-\(number % 3)")
                for (key, value) in more { event[key] = value }
                return event
            })
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

    @Test("Events come into tables, also after a stop, and the test of a destination says what the server is")
    func loading() async throws {
        let server = try await PostgresServer.shared()
        let (database, folder) = (try await server.makeDatabase(), try TemporaryFolder())
        try await TestWorkspace.run(in: folder, environment: environment) { workspace async throws in
            try await Self.send(workspace.client, 0..<20)
            try await Self.make(workspace.client, server.settings(database))
            let done = try await until(workspace.client) { $0["delivered"] == 20 && $0["caughtUp"] == true }
            #expect(done["state"] == "delivering")
            #expect(done["waiting"] == 0)
            let test = try await workspace.client.post("\(Self.path)/test", [:]).json
            #expect(test["accepted"] == true)
            #expect(test["answer"]?.stringValue?.hasPrefix("PostgreSQL ") == true)
        }
        try await TestWorkspace.run(in: folder, environment: environment) { workspace async throws in
            try await Self.send(workspace.client, 20..<25)
            _ = try await until(workspace.client) { $0["delivered"] == 25 }
        }
        let rows = try await server.query(
            "SELECT count(*), count(DISTINCT id) FROM tributary.tracks", database: database)
        #expect(rows == [["25", "25"]])
    }

    @Test(
        "A server that died before it noted a load counts it and loads nothing twice; a restored database is filled again"
    )
    func deaths() async throws {
        let server = try await PostgresServer.shared()
        let (database, folder) = (try await server.makeDatabase(), try TemporaryFolder())
        try await TestWorkspace.run(in: folder, environment: environment) { workspace async throws in
            try await Self.send(workspace.client, 0..<10)
            try await Self.make(workspace.client, server.settings(database))
            _ = try await until(workspace.client) { $0["delivered"] == 10 }
            _ = try await workspace.client.put(Self.path, #"{"enabled":false}"#)
            try await workspace.store.pool.write { db in
                try db.execute(sql: "UPDATE destination SET position = 0, delivered = 0")
            }
            _ = try await server.query("DELETE FROM tributary.tracks WHERE id = 'm-3'", database: database)
            _ = try await workspace.client.put(Self.path, #"{"enabled":true}"#)
            _ = try await until(workspace.client) { $0["delivered"] == 10 }
            // Nothing was loaded: the row that is missing is still missing.
            #expect(try await server.query("SELECT count(*) FROM tributary.tracks", database: database) == [["9"]])
            _ = try await workspace.client.put(Self.path, #"{"enabled":false}"#)
            _ = try await server.query("UPDATE tributary._tributary_positions SET position = 0", database: database)
            _ = try await workspace.client.put(Self.path, #"{"enabled":true}"#)
            _ = try await until(workspace.client) { $0["delivered"] == 20 && $0["caughtUp"] == true }
        }
        #expect(
            try await server.query("SELECT count(*), count(DISTINCT id) FROM tributary.tracks", database: database) == [
                ["10", "10"]
            ])
    }

    @Test("A database that is away is waited for, and its state says why; a wrong password can be corrected")
    func away() async throws {
        let server = try await PostgresServer.shared()
        let database = try await server.makeDatabase()
        try await TestWorkspace.run(environment: environment) { workspace async throws in
            try await Self.send(workspace.client, 0..<3)
            try await Self.make(workspace.client, server.settings(database), password: "wrong")
            let wrong = try await until(workspace.client) { $0["state"] == "waiting" }
            #expect(wrong["reason"]?.stringValue?.contains("password authentication failed") == true)
            #expect(wrong["waiting"] == 3)
            #expect(wrong["deadLetters"] == 0)
            let away = server.settings(database).split(separator: "\(server.port)").joined(separator: "1")
            _ = try await workspace.client.put(
                Self.path, #"{"settings":\#(away),"secret":"\#(PostgresServer.password)"}"#)
            let refused = try await until(workspace.client) { $0["reason"]?.stringValue?.contains("refused") == true }
            #expect(refused["retryAt"]?.stringValue != nil)
            _ = try await workspace.client.put(Self.path, #"{"settings":\#(server.settings(database))}"#)
            let done = try await until(workspace.client) { $0["delivered"] == 3 }
            #expect(done["reason"] == .null)
        }
    }

    @Test("An event that no column takes becomes a dead letter, alone, and can be tried again")
    func deadLetters() async throws {
        let server = try await PostgresServer.shared()
        let database = try await server.makeDatabase()
        try await TestWorkspace.run(environment: environment) { workspace async throws in
            try await Self.send(workspace.client, 0..<1)
            try await Self.make(workspace.client, server.settings(database))
            _ = try await until(workspace.client) { $0["delivered"] == 1 }
            _ = try await server.query(
                "CREATE FUNCTION picky() RETURNS trigger AS $$ BEGIN IF NEW.id = 'm-4' THEN RAISE 'not this' USING ERRCODE = '22023'; END IF; RETURN NEW; END $$ LANGUAGE plpgsql",
                database: database)
            _ = try await server.query(
                "CREATE TRIGGER picky BEFORE INSERT ON tributary.tracks FOR EACH ROW EXECUTE FUNCTION picky()",
                database: database)
            try await Self.send(workspace.client, 1..<9)
            let done = try await until(workspace.client) { $0["delivered"] == 8 && $0["deadLetters"] == 1 }
            #expect(done["state"] == "delivering")
            let letters = try await workspace.client.get("\(Self.path)/dead-letters").json["deadLetters"]?.elements
            #expect(letters?.first?["messageId"] == "m-4")
            #expect(letters?.first?["reason"]?.stringValue?.contains("not this") == true)
            _ = try await server.query("DROP TRIGGER picky ON tributary.tracks", database: database)
            _ = try await workspace.client.post("\(Self.path)/dead-letters/retry", [:])
            _ = try await until(workspace.client) {
                $0["delivered"] == 9 && $0["deadLetters"] == 0 && $0["retrying"] == 0
            }
        }
        #expect(try await server.query("SELECT count(*) FROM tributary.tracks", database: database) == [["9"]])
    }

    @Test("Filters and consent hold for the tables, and erased users disappear from them")
    func people() async throws {
        let server = try await PostgresServer.shared()
        let database = try await server.makeDatabase()
        try await TestWorkspace.run(environment: environment, deletionPause: .milliseconds(50)) {
            workspace async throws in
            let client = workspace.client
            try await Self.make(client, server.settings(database), more: #","categories":["ads"]"#)
            func consent(_ isGiven: Bool) -> JSONObject {
                ["context": ["consent": ["categoryPreferences": ["ads": .bool(isGiven)]]]]
            }
            try await Self.send(client, 0..<3, consent(true))
            try await Self.send(client, 3..<5, consent(false))
            try await Self.send(client, 5..<6, ["integrations": ["Lake": false]])
            let done = try await until(client) { $0["delivered"] == 3 && $0["caughtUp"] == true }
            #expect(done["withheld"] == 2)
            #expect(done["skipped"] == 1)
            let erased = try await client.send("DELETE", "/api/users/u-0", body: nil)
            #expect(erased.status == 200, "\(erased.text)")
            while try await server.query(
                "SELECT count(*) FROM tributary.tracks WHERE user_id = 'u-0'", database: database) != [["0"]]
            {
                try await Task.sleep(for: .milliseconds(20))
            }
            while true {
                let requests = try await client.get("\(Self.path)/deletions").json["deletions"]?.elements ?? []
                if let request = requests.first, request["state"] == "accepted" {
                    #expect(request["answer"]?.stringValue?.contains("rows deleted") == true)
                    break
                }
            }
            #expect(try await server.query("SELECT count(*) FROM tributary.tracks", database: database) == [["2"]])
        }
    }

    @Test("Settings are checked")
    func settings() throws {
        let good: JSONObject = ["host": "db.example.com", "database": "d", "user": "u"]
        let whole = try PostgresSettings(good).json
        #expect(
            whole == [
                "host": "db.example.com", "port": 5432, "database": "d", "schema": "tributary", "user": "u",
                "tls": "verify",
                "timeoutSeconds": 60,
            ])
        let bad: [(String, JSON, String)] = [
            ("host", "postgres://u@h/d", "host is"), ("host", "", "host is"), ("port", 0, "port is"),
            ("database", "", "database has"),
            ("schema", "pg_catalog", "belongs to PostgreSQL"), ("tls", "maybe", "tls is one of"),
            ("timeoutSeconds", 0, "timeoutSeconds is"),
            ("password", "x", "no setting password"), ("user", 7, "user is a text"),
        ]
        for (name, value, words) in bad {
            var settings = good
            settings[name] = value
            let error = #expect(throws: Refusal.self) { _ = try PostgresSettings(settings) }
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
        var place = try PostgresSettings(good).place(.init(source: "s", destination: "d", madeAt: 1), password: [])
        #expect(place.parameters.contains { $0.name == "sslmode" && $0.value == "verify-full" })
        var open = good
        open["tls"] = "disable"
        place = try PostgresSettings(open).place(.init(source: "s", destination: "d", madeAt: 1), password: [])
        #expect(!place.parameters.contains { $0.name == "sslrootcert" })
    }
}
