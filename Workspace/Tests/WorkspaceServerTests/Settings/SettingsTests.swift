import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite(.timeLimit(.minutes(30))) struct SettingsTests {
    @Test(
        "Settings tell clients to send events to the workspace",
        arguments: ["/v1/projects/WK/settings", "/projects/WK/settings"])
    func address(_ path: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            let answer = try await workspace.client.get(path)
            #expect(answer.status == 200)
            #expect(answer.header("Access-Control-Allow-Origin") == "*")
            let settings = try answer.json
            #expect(settings["integrations"]?["Segment.io"]?["apiKey"] == "WK")
            #expect(
                settings["integrations"]?["Segment.io"]?["apiHost"] == .string(workspace.client.url + "/v1"))
            #expect(settings["metrics"]?["sampleRate"] == 0)
            #expect(settings["edgeFunction"] == [:])
            #expect(settings["middlewareSettings"]?["routingRules"] == [])
            #expect(try await workspace.client.get("/v1/projects/OTHER/settings").status == 404)
        }
    }

    @Test("Settings have the host that the client used")
    func host() async throws {
        try await TestWorkspace.run(trustedProxies: ["127.0.0.1"]) { workspace async throws in
            let request = "GET /v1/projects/WK/settings HTTP/1.1\r\nHost: events.example:99\r\n"
            let answer = try await RawConnection.exchange(
                workspace.client.url, request + "X-Forwarded-Proto: https\r\nConnection: close\r\n\r\n")
            // Clients of the field put "https://" before it.
            #expect(answer.contains(#""apiHost":"events.example:99/v1""#))
            let bad = try await RawConnection.exchange(
                workspace.client.url,
                "GET /v1/projects/WK/settings HTTP/1.1\r\nHost: a/b?c\r\nConnection: close\r\n\r\n")
            #expect(bad.hasPrefix("HTTP/1.1 400"))
        }
    }

    @Test func unchangedSettingsAreNotSentAgain() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            let path = "/v1/projects/WK/settings"
            let tag = try #require(try await client.get(path).header("ETag"))
            let again = try await client.get(path, headers: ["If-None-Match": tag])
            #expect(again.status == 304)
            #expect(again.bytes.isEmpty)
            _ = try await client.put("/api/sources/WK/integrations", #"{"Mixer":{"token":"t"}}"#)
            let changed = try await client.get(path, headers: ["If-None-Match": tag])
            #expect(changed.status == 200)
            #expect(changed.header("ETag") != tag)
        }
    }

    @Test("A change of the integrations is merged with the stored integrations")
    func integrations() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            let path = "/api/sources/WK/integrations"
            _ = try await client.put(path, #"{"Mixer":{"token":"t"},"Gone":{}}"#)
            let merged = try await client.put(path, #"{"Gone":null,"Segment.io":{"httpConfig":{"backoffConfig":{}}}}"#)
            #expect(try merged.json["Mixer"] == ["token": "t"])
            #expect(try merged.json["Gone"] == nil)
            #expect(try await client.get(path).json == merged.json)
            let integrations = try await client.get("/v1/projects/WK/settings").json["integrations"]
            #expect(integrations?["Mixer"] == ["token": "t"])
            #expect(integrations?["Segment.io"]?["apiKey"] == "WK")
            #expect(integrations?["Segment.io"]?["httpConfig"] == ["backoffConfig": [:]])
            #expect(try await client.put(path, "[]").status == 400)
            #expect(try await client.put(path, #"{"Mixer":1}"#).status == 400)
            #expect(try await client.put(path, "").status == 400)
            #expect(try await client.put("/api/sources/OTHER/integrations", "{}").status == 404)
        }
    }

    @Test func filtersAreStoredAndServed() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            let path = "/api/sources/WK/filters"
            #expect(try await client.get(path).json == [])
            let rules = JSON.array([RoutingRulesTests.rule])
            #expect(try await client.put(path, rules.description).json == rules)
            #expect(try await client.get(path).json == rules)
            let settings = try await client.get("/v1/projects/WK/settings").json
            #expect(settings["middlewareSettings"]?["routingRules"] == rules)
            let bad = try await client.put(path, #"[{"matchers":[],"transformers":{}}]"#)
            #expect(bad.status == 400)
            let refusal = try bad.json["error"]?.stringValue
            #expect(refusal?.hasPrefix("rule 0, transformers: the transformers are not a list") == true)
            #expect(try await client.get(path).json == rules)
            #expect(try await client.put("/api/sources/OTHER/filters", "[]").status == 404)
            #expect(try await client.get("/api/sources/OTHER/filters").status == 404)
        }
    }

    @Test("A new source takes events and can be renamed")
    func sources() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            #expect(try await client.batch([], writeKey: "NEW").status == 401)
            #expect(try await client.put("/api/sources/NEW", "").status == 201)
            #expect(try await client.batch([], writeKey: "NEW").status == 200)
            let named = try await client.put("/api/sources/NEW", #"{"name":"Shop"}"#)
            #expect(named.status == 200)
            #expect(try named.json["name"] == "Shop")
            let sources = try await client.get("/api/sources").json["sources"]?.elements ?? []
            #expect(sources.map { $0["name"] } == ["WK", "Shop"])
            #expect(try await client.put("/api/sources/a%2Fb", "").status == 400)
            #expect(try await client.put("/api/sources/NEW", #"{"name":7}"#).status == 400)
            #expect(try await client.put("/api/sources/NEW", "[]").status == 400)
        }
    }

    @Test("Concurrent changes of the integrations are all stored")
    func overlap() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            try await withThrowingTaskGroup { group in
                for number in 0..<30 {
                    group.addTask { _ = try await client.put("/api/sources/WK/integrations", #"{"D\#(number)":{}}"#) }
                }
                try await group.waitForAll()
            }
            let integrations = try await client.get("/v1/projects/WK/settings").json["integrations"]
            #expect(integrations?.objectValue?.count == 31)
        }
    }
}
