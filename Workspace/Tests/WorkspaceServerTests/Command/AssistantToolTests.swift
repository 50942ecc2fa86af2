import Foundation
import Testing
import TributaryJSON
import WorkspaceCore

@testable import TributaryCommand

/// The tools of `tributary mcp` against a real workspace.
@Suite("The tools of `tributary mcp`", .timeLimit(.minutes(30))) struct AssistantToolTests {
    private static let plugin = """
        class Trial extends LivePlugin {
          constructor() { super(LivePluginType.enrichment, null); }
          track(event) { event.properties.more = 1; return event; }
        }
        analytics.add(new Trial());
        """
    private static let rules: JSON = [
        [
            "destinationName": "Amplitude", "transformers": [[["type": "drop"]]],
            "matchers": [["type": "fql", "ir": #"["=", "event", {"value": "Order + Completed"}]"#]],
        ]
    ]

    private func fill(_ client: TestClient) async throws {
        try await client.batch([
            Events.track(messageId: "m-1"), Events.track(messageId: "m/2 ü", name: "Order + Completed", userId: "u+2"),
            Events.track(messageId: "m-3", name: "Opened"), ["type": "nonsense", "messageId": "bad"],
        ])
        let traces = [Events.trace("m-1"), Events.trace("gone", outcome: "dropped")]
        _ = try await client.post("/v1/traces", ["writeKey": "WK", "traces": .array(traces)])
        let settings: JSON = ["url": "http://127.0.0.1:9/"]
        _ = try await client.put(
            "/api/sources/WK/destinations/Partner", (["kind": "webhook", "settings": settings] as JSON).description)
    }

    @Test("The texts of a tool are the answers of the API, byte by byte")
    func sameAnswers() async throws {
        try await TestWorkspace.run(isForwarding: false) { workspace async throws in
            try await fill(workspace.client)
            let cases: [(tool: String, arguments: JSON, paths: [String])] = [
                ("list_sources", [:], ["/api/sources"]),
                ("list_events", [:], ["/api/events"]),
                ("list_events", ["limit": 1], ["/api/events?limit=1"]),
                ("list_events", ["limit": 1, "before": 3, "order": .null], ["/api/events?limit=1&before=3"]),
                (
                    "list_events",
                    ["name": "Order + Completed", "userId": "u+2", "where": ["properties.total>10", "event"]],
                    ["/api/events?name=Order%20%2B%20Completed&userId=u%2B2&where=properties.total%3E10&where=event"]
                ),
                (
                    "list_events", ["writeKey": "WK", "type": "track", "order": "asc", "since": "2026-01-01"],
                    ["/api/events?writeKey=WK&type=track&order=asc&since=2026-01-01"]
                ),
                ("explain_event", ["messageId": "m-1"], ["/api/events/m-1", "/api/consent?messageId=m-1"]),
                (
                    "explain_event", ["messageId": "m/2 ü"],
                    ["/api/events/m%2F2%20%C3%BC", "/api/consent?messageId=m%2F2%20%C3%BC"]
                ),
                ("catalog", ["writeKey": "WK"], ["/api/catalog?writeKey=WK"]),
                (
                    "catalog", ["writeKey": "WK", "properties": "false", "limit": 1],
                    ["/api/catalog?writeKey=WK&properties=false&limit=1"]
                ),
                ("list_drops", ["writeKey": "WK"], ["/api/drops?writeKey=WK"]),
                ("list_rejected", ["limit": 5], ["/api/rejected?limit=5"]),
                ("list_rejected", ["where": ["type=nonsense"]], ["/api/rejected?where=type=nonsense"]),
            ]
            let client = try await AssistantClient.begun(workspace.client.url)
            for (tool, arguments, paths) in cases {
                let result = try await client.call(tool, arguments)
                #expect(!result.isError, "\(tool) \(arguments): \(result.texts)")
                var answers: [String] = []
                for path in paths {
                    let answer = try await workspace.client.get(path)
                    #expect(answer.status == 200, "\(path): \(answer.text)")
                    answers.append(answer.text)
                }
                #expect(result.texts == answers, "\(tool) \(arguments)")
            }
            // So that equal answers are not both empty.
            #expect(try await client.call("explain_event", ["messageId": "m-1"]).texts[0].contains(#""stages""#))
            #expect(try await client.call("explain_event", ["messageId": "m-1"]).texts[1].contains("Partner"))
            #expect(try await client.call("list_drops").texts[0].contains("gone"))
            #expect(try await client.call("list_rejected").texts[0].contains("nonsense"))
            #expect(try await client.end().errors == "")
        }
    }

    @Test("Questions about many events answer with their result, and with the reason when there is none")
    func searches() async throws {
        try await TestWorkspace.run { workspace async throws in
            try await workspace.client.batch([
                Events.track(messageId: "1", name: "Opened"), Events.track(messageId: "2", name: "Bought"),
                Events.track(messageId: "3", name: "Opened", userId: "u-2"),
            ])
            let client = try await AssistantClient.begun(workspace.client.url)
            func answer(_ tool: String, _ arguments: JSON) async throws -> JSON {
                let result = try await client.call(tool, arguments)
                #expect(!result.isError, "\(tool): \(result.texts)")
                return try JSON.parse(try #require(result.texts.first))
            }
            let days: JSONObject = ["writeKey": "WK", "since": "2026-11-20", "until": "2026-11-22"]
            func asked(_ more: [String: JSON]) -> JSON {
                var question = days
                for (name, value) in more { question[name] = value }
                return .object(question)
            }
            let count = try await answer(
                "count_events",
                asked(["time": "happened", "property": "event", "statistic": "sum", "of": "properties.total"]))
            #expect(count["total"]?["measured"]?["value"] == 126)
            #expect(count["values"]?.elements?.map { $0["value"] } == ["Opened", "Bought"])
            let funnel = try await answer("funnel", asked(["step": ["Opened", "Bought"]]))
            #expect(funnel["all"]?["people"] == [2, 1])
            let retention = try await answer("retention", asked(["first": "Opened"]))
            #expect(retention["all"]?["people"] == 2)
            let refused = try await client.call("funnel", asked(["step": ["Opened"]]))
            #expect(refused.isError && refused.texts[0].contains("2 to 8 steps"))
            _ = try await client.end()
        }
    }

    @Test("A trial of a plugin and a plan of rules answer as the API does, and nothing in the workspace changes")
    func trials() async throws {
        try await TestWorkspace.run(program: CommandRun.executable.path, isForwarding: false) {
            workspace async throws in
            try await fill(workspace.client)
            let before = try await state(workspace.client)
            let client = try await AssistantClient.begun(workspace.client.url)
            let trial = try await client.call(
                "test_plugin", ["writeKey": "WK", "bundle": .string(Self.plugin), "last": 2])
            let sent = try await workspace.client.send(
                "POST", "/api/sources/WK/live-plugins/try?last=2", body: Array(Self.plugin.utf8),
                headers: ["Content-Type": "text/javascript"])
            #expect(!trial.isError, "\(trial.texts)")
            #expect(try untimed(JSON.parse(trial.texts[0])) == untimed(sent.json))
            #expect(try JSON.parse(trial.texts[0])["changed"] == 2)

            let plan = try await client.call("plan_filter", ["writeKey": "WK", "rules": Self.rules, "last": 100])
            let planned = try await workspace.client.post("/api/sources/WK/filters/dry-run?last=100", Self.rules)
            #expect(!plan.isError, "\(plan.texts)")
            #expect(plan.texts == [planned.text])
            #expect(try planned.json["destinations"]?.elements?.first?["dropped"] == 1)
            _ = try await client.end()
            #expect(try await state(workspace.client) == before)
        }
    }

    /// The parts of the workspace that a tool could change.
    private func state(_ client: TestClient) async throws -> [String] {
        var texts: [String] = []
        for path in ["audit", "sources", "sources/WK/filters", "sources/WK/live-plugins", "tokens", "suppressions"] {
            texts.append(try await client.get("/api/\(path)").text)
        }
        return texts
    }

    /// A trial without the times that it measured, and without a warning about them: a busy machine loads a bundle slowly.
    private func untimed(_ trial: JSON) -> JSON {
        var trial = trial
        for name in ["loadMilliseconds", "medianMicroseconds", "p99Microseconds"] { trial[name] = nil }
        trial["findings"] = .array((trial["findings"]?.elements ?? []).filter { $0["severity"] == "error" })
        trial["examples"] = .array(
            (trial["examples"]?.elements ?? []).map { example in
                var example = example
                example["microseconds"] = nil
                return example
            })
        return trial
    }

    @Test("A token that may only look reads events, and the API refuses its trials")
    func readOnly() async throws {
        try await TestWorkspace.run(program: CommandRun.executable.path) { workspace async throws in
            try await fill(workspace.client)
            let made = try await workspace.client.post("/api/tokens", ["name": "Assistant", "role": "look"])
            let token = try #require(try made.json["token"]?.stringValue)
            let client = try await AssistantClient.begun(workspace.client.url, token: token)
            for (tool, arguments) in [
                ("list_sources", [:]), ("list_events", [:]), ("explain_event", ["messageId": "m-1"]),
                ("catalog", ["writeKey": "WK"]), ("count_events", ["writeKey": "WK"]), ("list_drops", [:]),
                ("list_rejected", [:]),
            ] as [(String, JSON)] {
                #expect(try await !client.call(tool, arguments).isError, "\(tool)")
            }
            for (tool, arguments) in [
                ("test_plugin", ["writeKey": "WK", "bundle": "1"]), ("plan_filter", ["writeKey": "WK", "rules": []]),
            ] as [(String, JSON)] {
                let refused = try await client.call(tool, arguments)
                #expect(refused.isError)
                #expect(
                    try JSON.parse(refused.texts[0])["error"]
                        == "the token Assistant has the role look; this needs the role deploy")
            }
            _ = try await client.end()
        }
    }

    @Test("Without a token, or with a wrong one, a tool answers with the refusal of the API")
    func refused() async throws {
        try await TestWorkspace.run { workspace async throws in
            for token in [nil, "a-wrong-token-of-the-tests"] as [String?] {
                let client = try await AssistantClient.begun(workspace.client.url, token: token)
                let result = try await client.call("list_events")
                #expect(result.isError)
                #expect(result.texts.count == 1)
                #expect(try JSON.parse(result.texts[0])["error"]?.stringValue != nil)
                _ = try await client.end()
            }
        }
    }

    @Test("A refusal of the API and a bad argument are results that an assistant can learn from")
    func corrections() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = try await AssistantClient.begun(workspace.client.url)
            let missing = try await client.call("explain_event", ["messageId": "none"])
            #expect(missing.isError)
            #expect(missing.texts == [try await workspace.client.get("/api/events/none").text])
            let type = try await client.call("list_events", ["type": "purchase"])
            #expect(type.isError)
            #expect(type.texts == [try await workspace.client.get("/api/events?type=purchase").text])
            let source = try await client.call("catalog", ["writeKey": "NONE"])
            #expect(source.isError)
            #expect(source.texts == [try await workspace.client.get("/api/catalog?writeKey=NONE").text])

            for (tool, arguments, reason) in [
                ("list_events", ["limt": 1], "list_events has no argument limt; did you mean limit?"),
                ("list_sources", ["all": true], "list_sources has no argument all; it has none"),
                ("list_events", ["limit": "1"], "limit is an integer"),
                ("list_events", ["limit": 1.5], "limit is an integer"),
                ("list_events", ["where": "properties.total"], "where is an array of texts"),
                ("list_events", ["where": [1]], "where is an array of texts"),
                ("list_events", ["name": 1], "name is a text"),
                ("catalog", [:], "catalog needs the argument writeKey"),
                ("catalog", ["writeKey": .null], "catalog needs the argument writeKey"),
                ("plan_filter", ["writeKey": "WK", "rules": ["x"]], "rules is an array of objects"),
                ("explain_event", ["messageId": ""], "\"\" cannot be part of an address"),
                ("explain_event", ["messageId": ".."], "\"..\" cannot be part of an address"),
                ("test_plugin", ["writeKey": "../tokens", "bundle": "1"], nil),
            ] as [(String, JSON, String?)] {
                let result = try await client.call(tool, arguments)
                #expect(result.isError, "\(tool) \(arguments)")
                if let reason { #expect(result.texts == [reason]) }
            }
            _ = try await client.end()
        }
    }

    @Test("An answer beyond the limit is refused with the advice to ask for less")
    func longAnswer() async throws {
        try await TestWorkspace.run { workspace async throws in
            let long = String(repeating: "x", count: 30_000)
            for part in 0..<15 {
                try await workspace.client.batch(
                    (0..<10).map { number in
                        var event = Events.track(messageId: "m-\(part)-\(number)")
                        event["properties"] = ["text": .string(long)]
                        return event
                    })
            }
            let client = try await AssistantClient.begun(workspace.client.url)
            let result = try await client.call("list_events", ["limit": 1_000])
            #expect(result.isError)
            #expect(
                result.texts[0].hasSuffix("ask for less, such as with a lower limit"), "\(result.texts[0].prefix(200))")
            #expect(try await !client.call("list_events", ["limit": 3]).isError)
            _ = try await client.end()
        }
    }

    @Test("Many calls at the same time all get their answers")
    func many() async throws {
        try await TestWorkspace.run { workspace async throws in
            try await fill(workspace.client)
            let client = try await AssistantClient.begun(workspace.client.url)
            for id in 100..<150 {
                try client.send([
                    "jsonrpc": "2.0", "id": .number(id), "method": "tools/call",
                    "params": ["name": "list_events", "arguments": ["limit": 1]],
                ])
            }
            var ids: Set<Int> = []
            let expected = try await workspace.client.get("/api/events?limit=1").text
            for _ in 100..<150 {
                let answer = try await client.next()
                ids.insert(try #require(answer["id"]?.intValue))
                #expect(answer["result"]?["content"]?[0]?["text"]?.stringValue == expected)
            }
            #expect(ids == Set(100..<150))
            #expect(try await client.end().output == "")
        }
    }

    @Test("A workspace that cannot be reached is a result with the reason")
    func unreachable() async throws {
        let client = try await AssistantClient.begun("http://127.0.0.1:9")
        let result = try await client.call("list_sources")
        #expect(result.isError)
        #expect(result.texts[0].hasPrefix("http://127.0.0.1:9 cannot be reached: "))
        _ = try await client.end()
    }

    @Test("A trial sends the arguments as they are, and hands the answer on as it came")
    func unchanged() async throws {
        let odd = #" {"b" : 1.50, "a":"\u00e9\/","a": 2 }"#
        let receiver = Receiver { _, _ in .init(body: odd) }
        try await receiver.run { url in
            let client = try await AssistantClient.begun(url)
            let bundle = "// é\n\u{2028}1"
            let trial = try await client.call("test_plugin", ["writeKey": "a/b", "bundle": .string(bundle)])
            #expect(trial.texts == [odd])
            #expect(!trial.isError)
            #expect(try await client.call("plan_filter", ["writeKey": "WK", "rules": Self.rules]).texts == [odd])
            let sent = receiver.deliveries
            #expect(sent.map(\.path) == ["/api/sources/a%2Fb/live-plugins/try", "/api/sources/WK/filters/dry-run"])
            #expect(sent.map { $0.headers["content-type"] } == ["text/javascript", "application/json"])
            #expect(sent[0].body == Array(bundle.utf8))
            #expect(sent[1].event == Self.rules)
            _ = try await client.end()
        }
    }

    @Test("An answer that is not JSON is not handed on, because it comes from another program")
    func otherProgram() async throws {
        let receiver = Receiver { _, _ in .init(body: "<html>hello</html>") }
        try await receiver.run { url in
            let client = try await AssistantClient.begun(url)
            let result = try await client.call("test_plugin", ["writeKey": "WK", "bundle": "1"])
            #expect(result.isError)
            #expect(result.texts == ["the server's answer is not that of a workspace: status 200"])
            _ = try await client.end()
        }
    }

    @Test("A call can be cancelled, has no answer then, and does not keep the program from ending")
    func cancelled() async throws {
        let receiver = Receiver { _, _ in .init(hangs: true) }
        try await receiver.run { url in
            let client = try await AssistantClient.begun(url)
            let trial: JSON = ["name": "test_plugin", "arguments": ["writeKey": "WK", "bundle": "1"]]
            try client.send(["jsonrpc": "2.0", "id": "long", "method": "tools/call", "params": trial])
            while receiver.deliveries.isEmpty { await Task.yield() }
            // The same id cannot be used for two calls at once.
            try client.send(["jsonrpc": "2.0", "id": "long", "method": "ping"])
            #expect(try await client.next()["error"]?["code"] == -32_600)
            #expect(try await client.ask("ping")["result"] == [:])
            try client.send([
                "jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["requestId": "long"],
            ])
            try client.send(["jsonrpc": "2.0", "id": "long", "method": "ping"])
            #expect(try await client.next() == ["jsonrpc": "2.0", "id": "long", "result": [:]])

            try client.send(["jsonrpc": "2.0", "id": "last", "method": "tools/call", "params": trial])
            while receiver.deliveries.count < 2 { await Task.yield() }
            let outcome = try await client.end()
            #expect(outcome.status == 0)
            #expect(outcome.output == "")
        }
    }
}
