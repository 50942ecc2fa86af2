import Crypto
import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// A real server, and real processes with functions.
@Suite("Source functions", .timeLimit(.minutes(30))) struct SourceFunctionTests {
    private static let path = "/api/sources/WK/function"
    private static let secret = "s3cret-of-the-hook"

    /// The code of a function with this body of `onRequest`.
    private static func code(_ body: String) -> String {
        """
        class Hook extends Source {
          static settings = { prefix: { default: "" }, many: { type: "number", default: 1 } };
          static secrets = { key: { required: true } };
          static verification = { scheme: "hmac-sha256", header: "X-Sig", secret: "key" };
          onRequest(request, settings) {
            \(body)
          }
        }
        """
    }

    private static let track = code(
        """
        const { json, headers, query } = request;
        if (json === undefined) throw new Refused("no JSON");
        return { type: "track", event: settings.prefix + json.name, userId: json.user, messageId: json.id,
          properties: { headers: Object.keys(headers), test: headers["x-test"], query, text: request.body } };
        """)

    /// Gives the source the function, and returns the path of its hook.
    @discardableResult
    private func make(
        _ client: TestClient, _ code: String, source: String = "WK", settings: JSON = [:]
    ) async throws -> String {
        let body: JSON = ["code": .string(code), "settings": settings, "secrets": ["key": .string(Self.secret)]]
        let answer = try await client.put("/api/sources/\(source)/function", body.description)
        #expect(answer.status == 201, "\(answer.text)")
        return try #require(answer.json["path"]?.stringValue)
    }

    private func send(
        _ client: TestClient, _ hook: String, _ body: String, headers: [String: String] = [:]
    ) async throws -> TestClient.Answer {
        let signed = ["X-Sig": Self.signature(body)].merging(headers) { $1 }
        return try await client.send("POST", hook, body: Array(body.utf8), headers: signed)
    }

    private static func signature(_ body: String) -> String {
        let key = SymmetricKey(data: Data(secret.utf8))
        return Data(HMAC<SHA256>.authenticationCode(for: Data(body.utf8), using: key)).hexadecimal
    }

    private func run(
        writeKeys: [String] = ["WK"], folder: TemporaryFolder? = nil, _ body: (TestWorkspace) async throws -> Void
    ) async throws {
        try await TestWorkspace.run(in: folder, writeKeys: writeKeys, program: CommandRun.executable.path, body)
    }

    private func requests(_ workspace: TestWorkspace) async throws -> JSON {
        try await workspace.client.get(Self.path).json["requests"] ?? .null
    }

    @Test("A signed request becomes a stored event, once, with the bytes that came")
    func good() async throws {
        try await run { workspace in
            let hook = try await make(workspace.client, Self.track, settings: ["prefix": "Shop "])
            #expect(hook.wholeMatch(of: /\/v1\/hooks\/[0-9a-f]{40}/) != nil)
            let body = "{\"name\": \"Ümlaut\\u0000\",\r\n \"user\":\"u-1\", \"id\":\"m-1\"}"
            for _ in 0..<2 {
                let answer = try await send(
                    workspace.client, hook + "?a=1%202", body,
                    headers: ["X-Test": "yes", "Authorization": "Basic x", "Cookie": "y"])
                #expect(answer.status == 200)
                #expect(try answer.json == ["success": true])
            }
            let events = try await workspace.client.events()
            #expect(events.count == 1)
            let event = try await workspace.client.get("/api/events/m-1").json
            let properties = (event["event"] ?? event["body"] ?? event)["properties"]
            #expect("\(event)".contains("Shop Ümlaut"))
            #expect(properties?["text"]?.stringValue == body, "\(event)")
            #expect(properties?["query"] == ["a": "1 2"])
            #expect(properties?["test"] == "yes")
            let names = properties?["headers"]?.elements?.compactMap(\.stringValue) ?? []
            #expect(!names.contains("x-sig") && !names.contains("authorization") && !names.contains("cookie"))
            let requests = try await requests(workspace)
            #expect(requests["accepted"] == 2)
            #expect(requests["events"] == 2)
            #expect(requests["lastFailure"]?.isNull == true)
        }
    }

    @Test("Without a message id the same body has the same id, and several events have their own")
    func ids() async throws {
        try await run { workspace in
            let code = Self.code(
                """
                return Array.from({ length: settings.many }, (_, n) => ({ type: "identify", userId: "u-" + n }));
                """)
            let hook = try await make(workspace.client, code, settings: ["many": 3])
            for body in ["a", "a", "b"] { #expect(try await send(workspace.client, hook, body).status == 200) }
            #expect(try await workspace.client.events().count == 6)
            let none = try await workspace.client.put(Self.path, #"{"settings":{"many":0}}"#)
            #expect(none.status == 200, "\(none.text)")
            #expect(try none.json["path"]?.stringValue == hook)
            #expect(try await send(workspace.client, hook, "c").status == 200)
            #expect(try await workspace.client.events().count == 6)
        }
    }

    @Test("What is not signed, not known, too long or not text is refused, and nothing is stored")
    func refused() async throws {
        try await run { workspace in
            let hook = try await make(workspace.client, Self.track)
            let body = #"{"name":"A","user":"u","id":"m"}"#
            let wrong = try await send(workspace.client, hook, body, headers: ["X-Sig": "00"])
            #expect(wrong.status == 401)
            #expect(!wrong.text.contains(Self.secret))
            #expect(try await workspace.client.send("POST", hook, body: Array(body.utf8)).status == 401)
            #expect(try await send(workspace.client, "/v1/hooks/WK", body).status == 404)
            #expect(try await send(workspace.client, hook + "0", body).status == 404)
            #expect(try await workspace.client.send("GET", hook, body: nil).status == 405)
            #expect(try await send(workspace.client, hook, String(repeating: "a", count: 1 << 20 + 1)).status == 413)
            #expect(try await send(workspace.client, hook, body, headers: ["Content-Encoding": "gzip"]).status == 415)
            let deep = String(repeating: "[", count: 1 << 16)
            var refused400 = 0
            for hostile in [deep, "\u{0}", "\u{FEFF}", "NaN", "{\"a\":" + String(repeating: "9", count: 50_000)] {
                let status = try await send(workspace.client, hook, hostile).status
                // On a busy machine the script may reach its limit of time first.
                #expect([400, 503].contains(status), "\(hostile.prefix(10)): \(status)")
                if status == 400 { refused400 += 1 }
            }
            let refused = try await send(workspace.client, hook, "[")
            #expect(refused.status == 400)
            #expect(try refused.json["error"] == "no JSON")
            let bytes: [UInt8] = [0x22, 0xff, 0x22]
            let digest = HMAC<SHA256>.authenticationCode(
                for: bytes, using: SymmetricKey(data: Data(Self.secret.utf8)))
            let binary = try await workspace.client.send(
                "POST", hook, body: bytes, headers: ["X-Sig": Data(digest).hexadecimal])
            #expect(binary.status == 400)
            #expect(try binary.json["error"] == "the body is not UTF-8")
            #expect(try await workspace.client.events() == [])
            let requests = try await requests(workspace)
            #expect(requests["refused"]?.intValue == 4 + refused400)
            #expect(requests["lastRefusal"]?["reason"] == "the body is not UTF-8")
        }
    }

    @Test(
        "A fault of the code is 503 for the sender, and a line for the operator; the repaired code takes the same request"
    )
    func faults() async throws {
        try await run { workspace in
            let hook = try await make(workspace.client, Self.code("\n    return request.json.a.b;"))
            let body = #"{"name":"A","user":"u","id":"m"}"#
            let failed = try await send(workspace.client, hook, body)
            #expect(failed.status == 503)
            #expect(failed.header("Retry-After") == "60")
            #expect(!failed.text.contains("undefined"))
            let reason = try await requests(workspace)["lastFailure"]?["reason"]?.stringValue
            #expect(reason?.hasPrefix("function, line 7: TypeError: ") == true, "\(reason ?? "")")
            for (code, text) in [
                ("return [1];", "event 1 of onRequest is an object"),
                ("return { type: \"sale\" };", "the type of event 1"),
                ("return { type: \"track\", event: \"A\" };", "has a userId or an anonymousId"),
                ("return { type: \"track\", userId: \"u\", messageId: 5 };", "the messageId of event 1"),
                ("return Promise.resolve(1);", "returned a promise"),
                ("return new Array(101).fill({ type: \"page\", userId: \"u\" });", "returned 101 events"),
                (
                    "let e = { type: \"track\", userId: \"u\" }; for (let i = 0; i < 300; i++) e = { type: \"track\", userId: \"u\", e }; return e;",
                    "cannot be read"
                ),
                ("throw new RetryLater(\"not yet\");", "not yet"),
            ] {
                let answer = try await workspace.client.put(
                    Self.path, (["code": .string(Self.code(code))] as JSON).description)
                #expect(answer.status == 200, "\(answer.text)")
                #expect(try await send(workspace.client, hook, body).status == 503, "\(code)")
                let reason = try await requests(workspace)["lastFailure"]?["reason"]?.stringValue ?? ""
                #expect(reason.contains(text), "\(reason)")
            }
            #expect(try await workspace.client.events() == [])
            let repaired = try await workspace.client.put(
                Self.path, (["code": .string(Self.track)] as JSON).description)
            #expect(repaired.status == 200)
            #expect(try await send(workspace.client, hook, body).status == 200)
            #expect(try await workspace.client.events().count == 1)
        }
    }

    @Test("Endless and greedy scripts end with 503, and neither other sources nor later requests notice")
    func endless() async throws {
        try await run(writeKeys: ["WK", "OTHER"]) { workspace in
            let bad = try await make(
                workspace.client,
                Self.code(
                    """
                    if (request.body === "loop") { for (;;) {} }
                    if (request.body === "memory") { const all = []; for (;;) all.push(new Array(100000).fill(1.5)); }
                    if (request.body === "text") { let t = "x"; for (;;) t += t; }
                    return { type: "track", event: "A", userId: "u", messageId: request.body };
                    """))
            let good = try await make(workspace.client, Self.track, source: "OTHER")
            for body in ["loop", "memory", "text"] {
                async let stopped = send(workspace.client, bad, body)
                async let other = send(workspace.client, good, #"{"name":"A","user":"u","id":"\#(body)"}"#)
                try await workspace.client.batch([Events.track(messageId: "of-\(body)")])
                #expect(try await other.status == 200)
                #expect(try await stopped.status == 503)
                #expect(try await send(workspace.client, bad, "after-\(body)").status == 200)
            }
            #expect(try await workspace.client.events().count == 9)
        }
    }

    @Test("Many requests at once are all answered, and those with 200 are stored")
    func flood() async throws {
        try await run { workspace in
            let hook = try await make(
                workspace.client,
                Self.code("return { type: \"track\", event: \"A\", userId: \"u\", messageId: request.body };"))
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<120 { group.addTask { try await send(workspace.client, hook, "m-\(number)").status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let accepted = statuses.filter { $0 == 200 }.count
            #expect(accepted >= Limits.hookPlaces)
            #expect(statuses.allSatisfy { $0 == 200 || $0 == 503 })
            #expect(try await workspace.client.events().count == accepted)
        }
    }

    @Test(
        "Settings and secrets are checked before they are stored; no answer and no log has a secret, and each change is in the log"
    )
    func administration() async throws {
        try await run { workspace in
            let client = workspace.client
            func put(_ json: JSON) async throws -> TestClient.Answer {
                try await client.put(Self.path, json.description)
            }
            #expect(try await client.get(Self.path).status == 404)
            #expect(try await client.send("DELETE", Self.path, body: nil).status == 404)
            let code = JSON.string(Self.track)
            let secrets: JSON = ["key": .string(Self.secret)]
            let cases: [(body: JSON, status: Int, text: String)] = [
                ([:], 400, "needs code"), (["colour": 1], 400, "has no colour"),
                (["code": code], 422, "the secret key is missing"), (["template": "none"], 400, "revenuecat, stripe"),
                (["code": code, "secrets": secrets, "settings": ["no": 1]], 422, "has no setting no"),
                (["code": code, "secrets": ["no": "x"]], 422, "has no secret no"),
                (["code": "class X {", "secrets": secrets], 422, "function.js"),
                (["code": "class X extends Destination { }", "secrets": secrets], 422, "Destination"),
                (["code": "class X extends Source { onRequest() {} }", "secrets": [:]], 422, "static verification"),
                (["code": "class X extends Source { static verification = { scheme: 'none' } }"], 422, "onRequest"),
                (
                    ["code": "class X extends Source { static verification = { scheme: 'magic' }; onRequest() {} }"],
                    422,
                    "the scheme is"
                ),
            ]
            for (body, status, text) in cases {
                let answer = try await put(body)
                #expect(answer.status == status, "\(body): \(answer.text)")
                #expect(answer.text.contains(text), "\(answer.text)")
                #expect(!answer.text.contains(Self.secret))
            }
            let made = try await put(["code": code, "secrets": secrets])
            #expect(made.status == 201)
            #expect(try made.json["secrets"] == ["key"])
            let hook = try #require(made.json["path"]?.stringValue)
            #expect(try await put(["secrets": ["key": "another secret"]]).status == 200)
            #expect(try await send(workspace.client, hook, "{}").status == 401)
            #expect(try await put(["secrets": ["key": .null]]).status == 422)
            let token = try await client.post("/api/tokens", ["name": "Ana", "role": "look"]).json
            var reader = client
            reader.token = token["token"]?.stringValue
            let shown = try await reader.get(Self.path)
            #expect(shown.status == 200)
            #expect(try shown.json["path"]?.isNull == true)
            #expect(try shown.json["code"] == "…")
            #expect(try await reader.put(Self.path, "{}").status == 403)
            let removed = try await client.send("DELETE", Self.path, body: nil)
            #expect(try removed.json == ["removed": "WK"])
            #expect(try await send(workspace.client, hook, "{}").status == 404)
            let log = try await client.get("/api/audit").text
            for action in ["source function made", "source function changed", "source function removed"] {
                #expect(log.contains(action))
            }
            #expect(!log.contains(Self.secret) && !log.contains("another secret") && !log.contains(hook))
        }
    }

    @Test("A function is there after a restart, and gone with its source")
    func restart() async throws {
        let folder = try TemporaryFolder()
        var hook = ""
        try await run(folder: folder) { hook = try await make($0.client, Self.track) }
        try await run(folder: folder) { workspace in
            #expect(try await send(workspace.client, hook, #"{"name":"A","user":"u","id":"m"}"#).status == 200)
            #expect(try await workspace.client.events().count == 1)
            _ = try await workspace.client.send("DELETE", "/api/sources/WK", body: nil)
            #expect(try await send(workspace.client, hook, "{}").status == 404)
        }
    }

    @Test("A notification that the App Store signed is stored once, and one that somebody else signed is refused")
    func appStore() async throws {
        let (store, other) = (try AppStoreStandIn(), try AppStoreStandIn())
        let settings: JSON = ["bundleId": "com.example.shop", "root": .string(store.fingerprint)]
        let notification: JSON = [
            "notificationType": "REFUND", "notificationUUID": "n-1",
            "data": [
                "bundleId": "com.example.shop", "environment": "Production",
                "transactionInfo": [
                    "bundleId": "com.example.shop", "environment": "Production", "originalTransactionId": "17",
                ],
            ],
        ]
        let then: Int64 = 1_600_000_000_000
        try await run { workspace in
            let client = workspace.client
            let function: JSON = ["template": "app-store", "settings": settings]
            let made = try await client.put(Self.path, function.description).json
            let hook = try #require(made["path"]?.stringValue)
            let forged = try await client.send("POST", hook, body: try other.body(notification, now: then))
            #expect(forged.status == 401)
            #expect(forged.text.contains("do not end with the root"))
            for _ in 0..<2 {
                let answer = try await client.send("POST", hook, body: try store.body(notification, now: then))
                #expect(answer.status == 200, "\(answer.text)")
            }
            let events = try await client.events()
            #expect(events.map { $0["name"] } == ["Order Refunded"])
            #expect(events.first?["anonymousId"] == "17" && events.first?["messageId"] == "n-1")
        }
    }

    @Test("A server that runs no scripts refuses functions with a reason")
    func withoutProgram() async throws {
        try await TestWorkspace.run { workspace in
            let body: JSON = ["code": .string(Self.track), "secrets": ["key": "x"]]
            let answer = try await workspace.client.put(Self.path, body.description)
            #expect(answer.status == 501)
            #expect(answer.text.contains("the program tributary"))
        }
    }

    @Test("What a killed server had acknowledged is there when it starts again")
    func kill() async throws {
        let folder = try TemporaryFolder()
        let arguments = ["serve", "--port", "0", "--data", folder.path, "--write-key", "WK"]
        let first = try CommandRun(arguments)
        let client = TestClient(url: try #require(await first.line(after: "tributary: listening on ")))
        let hook = try await make(
            client, Self.code("return { type: \"track\", event: \"A\", userId: \"u\", messageId: request.body };"))
        // The server ends somewhere in the middle of these requests, each on a connection of its own.
        let acknowledged = await withTaskGroup(of: [String].self) { group in
            for worker in 0..<6 {
                group.addTask {
                    var ids: [String] = []
                    for number in 0..<40 {
                        let id = "m-\(worker)-\(number)"
                        // An error is a request that the killed server did not answer.
                        let answer = try? await client.plain("POST", hook, id, headers: ["X-Sig": Self.signature(id)])
                        guard answer?.status == 200 else { break }
                        ids.append(id)
                        if worker == 0, number == 10 { first.signal(SIGKILL) }
                    }
                    return ids
                }
            }
            return await group.reduce(into: Set<String>()) { $0.formUnion($1) }
        }
        #expect(acknowledged.count >= 11)
        #expect(try await first.finished().status == SIGKILL)
        try await run(folder: folder) { workspace in
            let ids = try await workspace.client.events().compactMap { $0["messageId"]?.stringValue }
            #expect(acknowledged.subtracting(ids) == [])
            #expect(Set(ids).count == ids.count)
            // The services send the others again.
            for id in acknowledged.union(["m-0-39"]) {
                #expect(try await send(workspace.client, hook, id).status == 200)
            }
            #expect(try await workspace.client.events().count == Set(ids).union(["m-0-39"]).count)
        }
    }
}
