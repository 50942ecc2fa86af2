import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// Queries in SQL over HTTP, with a real server and real processes.
@Suite("Asking the server in SQL", .timeLimit(.minutes(30))) struct SQLRoutesTests {
    private static let path = "/api/sources/WK/sql"
    /// A query that never ends.
    private static let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

    private func run(_ body: (TestWorkspace) async throws -> Void) async throws {
        try await TestWorkspace.run(writeKeys: ["WK", "OTHER"], program: CommandRun.executable.path) { workspace in
            try await body(workspace)
        }
    }

    private func fill(_ client: TestClient) async throws {
        try await client.batch(
            (1...5).map { number in
                var event = Events.track(messageId: "m-\(number)", name: "Order Completed", userId: "u-\(number % 2)")
                event["properties"] = ["total": .number(JSONNumber(number * 10))]
                return event
            } + [Events.track(messageId: "other", name: "Other")])
        try await client.batch([Events.track(messageId: "secret", name: "Secret", userId: "u-9")], writeKey: "OTHER")
        _ = try await client.events()
    }

    /// The last line of the answer.
    private func ask(_ client: TestClient, _ query: String, _ more: String = "") async throws -> JSON {
        let answer = try await client.send("POST", Self.path + more, body: Array(query.utf8))
        guard answer.status == 200 else { return try answer.json }
        let last = answer.text.split(separator: "\n").last ?? ""
        return try JSON.parse(Array(last.utf8))
    }

    @Test("A query is answered over the tables of one source, with progress before the result")
    func asks() async throws {
        try await run { workspace async throws in
            let client = workspace.client
            try await fill(client)
            let query = "SELECT user_id, sum(total) AS total FROM order_completed GROUP BY 1 ORDER BY 1"
            let answer = try await client.send("POST", Self.path, body: Array(query.utf8))
            let lines = answer.text.split(separator: "\n")
            #expect(lines.count == 2, "\(answer.text)")
            #expect(lines.first == #"{"progress":{"events":6}}"#)
            let result = try await ask(client, query)["result"]
            #expect(result?["rows"] == [["u-0", 60], ["u-1", 90]])
            #expect(result?["columns"] == ["user_id", "total"])
            let chosen = try await ask(client, "SELECT count(*) FROM tracks", "?where=properties.total%3E30")
            #expect(chosen["result"]?["rows"] == [[3]])
            let named = try await ask(client, "SELECT count(*) FROM tracks", "?name=Other&type=track")
            #expect(named["result"]?["rows"] == [[1]])
            let future = try await ask(client, "SELECT count(*) FROM tracks", "?since=2999-01-01")
            #expect(future["result"]?["rows"] == [[0]] && future["result"]?["events"] == 0)
            let list = try await ask(client, " \n")
            let tables = list["result"]?["tables"]?.elements?.compactMap { $0["name"]?.stringValue }
            #expect(tables == ["order_completed", "other", "tracks"])
        }
    }

    @Test(
        "A query that does more than read is refused",
        arguments: [
            "DELETE FROM tracks", "INSERT INTO tracks(id) VALUES (1)", "UPDATE tracks SET id = 1", "DROP TABLE tracks",
            "ATTACH '/tmp/tributary-attached.sqlite' AS other", "VACUUM INTO '/tmp/tributary-copy.sqlite'",
            "PRAGMA query_only = 0", "CREATE TABLE t(a)", "SELECT 1; DELETE FROM tracks", "BEGIN", "-- nothing",
            "SELECT load_extension('/tmp/x.so')", "SELECT readfile('/etc/passwd')", "SELECT writefile('/tmp/x', 'y')",
            "SELECT 1 FROM", "\u{1B}[2J",
            "WITH a AS (SELECT 1) DELETE FROM tracks RETURNING id",
        ])
    func onlyReads(query: String) async throws {
        try await run { workspace async throws in
            let error = try await ask(workspace.client, query)["error"]?.stringValue
            #expect(error != nil)
            for path in ["/tmp/tributary-attached.sqlite", "/tmp/tributary-copy.sqlite"] {
                #expect(!FileManager.default.fileExists(atPath: path))
            }
        }
    }

    @Test("No query finds events of another source or a table of the server")
    func otherSources() async throws {
        try await run { workspace async throws in
            try await fill(workspace.client)
            let queries = [
                "SELECT * FROM secret", "SELECT * FROM event", "SELECT * FROM source", "SELECT * FROM token",
                "SELECT * FROM main.secret",
            ]
            for query in queries {
                let error = try await ask(workspace.client, query)["error"]?.stringValue
                #expect(error?.contains("no such table") == true, "\(query): \(error ?? "")")
            }
            let users = try await ask(workspace.client, "SELECT count(*) FROM tracks WHERE user_id = 'u-9'")
            #expect(users["result"]?["rows"] == [[0]])
            let files = try await ask(workspace.client, "SELECT count(*) FROM pragma_database_list WHERE file <> ''")
            #expect(files["result"]?["rows"] == [[0]])
        }
    }

    @Test("An endless query ends with its client, and its person can ask again")
    func leaving() async throws {
        try await run { workspace async throws in
            let client = workspace.client
            let host = client.url.dropFirst("http://".count)
            let leaving = try LeavingClient(
                client.url,
                sending: """
                    POST \(Self.path) HTTP/1.1\r\nHost: \(host)\r\nAuthorization: Bearer \(TestClient.token)\r\n\
                    Content-Length: \(Self.endless.utf8.count)\r\n\r\n\(Self.endless)
                    """)
            // The answer begins when the query has its place.
            #expect(try await leaving.firstLine() == "HTTP/1.1 200 OK")
            let refused = try await client.send("POST", Self.path, body: Array("SELECT 1".utf8))
            #expect(refused.status == 429)
            #expect(refused.text.contains("a query of yours is under way"))
            leaving.leave()
            while try await client.send("POST", Self.path, body: Array("SELECT 1".utf8)).status == 429 {}
        }
    }

    @Test("An endless query is ended when its time is over, and its process with it")
    func endless() async throws {
        let list = SQLPlaceList()
        let holder = SharedSlots.Holder(token: "Ana", role: .look)
        let run = try await SQLRun(
            program: CommandRun.executable.path, writeKey: "WK", query: Self.endless, rows: 10,
            place: list.lend(to: holder))
        let refusal = await #expect(throws: Refusal.self) { _ = try await run.ask(.answer, within: .seconds(1)) }
        #expect(refusal?.message == "the query took longer than 1 seconds")
        #expect(kill(run.process.number, 0) != 0)
        run.end()
        _ = try list.lend(to: holder)
    }

    @Test(
        "A query that wants too much memory, or gives too much, ends alone",
        arguments: [
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40) "
                + "SELECT count(DISTINCT zeroblob(30000000 + i)) FROM n",
            "SELECT length(zeroblob(900000000))", "SELECT length(replace(hex(zeroblob(1000000)), '0', 'abcdefgh'))",
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) "
                + "SELECT length(group_concat(printf('%.*c', 100000, 'x'))) FROM n",
        ])
    func greedy(query: String) async throws {
        try await run { workspace async throws in
            let error = try await ask(workspace.client, query)["error"]?.stringValue
            #expect(error?.contains("memory") == true || error?.contains("bytes") == true, "\(error ?? "no error")")
            let next = try await ask(workspace.client, "SELECT 1 AS one")
            #expect(next["result"]?["rows"] == [[1]])
        }
    }

    @Test("A huge result is cut, by rows and by bytes, and says so")
    func huge() async throws {
        try await run { workspace async throws in
            let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
            let rows = try await ask(workspace.client, numbers + " SELECT i FROM n")["result"]
            #expect(rows?["rows"]?.elements?.count == 10_000 && rows?["isCut"] == true)
            let bytes = try await ask(workspace.client, numbers + " SELECT printf('%.*c', 1000000, 'x') FROM n")[
                "result"]
            #expect(bytes?["rows"]?.elements?.count == 8 && bytes?["isCut"] == true)
            let few = try await ask(workspace.client, numbers + " SELECT i FROM n", "?rows=3")["result"]
            #expect(few?["rows"] == [[1], [2], [3]])
        }
    }

    @Test("A token that may only look asks; a stranger, a wrong source and wrong values are refused")
    func refusals() async throws {
        try await run { workspace async throws in
            let client = workspace.client
            let made = try await client.post("/api/tokens", ["name": "Ana", "role": "look"]).json
            var reader = client
            reader.token = try #require(made["token"]?.stringValue)
            let seen = try await ask(reader, "SELECT 2")
            #expect(seen["result"]?["rows"] == [[2]])
            let body = Array("SELECT 1".utf8)
            let strange = try await client.stranger.send("POST", Self.path, body: body)
            #expect(strange.status == 401)
            #expect(try await client.send("POST", "/api/sources/NONE/sql", body: body).status == 404)
            for query in [
                "?rows=0", "?rows=10001", "?rows=x", "?type=none", "?where=%3E30", "?since=never", "?writeKey=OTHER",
            ] {
                #expect(try await client.send("POST", Self.path + query, body: body).status == 400, "\(query)")
            }
            let long = [UInt8](repeating: UInt8(ascii: " "), count: 65 << 10)
            #expect(try await client.send("POST", Self.path, body: long).status == 413)
            for bytes in [[0xFF, 0xFE], [0x53, 0]] as [[UInt8]] {
                #expect(try await client.send("POST", Self.path, body: bytes).status == 400)
            }
        }
    }

    @Test("A server that cannot start the program says what to use")
    func withoutProgram() async throws {
        try await TestWorkspace.run { workspace async throws in
            let answer = try await workspace.client.send("POST", Self.path, body: Array("SELECT 1".utf8))
            #expect(answer.status == 501)
            #expect(answer.text.contains("use tributary sql"))
        }
    }
}
