import Crypto
import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Tokens without personal data", .timeLimit(.minutes(30))) struct PersonalDataTests {
    private static let hiding = PersonalDataMask(marked: ["Loyalty_Card"], secret: SymmetricKey(data: Data([1, 2, 3])))

    /// Part of every personal text.
    private static let mark = "marmot"

    private static let event: JSON = [
        "type": "identify", "event": "Order Completed", "messageId": "m-1", "userId": "marmot@example.com",
        "anonymousId": "marmot-device", "traits": ["name": "Marmot", "plan": "marmot"],
        "properties": [
            "total": 5, "plan": "pro", "email": "marmot@example.com", "First Name": "Marmot marmot",
            "shipping": ["street": "marmot way"], "note": "write to marmot@example.com", "loyalty-card": "marmot",
            "items": [["sku": "a", "customer_name": "marmot"]], "10.9.8.7": 1, "from": "host 10.9.8.7:443",
            "six": "[fe80::1]:80", "link": "https://shop.example/a?mail=marmot", "marmot@example.com": 1,
        ],
        "context": [
            "ip": "10.9.8.7", "traits": ["email": "marmot@example.com"], "app": ["name": "Shop", "version": "1.2.3.4"],
            "device": ["id": "marmot", "model": "Phone", "advertisingId": "marmot"], "other": "marmot",
            "page": ["url": "https://shop.example/a?user=marmot", "search": "?user=marmot"], "locale": "de-DE",
            "location": ["country": "DE", "city": "marmot"],
        ],
        "integrations": ["marmot": true], "unknown": "marmot", "sentAt": "2026-11-21T01:00:00.000Z",
    ]

    @Test("Of an event stay the members that say nothing of a person, and digests of ids")
    func event() throws {
        let hidden = try JSON.parse(Self.hiding.hidden(event: Self.event.encoded()))
        let text = hidden.description.lowercased()
        for secret in [Self.mark, "10.9.8.7", "fe80"] { #expect(!text.contains(secret), "\(text)") }
        #expect(hidden["userId"]?.stringValue?.hasPrefix("hidden-") == true)
        #expect(hidden["userId"] != hidden["anonymousId"])
        #expect(hidden["traits"] == nil && hidden["integrations"] == nil && hidden["unknown"] == nil)
        #expect(hidden["properties"]?["total"] == 5)
        #expect(hidden["properties"]?["plan"] == "pro")
        #expect(hidden["properties"]?["link"] == "https://shop.example/a")
        #expect(hidden["properties"]?["items"] == [["sku": "a"]])
        #expect(hidden["context"]?["app"] == ["name": "Shop", "version": "1.2.3.4"])
        #expect(hidden["context"]?["device"] == ["model": "Phone"])
        #expect(hidden["context"]?["location"] == ["country": "DE"])
        #expect(hidden["context"]?["locale"] == "de-DE")
        #expect(Self.hiding.hidden(event: Array("no JSON marmot".utf8)) == Array("{}".utf8))
    }

    @Test("A digest needs the secret of the workspace") func digests() {
        let other = PersonalDataMask(marked: [], secret: SymmetricKey(data: Data([4])))
        #expect(Self.hiding.digest("u") == Self.hiding.digest("u"))
        #expect(Self.hiding.digest("u") != other.digest("u"))
    }

    @Test(
        "A path to something that is left out is known",
        arguments: [
            ("traits.email", true), ("traits", true), ("context.ip", true), ("context.traits.name", true),
            ("context.device.id", true), ("context.device.model", false), ("context.locale", false),
            ("properties.total", false), ("properties.Email", true), ("properties.loyaltyCard", true),
            ("properties.shipping.street", true), ("userId", false), ("event", false), ("integrations.a", true),
        ]) func paths(_ path: String, _ isHidden: Bool) throws
    {
        #expect(Self.hiding.hides(try JSONPath(path)) == isHidden, "\(path)")
    }

    /// Fills the source WK with personal data wherever a source can have it.
    private func fill(_ workspace: TestWorkspace) async throws {
        let client = workspace.client
        var track = Self.event
        track["type"] = "track"
        track["messageId"] = "m-2"
        var rejected = Self.event
        rejected["type"] = "marmot"
        let sent: [(String, String, JSON)] = [
            ("PUT", "/api/sources/WK/policy", ["personal": ["Loyalty_Card"]]),
            ("POST", "/v1/b", ["writeKey": "WK", "batch": [Self.event, track, rejected]]),
            (
                "POST", "/v1/traces",
                ["writeKey": "WK", "traces": [Self.trace("m-2", "sent"), Self.trace("m-3", "dropped")]]
            ),
            ("POST", "/signals?writeKey=WK", [["type": "navigation", "anonymousId": "marmot", "data": ["marmot": 1]]]),
            ("PUT", "/api/sources/WK/traces", ["userId": "marmot@example.com", "seconds": 600]),
            ("PUT", "/api/suppressions?userId=marmot-gone", ["reason": "marmot"]),
            ("PUT", "/api/views/open", ["place": "explore", "query": "source=WK&by=name"]),
            ("PUT", "/api/views/closed", ["place": "explore", "query": "source=WK&where=properties.email%3Dmarmot"]),
            ("PUT", "/api/views/user", ["place": "events", "query": "source=WK&userId=marmot"]),
            (
                "PUT", "/api/sources/WK/destinations/D",
                ["kind": "webhook", "settings": ["url": "http://127.0.0.1:9/marmot"]]
            ),
        ]
        for (method, path, body) in sent {
            let answer = try await client.send(method, path, body: body.encoded())
            try #require((200..<300).contains(answer.status), "\(path): \(answer.text)")
        }
    }

    private static func trace(_ messageId: String, _ outcome: String) -> JSON {
        var trace = Events.trace(messageId, outcome: outcome)
        trace["event"] = "marmot"
        trace["stages"] = [
            ["stage": "enrichment", "plugin": "marmot", "outcome": "changed", "event": ["userId": "marmot"]]
        ]
        return trace
    }

    @Test("No route shows personal data, and routes that could are refused")
    func everyRoute() async throws {
        try await TestWorkspace.run(allowsReset: true, program: CommandRun.executable.path) { workspace async throws in
            try await fill(workspace)
            let client = try await workspace.limited(.look, personalData: "hidden")
            for operation in try DescribedOperation.all() {
                for query in [["writeKey": "WK"], [:], ["writeKey": "WK", "property": "event"], ["where": "event"]] {
                    for id in ["m-1", "m-2"] {
                        let path = operation.address(["writeKey": "WK", "messageId": id, "name": "D"], query)
                        let body: [UInt8]? = operation.method == "GET" ? nil : Array("{}".utf8)
                        let answer = try await client.authorized(operation.method, path, body: body)
                        let text = answer.text.lowercased()
                        let name = "\(operation.id) \(path): \(answer.status) \(answer.text)"
                        for secret in [Self.mark, "10.9.8.7"] { #expect(!text.contains(secret), "\(name)") }
                        #expect(answer.status < 500, "\(name)")
                        if !operation.hidesPersonalData { #expect(answer.status == 403, "\(name)") }
                        #expect(!operation.hidesPersonalData || operation.role == .look, "\(name)")
                    }
                }
            }
            let views = try await client.get("/api/views").json["views"]?.elements?.map { $0["name"] }
            #expect(views == ["open"])
            let events = try await client.get("/api/events").json["events"]?.elements ?? []
            #expect(events.count == 2)
            #expect(events.allSatisfy { $0["event"]?["properties"]?["total"] == 5 })
            #expect(Set(events.map { $0["userId"]?.stringValue }).count == 1)
        }
    }

    @Test(
        "A question cannot find out a hidden value",
        arguments: [
            "/api/events?where=properties.email~marmot", "/api/events?where=traits.name=Marmot",
            "/api/events?where=properties.loyalty-card=marmot", "/api/events?where=context.ip=10.9.8.7",
            "/api/events?userId=marmot@example.com", "/api/events?anonymousId=marmot-device",
            "/api/breakdown?writeKey=WK&property=properties.email", "/api/breakdown?writeKey=WK&where=traits.name~M",
            "/api/breakdown?writeKey=WK&property=traits.name", "/api/breakdown?writeKey=WK&userId=marmot@example.com",
            "/api/breakdown?writeKey=WK&statistic=sum&of=properties.age",
            #"/api/funnel?writeKey=WK&step={%22name%22:%22A%22,%22where%22:[%22properties.email~m%22]}&step=B"#,
            "/api/funnel?writeKey=WK&step=A&step=B&property=properties.email",
            #"/api/retention?writeKey=WK&first={%22name%22:%22A%22,%22where%22:[%22context.ip~1%22]}"#,
        ]) func questions(_ path: String) async throws
    {
        try await TestWorkspace.run { workspace async throws in
            try await fill(workspace)
            let client = try await workspace.limited(.look, personalData: "hidden")
            let encoded = ["{": "%7B", "}": "%7D", "[": "%5B", "]": "%5D"].reduce(path) {
                $0.replacing($1.key, with: $1.value)
            }
            let answer = try await client.get(encoded)
            #expect([400, 403].contains(answer.status), "\(answer.status) \(answer.text)")
            if !path.contains("Id=") { #expect(answer.status == 403, "\(answer.text)") }
        }
    }

    @Test("A condition sees only what its reader sees, so a search does not find a hidden text in an open property")
    func conditions() async throws {
        try await TestWorkspace.run { workspace async throws in
            try await fill(workspace)
            let client = try await workspace.limited(.look, personalData: "hidden")
            func found(_ condition: String, _ client: TestClient) async throws -> Int? {
                try await client.get("/api/events?where=\(condition)").json["events"]?.elements?.count
            }
            #expect(try await found("properties.note~marmot", workspace.client) == 2)
            #expect(try await found("properties.note~marmot", client) == 0)
            #expect(try await found("userId=marmot@example.com", client) == 0)
            #expect(try await found("properties.plan=pro", client) == 2)
            let breakdown = try await client.get("/api/breakdown?writeKey=WK&property=properties.note").text
            #expect(breakdown.contains(PersonalDataMask.replacement) && !breakdown.contains(Self.mark))
            let digest = try #require(
                try await client.get("/api/events?limit=1").json["events"]?.elements?.first?["userId"]?.stringValue)
            #expect(try await found("userId=\(digest)", client) == 2)
        }
    }

    @Test("A live stream has events without personal data, and nothing else")
    func stream() async throws {
        try await TestWorkspace.run { workspace async throws in
            try await fill(workspace)
            let client = try await workspace.limited(.look, personalData: "hidden")
            let messages = try EventStreamClient.connect(
                client.url + "/api/stream", lastEventId: "0", token: try #require(client.token))
            var seen = 0
            for await message in messages {
                #expect(!message.data.lowercased().contains(Self.mark), "\(message.data)")
                #expect(["event", "stats", "alive", ":"].contains(message.event), "\(message.event)")
                if message.event == "event" { seen += 1 }
                if seen == 2 { try await workspace.client.batch([Self.event.with("messageId", "m-9")]) }
                if seen == 3 { break }
            }
            #expect(seen == 3)
        }
    }
}

extension JSON {
    fileprivate func with(_ key: String, _ value: JSON) -> JSON {
        var json = self
        json[key] = value
        return json
    }
}
