import ClusterTestKit
import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Countries on a server", .timeLimit(.minutes(30))) struct CountryServerTests {
    private static let networks: KeyValuePairs = [
        "127.0.0.0/8": "GB", "203.0.113.0/24": "DE", "198.51.100.0/24": "FR", "2001:db8::/32": "SE",
    ]

    private let folder: TemporaryFolder
    private var path: String { folder.path + "/countries.mmdb" }

    init() throws {
        folder = try TemporaryFolder()
        try CountryDatabases.countries(Self.networks).write(to: folder.path + "/countries.mmdb")
    }

    private func run<Result>(
        proxies: [String] = [], _ body: (TestWorkspace) async throws -> Result
    ) async throws -> Result {
        try await TestWorkspace.run(trustedProxies: proxies, countryDatabase: path) { try await body($0) }
    }

    /// The countries of the stored events, in the order of arrival.
    private func countries(_ client: TestClient) async throws -> [JSON?] {
        try await client.events().map { $0["event"]?["context"]?["location"]?["country"] }
    }

    private static func events(_ contexts: JSON?...) -> [JSON] {
        contexts.enumerated().map { index, context in
            var event: JSON = ["type": "screen", "userId": "u", "messageId": .string("m-\(index)")]
            if let context { event["context"] = context }
            return event
        }
    }

    @Test("An event gets the country of its address, or of its connection; what the client says stays")
    func connection() async throws {
        try await run { workspace async throws in
            let client = workspace.client
            try await client.batch(
                Self.events(
                    nil, ["ip": "203.0.113.77"], ["ip": "10.0.0.1"], ["location": ["country": "CH"]],
                    ["ip": "2001:db8::1", "location": ["city": "Kiruna"]]))
            #expect(try await countries(client) == ["GB", "DE", nil, "CH", "SE"])
            let last = try #require(try await client.events().last)
            #expect(last["event"]?["context"]?["location"] == ["city": "Kiruna", "country": "SE"])
            // By default no address is added to the event.
            #expect(try await client.events().first?["event"]?["context"]?["ip"] == nil)
        }
    }

    @Test("Behind a trusted proxy the country is that of its client") func proxy() async throws {
        try await run(proxies: ["127.0.0.1"]) { workspace async throws in
            for (index, addresses) in ["198.51.100.9", "203.0.113.5, 198.51.100.9", "2001:db8::7"].enumerated() {
                _ = try await workspace.client.post(
                    "/v1/page", ["userId": "u", "messageId": .string("m-\(index)"), "writeKey": "WK"],
                    headers: ["X-Forwarded-For": addresses])
            }
            #expect(try await countries(workspace.client) == ["FR", "FR", "SE"])
        }
        try await run { workspace async throws in
            _ = try await workspace.client.post(
                "/v1/page", ["userId": "u", "messageId": "m", "writeKey": "WK"],
                headers: ["X-Forwarded-For": "198.51.100.9"])
            #expect(try await countries(workspace.client) == ["GB"])
        }
    }

    @Test(
        "The policy of a source says from which address countries come, before addresses are shortened or dropped",
        arguments: [
            (#"{"ip":"truncate"}"#, ["GB", "DE"]), (#"{"ip":"drop"}"#, [nil, nil]),
            (#"{"ip":"drop","country":"connection"}"#, ["GB", "DE"]), (#"{"country":"sent"}"#, [nil, "DE"]),
            (#"{"country":"none","ip":"keep"}"#, [nil, nil]),
        ] as [(String, [JSON?])])
    func policy(policy: String, expected: [JSON?]) async throws {
        try await run { workspace async throws in
            let client = workspace.client
            #expect(try await client.put("/api/sources/WK/policy", policy).status == 200)
            try await client.batch(Self.events(nil, ["ip": "203.0.113.77"]))
            #expect(try await countries(client) == expected)
            let addresses = try await client.events().map { $0["event"]?["context"]?["ip"] }
            if policy.contains("drop") { #expect(addresses == [nil, nil]) }
            if policy.contains("truncate") { #expect(addresses == ["127.0.0.0", "203.0.113.0"]) }
        }
    }

    @Test("An import has no country of the machine that imports") func imports() async throws {
        try await run { workspace async throws in
            let answer = try await workspace.client.post(
                "/v1/b",
                [
                    "writeKey": "WK", "batch": .array(Self.events(nil, ["ip": "203.0.113.77"])),
                ], headers: ["Tributary-Import": "true"])
            #expect(answer.status == 200)
            #expect(try await countries(workspace.client) == [nil, "DE"])
        }
    }

    @Test("Events are found, counted and exported by their country, as by every property") func asProperty()
        async throws
    {
        try await run { workspace async throws in
            let client = workspace.client
            try await client.batch(Self.events(nil, ["ip": "203.0.113.77"], ["ip": "203.0.113.78"]))
            let found = try await client.get("/api/events?where=context.location.country%3DDE").json
            #expect(found["events"]?.elements?.count == 2)
            let answer = try await client.get("/api/breakdown?writeKey=WK&property=context.location.country").text
            #expect(answer.contains(#""DE""#) && answer.contains(#""GB""#), "\(answer)")
        }
    }

    @Test("Operators see which database is in use, and what is wrong with a new one") func state() async throws {
        try await run { workspace async throws in
            let right: JSON = ["type": "Test-Country", "built": "2026-11-24", "problem": .null]
            #expect(try await workspace.client.get("/api/server").json["countries"] == right)
            let token = ["Authorization": "Bearer \(TestClient.token)"]
            let metrics = try await workspace.client.get("/metrics", headers: token).text
            #expect(metrics.contains("tributary_country_database_refused 0"))
            #expect(metrics.contains("tributary_country_database_age_seconds"))
        }
        try await TestWorkspace.run { workspace async throws in
            #expect(try await workspace.client.get("/api/server").json["countries"] == .null)
            let token = ["Authorization": "Bearer \(TestClient.token)"]
            let metrics = try await workspace.client.get("/metrics", headers: token).text
            #expect(metrics.contains("tributary_open_connections") && !metrics.contains("tributary_country_database"))
            try await workspace.client.batch(Self.events(nil))
            #expect(try await countries(workspace.client) == [nil])
        }
    }
}
