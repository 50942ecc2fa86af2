import Foundation
import GRDB
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// The operations of the administration, as the description of the HTTP API has them. A new route is among them, so the tests of
/// limits ask it, too.
struct DescribedOperation: Sendable {
    let id: String
    let method: String
    let path: String
    let role: Role
    let queries: Set<String>
    let isOfSeenSources: Bool
    let hidesPersonalData: Bool

    static func all() throws -> [DescribedOperation] {
        let document = try JSON.parse(EmbeddedFile.named("openapi.json").text)
        var operations: [DescribedOperation] = []
        for (path, item) in try #require(document["paths"]?.objectValue) {
            for (method, operation) in item.objectValue ?? [:] {
                guard let role = operation["security"]?.elements?.first?["token"]?.elements?.first?.stringValue else {
                    continue
                }
                let queries = (operation["parameters"]?.elements ?? []).compactMap { parameter -> String? in
                    let shared = parameter["$ref"]?.stringValue?.split(separator: "/").last
                    let parameter =
                        shared.flatMap { document["components"]?["parameters"]?[String($0)] } ?? parameter
                    return parameter["in"] == "query" ? parameter["name"]?.stringValue : nil
                }
                operations.append(
                    DescribedOperation(
                        id: try #require(operation["operationId"]?.stringValue), method: method.uppercased(),
                        path: path, role: try #require(Role(rawValue: role)), queries: Set(queries),
                        isOfSeenSources: path.contains("{writeKey}") || operation["x-sources"] == "seen",
                        hidesPersonalData: operation["x-personal-data"] == "hidden"))
            }
        }
        return operations
    }

    /// The address with these steps of the path, and with the query that the route needs.
    func address(_ steps: [String: String], _ query: [String: String] = [:]) -> String {
        var address = path
        for (name, value) in steps { address = address.replacing("{\(name)}", with: value) }
        address = address.replacing(#/\{\w+\}/#, with: "none")
        let needed = [
            "funnel": "step=A&step=B", "retention": "first=A", "waitForEvent": "timeout=0", "stream": "lastEventId=x",
            "eraseNamedUser": "userId=nobody",
        ]
        let given = query.filter { queries.contains($0.key) }.map { "\($0.key)=\($0.value)" }.sorted()
        let all = given + [needed[id]].compactMap { $0 }
        return all.isEmpty ? address : address + "?" + all.joined(separator: "&")
    }
}

extension TestWorkspace {
    /// A client with a new token that has limits.
    func limited(
        _ role: Role, named name: String = "limited", sources: [String]? = nil, endsAt: String? = nil,
        personalData: String = "shown"
    ) async throws -> TestClient {
        let body: JSON = [
            "name": .string(name), "role": .string(role.rawValue),
            "sources": sources.map { .array($0.map(JSON.string)) } ?? .null, "endsAt": .string(endsAt),
            "personalData": .string(personalData),
        ]
        let answer = try await client.post("/api/tokens", body)
        try #require(answer.status == 201, "\(answer.text)")
        var client = client
        client.token = try #require(try answer.json["token"]?.stringValue)
        return client
    }
}

extension TestClient {
    /// Sends a request with the token, also beside the API.
    func authorized(_ method: String, _ path: String, body: [UInt8]?) async throws -> Answer {
        try await send(method, path, body: body, headers: ["Authorization": "Bearer \(token ?? "")"])
    }
}

@Suite("Tokens that see some sources only", .timeLimit(.minutes(30))) struct SourceSightTests {
    /// Part of every text of the source that is not seen, but for the names by which a test asks for something.
    private static let mark = "zebra"

    /// Fills the source OTHER with everything that a source can have.
    private func fill(_ workspace: TestWorkspace) async throws {
        let client = workspace.client
        let source = "/api/sources/OTHER"
        let event: JSON = [
            "type": "track", "event": "zebra event", "userId": "zebra-user", "messageId": "yak",
            "properties": ["zebra": "zebra value"], "context": ["traits": ["email": "zebra@example.com"]],
        ]
        var sent: [(String, String, JSON)] = [
            ("PUT", source, ["name": "zebra source"]),
            ("POST", "/v1/b", ["writeKey": "OTHER", "batch": [event]]),
            ("POST", "/v1/b", ["writeKey": "OTHER", "batch": [["type": "screen", "name": "zebra"]]]),
            (
                "POST", "/signals?writeKey=OTHER",
                [["type": "navigation", "anonymousId": "zebra", "data": ["zebra": 1]]]
            ),
            ("POST", "/v1/traces", ["writeKey": "OTHER", "traces": [Self.drop]]),
            (
                "PUT", source + "/destinations/yak",
                ["kind": "webhook", "settings": ["url": "http://127.0.0.1:9/zebra"]]
            ),
            ("PUT", source + "/integrations", ["zebra": ["zebra": "zebra"]]),
            ("POST", source + "/keys", ["key": "zebrakey", "name": "zebra"]),
            ("PUT", source + "/plan", ["events": [["type": "track", "name": "zebra event"]]]),
            ("PUT", source + "/policy", ["personal": ["zebra"]]),
            ("PUT", source + "/traces", ["userId": "zebra-user", "seconds": 600]),
            ("PUT", "/api/views/yak", ["place": "explore", "query": "source=OTHER&name=zebra", "board": 1]),
            (
                "PUT", "/api/alerts/yak",
                [
                    "kind": "silence", "writeKey": "OTHER", "event": "zebra", "to": "slack",
                    "url": "http://127.0.0.1:1/zebra",
                ]
            ),
        ]
        sent.append(("PUT", "/api/suppressions?userId=zebra-gone", ["reason": "zebra"]))
        for (method, path, body) in sent {
            let answer = try await client.send(method, path, body: body.encoded())
            try #require((200..<300).contains(answer.status), "\(path): \(answer.text)")
        }
        let plugin = try await client.put(source + "/live-plugins", "// zebra")
        try #require(plugin.status == 200)
    }

    private static let drop: JSON = {
        var trace = Events.trace("zebra-drop", outcome: "dropped")
        trace["event"] = "zebra dropped"
        return trace
    }()

    /// What an administrator sees of the source that must not change.
    private func state(_ client: TestClient) async throws -> [String] {
        var state: [String] = []
        for path in [
            "/api/sources", "/api/sources/OTHER/filters", "/api/sources/OTHER/plan", "/api/sources/OTHER/policy",
            "/api/sources/OTHER/integrations", "/api/sources/OTHER/keys", "/api/sources/OTHER/live-plugins",
            "/api/sources/OTHER/traces", "/api/views", "/api/tokens", "/api/suppressions",
            "/api/events?writeKey=OTHER", "/api/rejected?writeKey=OTHER", "/api/audit?writeKey=OTHER",
        ] {
            let answer = try await client.get(path)
            #expect(answer.status == 200)
            // When the token of the test was used last.
            state.append(answer.text.replacing(#/"usedAt":"[^"]*"/#, with: ""))
        }
        return state
    }

    @Test(
        "No route shows or changes anything of another source, and none says that it is there", arguments: Role.allCases
    )
    func everyRoute(role: Role) async throws {
        try await TestWorkspace.run(
            writeKeys: ["OWN", "OTHER"], allowsReset: true, program: CommandRun.executable.path
        ) { workspace async throws in
            try await fill(workspace)
            let client = try await workspace.limited(role, sources: ["OWN"])
            _ = try await client.get("/api/login")
            let before = try await state(workspace.client)
            for operation in try DescribedOperation.all() {
                let bodies: [[UInt8]?] = operation.method == "GET" ? [nil] : [[], Array("{}".utf8)]
                for body in bodies {
                    func ask(_ key: String, _ name: String, _ id: String) async throws -> (status: Int, text: String) {
                        let path = operation.address(
                            ["writeKey": key, "name": name, "messageId": id, "key": name, "userId": name],
                            ["writeKey": key])
                        let answer = try await client.authorized(operation.method, path, body: body)
                        let text = answer.text.replacing(key, with: "KEY").replacing(name, with: "NAME")
                        return (answer.status, text)
                    }
                    let known = try await ask("OTHER", "yak", "yak")
                    let unknown = try await ask("GNURF", "ibex", "ibex")
                    let path = "\(operation.id) \(operation.path) \(known.status) \(known.text)"
                    #expect(!known.text.contains(Self.mark), "\(path)")
                    let named = operation.path.contains("{writeKey}") || operation.queries.contains("writeKey")
                    // A name in use is refused to every token, because all sources share the names.
                    let takes = ["putView", "putAlert"].contains(operation.id)
                    if named || operation.path.contains("{"), !takes {
                        #expect(known == unknown, "\(path), but \(unknown)")
                    }
                    if named, operation.role <= role {
                        #expect(known.status == (operation.isOfSeenSources ? 404 : 403), "\(path)")
                    }
                    if !operation.isOfSeenSources { #expect(known.status == 403, "\(path)") }
                    // Without a source in its address, and with the own one.
                    let plain = operation.address([:])
                    let answer = try await client.authorized(operation.method, plain, body: body)
                    #expect(!answer.text.contains(Self.mark), "\(operation.id) \(plain) \(answer.text)")
                    #expect(answer.status < 500, "\(operation.id) \(answer.text)")
                    guard operation.method == "GET" else { continue }
                    let own = operation.address(
                        ["writeKey": "OWN", "name": "yak", "messageId": "yak"], ["writeKey": "OWN"])
                    let shown = try await client.authorized("GET", own, body: nil)
                    #expect(!shown.text.contains(Self.mark), "\(operation.id) \(own) \(shown.text)")
                }
            }
            // Nothing of the other source changed, and no source was made.
            #expect(try await state(workspace.client) == before)
        }
    }

    @Test("The own source is shown, listed, exported, streamed and changed as ever")
    func own() async throws {
        try await TestWorkspace.run(writeKeys: ["OWN", "OTHER"]) { workspace async throws in
            let limited = try await workspace.limited(.administer, sources: ["OWN"])
            try await workspace.client.batch([Events.track(messageId: "mine")], writeKey: "OWN")
            try await workspace.client.batch([Events.track(messageId: "theirs")], writeKey: "OTHER")
            let sources = try await limited.get("/api/sources").json["sources"]?.elements
            #expect(sources?.map { $0["writeKey"] } == ["OWN"])
            for path in ["/api/events", "/api/events?writeKey=OWN", "/api/events?where=event=%22Order%20Completed%22"] {
                let ids = try await limited.get(path).json["events"]?.elements?.map { $0["messageId"] }
                #expect(ids == ["mine"], "\(path)")
            }
            #expect(try await limited.get("/api/events/mine").status == 200)
            #expect(try await limited.get("/api/events/theirs").status == 404)
            #expect(try await limited.get("/api/stats").json["stored"] == 1)
            #expect(try await workspace.client.get("/api/stats").json["stored"] == 2)
            for format in ["ndjson", "csv"] {
                let export = try await limited.get("/api/export?format=\(format)").text
                #expect(export.contains("mine") && !export.contains("theirs"))
            }
            #expect(try await limited.get("/api/export?page=true&where=event").text.contains("theirs") == false)
            #expect(try await limited.get("/api/wait-for-event?count=2&timeout=0").status == 404)
            #expect(try await limited.put("/api/sources/OWN", #"{"name":"Mine"}"#).status == 200)
            #expect(try await limited.put("/api/sources/NEW", #"{"name":"New"}"#).status == 404)
            #expect(try await limited.post("/api/sources", ["writeKey": "NEW"]).status == 403)
            let taken = try await limited.post("/api/sources/OWN/keys", ["key": "OTHER"])
            #expect(taken.status == 409 && !taken.text.contains("source OTHER"), "\(taken.text)")
            let who = try await limited.get("/api/login").json
            #expect(who["sources"] == ["OWN"] && who["personalData"] == "shown")
            let audit = try await limited.get("/api/audit").json["entries"]?.elements ?? []
            #expect(!audit.isEmpty && audit.allSatisfy { $0["writeKey"] == "OWN" })
        }
    }

    @Test("A live stream has the events and the figures of the own source only, from its beginning and later")
    func stream() async throws {
        try await TestWorkspace.run(writeKeys: ["OWN", "OTHER"]) { workspace async throws in
            let limited = try await workspace.limited(.look, sources: ["OWN"])
            try await workspace.client.batch([Events.track(messageId: "theirs-1")], writeKey: "OTHER")
            try await workspace.client.batch([Events.track(messageId: "mine-1")], writeKey: "OWN")
            _ = try await workspace.until("/api/stats") { $0["stored"] == 2 }
            let messages = try EventStreamClient.connect(
                limited.url + "/api/stream", lastEventId: "0", token: try #require(limited.token))
            var ids: [String] = []
            for await message in messages {
                if message.event == "stats" { #expect(try message.json["stored"]?.intValue ?? 0 <= 2) }
                guard message.event == "event" else { continue }
                ids.append(try message.json["messageId"]?.stringValue ?? "")
                if ids == ["mine-1"] {
                    try await workspace.client.batch([Events.track(messageId: "theirs-2")], writeKey: "OTHER")
                    try await workspace.client.batch([Events.track(messageId: "mine-2")], writeKey: "OWN")
                }
                if ids.count == 2 { break }
            }
            #expect(ids == ["mine-1", "mine-2"])
        }
    }

    @Test("A login with such a token has its limits, and a removed source leaves it without any")
    func login() async throws {
        try await TestWorkspace.run(writeKeys: ["OWN", "OTHER"]) { workspace async throws in
            let limited = try await workspace.limited(.look, sources: ["OWN"])
            let cookie = try await limited.login(try #require(limited.token))
            let browser = limited.stranger
            func sources() async throws -> [JSON?]? {
                try await browser.get("/api/sources", headers: ["Cookie": cookie]).json["sources"]?.elements?
                    .map { $0["writeKey"] }
            }
            #expect(try await sources() == ["OWN"])
            #expect(try await browser.get("/api/sources/OTHER/plan", headers: ["Cookie": cookie]).status == 404)
            #expect(try await workspace.client.send("DELETE", "/api/sources/OWN", body: nil).status == 200)
            #expect(try await sources() == [])
            // Another source of that name is another source.
            #expect(try await workspace.client.post("/api/sources", ["writeKey": "OWN"]).status == 201)
            #expect(try await sources() == [])
            let tokens = try await workspace.client.get("/api/tokens").json["tokens"]?.elements
            #expect(tokens?.first?["sources"] == [])
        }
    }

    @Test("Limits that cannot be meant are refused, and an older version does not know the role of a limited token")
    func refused() async throws {
        try await TestWorkspace.run { workspace async throws in
            for limits: JSONObject in [
                ["sources": []], ["sources": ["NONE"]], ["sources": "WK"], ["sources": [1]], ["endsAt": "soon"],
                ["endsAt": "2001-01-01"], ["endsAt": 5], ["personalData": "maybe"], ["more": 1],
                ["personalData": "hidden", "role": "deploy"],
            ] {
                var body: JSONObject = ["name": "t", "role": "look"]
                for (name, value) in limits { body[name] = value }
                let answer = try await workspace.client.post("/api/tokens", .object(body))
                #expect([400, 404].contains(answer.status), "\(limits): \(answer.text)")
            }
            _ = try await workspace.limited(.deploy, named: "one", sources: ["WK"])
            _ = try await workspace.limited(.deploy, named: "two", endsAt: "2999-01-01")
            _ = try await workspace.limited(.deploy, named: "three")
            let roles = try await workspace.store.pool.read { db in
                try String.fetchAll(db, sql: "SELECT role FROM namedToken ORDER BY name")
            }
            #expect(roles == ["limited deploy", "deploy", "limited deploy"])
            // Damage that took a limit makes no token without limits.
            try await workspace.store.pool.write { db in
                try db.execute(sql: "UPDATE namedToken SET sources = NULL WHERE name = 'one'")
            }
            #expect(try workspace.store.namedTokens().map(\.name).sorted() == ["three", "two"])
        }
    }
}

@Suite("Commands for tokens with limits", .timeLimit(.minutes(30))) struct TokenLimitCommandTests {
    @Test("The commands make a token with limits, list its limits, and show one source with it")
    func commands() async throws {
        try await TestWorkspace.run(writeKeys: ["OWN", "OTHER"]) { workspace async throws in
            func run(_ arguments: String..., token: String = TestClient.token) async throws -> CommandRun.Outcome {
                try await CommandRun.finish(arguments + ["--server", workspace.client.url], token: token)
            }
            let made = try await run(
                "token", "add", "Partner", "--role", "look", "--source", "OWN", "--until", "2999-12-31",
                "--without-personal-data")
            #expect(made.status == 0, "\(made.errors)")
            let list = try await run("token", "list").output
            #expect(
                list.hasPrefix(
                    "Partner  look, only OWN, without personal data, until 3000-01-01T00:00:00.000Z, made 20"),
                "\(list)")
            let token = made.output.trimmingCharacters(in: .newlines)
            let sources = try await run("source", "list", token: token).output
            #expect(sources.contains("OWN") && !sources.contains("OTHER"), "\(sources)")
            let refused = try await run("people", "find", "a", "--write-key", "OWN", token: token)
            #expect(refused.status == 1 && refused.errors.contains("the token Partner sees no personal data"))
            let wrong = try await run(
                "token", "add", "x", "--role", "administer", "--without-personal-data")
            #expect(wrong.status == 1 && wrong.errors.contains("has the role look"), "\(wrong.errors)")
        }
    }
}

@Suite("Tokens with an end", .timeLimit(.minutes(30))) struct TokenEndTests {
    @Test("A token is refused from its end on, with its logins and streams, and the list shows that it ended")
    func end() async throws {
        let clock = TestClock()
        var environment = WorkspaceEnvironment.testing
        environment.now = { clock.now }
        try await TestWorkspace.run(environment: environment) { workspace async throws in
            let end = try #require(JSON.time(clock.now + 60_000).stringValue)
            let limited = try await workspace.limited(.administer, endsAt: end)
            let cookie = try await limited.login(try #require(limited.token))
            let messages = try EventStreamClient.connect(
                limited.url + "/api/stream", token: try #require(limited.token))
            var iterator = messages.makeAsyncIterator()
            #expect(await iterator.next() != nil)
            #expect(try await limited.get("/api/sources").status == 200)
            clock.advance(by: 59_999)
            #expect(try await limited.get("/api/sources").status == 200)
            clock.advance(by: 1)
            let answer = try await limited.get("/api/sources")
            #expect(answer.status == 401)
            #expect(try answer.json["error"]?.stringValue?.contains("the token limited ended at \(end)") == true)
            #expect(try await limited.stranger.get("/api/sources", headers: ["Cookie": cookie]).status == 401)
            let page = try await limited.stranger.form("/login", "token=\(try #require(limited.token))")
            #expect(page.status == 401 && page.text.contains("The token limited ended at \(end)."))
            while await iterator.next() != nil {}
            let tokens = try await workspace.client.get("/api/tokens").json["tokens"]?.elements
            #expect(tokens?.first?["hasEnded"] == true && tokens?.first?["endsAt"] == .string(end))
        }
    }

    @Test("A day is the last one of a token, and a token with an end makes none that is valid for longer")
    func days() async throws {
        let clock = TestClock()
        var environment = WorkspaceEnvironment.testing
        environment.now = { clock.now }
        try await TestWorkspace.run(environment: environment) { workspace async throws in
            // The clock stands at the 14th of November 2023.
            let limited = try await workspace.limited(.administer, endsAt: "2023-11-16")
            let tokens = try await workspace.client.get("/api/tokens").json["tokens"]?.elements
            #expect(tokens?.first?["endsAt"] == "2023-11-17T00:00:00.000Z")
            for (end, status) in [(nil, 403), ("2023-11-17", 403), ("2023-11-16", 201)] as [(String?, Int)] {
                let answer = try await limited.post(
                    "/api/tokens", ["name": "more", "role": "look", "endsAt": .string(end)])
                #expect(answer.status == status, "\(end ?? "none"): \(answer.text)")
            }
        }
    }
}
