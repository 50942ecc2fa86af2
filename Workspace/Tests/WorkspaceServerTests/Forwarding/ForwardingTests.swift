import Crypto
import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Forwarding to a real server", .timeLimit(.minutes(30))) struct ForwardingTests {
    private static let path = "/api/sources/WK/destinations/Hook"

    /// Makes the destination; returns its secret.
    @discardableResult
    private static func make(
        _ client: TestClient, _ url: String, settings: String = "", extra: String = "", path: String = path
    ) async throws -> String {
        let body = #"{"kind":"webhook","settings":{"url":"\#(url)/in"\#(settings)}\#(extra)}"#
        let answer = try await client.put(path, body)
        #expect(answer.status == 201, "\(answer.text)")
        return try #require(try answer.json["secret"]?.stringValue)
    }

    private static func destination(_ client: TestClient) async throws -> JSON { try await client.get(path).json }

    private static func key(_ secret: String) throws -> SymmetricKey {
        SymmetricKey(data: try #require(Data(base64Encoded: String(secret.dropFirst("whsec_".count)))))
    }

    private static func isSigned(_ delivery: Receiver.Delivery, by secret: String) throws -> Bool {
        let time = delivery.headers["webhook-timestamp"] ?? ""
        let signed = "\(delivery.id).\(time)." + String(decoding: delivery.body, as: UTF8.self)
        let code = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: try key(secret))
        let signature = "v1," + Data(code).base64EncodedString()
        return delivery.headers["webhook-signature"]?.split(separator: " ").contains { $0 == signature } == true
    }

    @Test("A forwarded event is signed and has its stored content and times")
    func delivery() async throws {
        let receiver = Receiver()
        try await receiver.run { url in
            try await TestWorkspace.run { workspace in
                let client = workspace.client
                let secret = try await Self.make(client, url)
                try await client.batch([Events.track(messageId: "m-1")])
                let delivery = try #require(await receiver.accepts(1).first)
                #expect(delivery.path == "/in")
                #expect(delivery.id == "m-1")
                #expect(delivery.headers["content-type"] == "application/json")
                #expect(try Self.isSigned(delivery, by: secret))
                let stored = try #require(try await client.events().first)
                #expect(delivery.event["event"] == "Order Completed")
                #expect(delivery.event["properties"] == ["total": 42])
                for time in ["timestamp", "receivedAt"] { #expect(delivery.event[time] == stored[time]) }
                let state = try await workspace.until(Self.path) { $0["delivered"] == 1 && $0["caughtUp"] == true }
                #expect(state["state"] == "delivering")
                #expect(state["secret"] == nil)
                #expect(!String(decoding: state.encoded(), as: UTF8.self).contains("whsec_"))
                #expect(try await client.get("/api/audit").text.contains("destination made"))
                #expect(try await !client.get("/api/audit").text.contains(secret))
            }
        }
    }

    @Test("Filters, integrations and bundled destinations apply to forwarding as on a device")
    func choice() async throws {
        let receiver = Receiver()
        try await receiver.run { url in
            try await TestWorkspace.run { workspace in
                let client = workspace.client
                try await Self.make(client, url)
                let rules = """
                    [{"scope":"destinations","target_type":"workspace::project::destination","destinationName":"Hook",
                      "matchers":[{"ir":"[\\"=\\",\\"event\\",{\\"value\\":\\"Secret\\"}]","type":"fql"}],
                      "transformers":[[{"type":"drop"}]]},
                     {"scope":"destinations","destinationName":"Hook",
                      "matchers":[{"ir":"","type":"all"}],
                      "transformers":[[{"type":"drop_properties","config":{"drop":{"properties":["total"]}}}]]}]
                    """
                #expect(try await client.put("/api/sources/WK/filters", rules).status == 200)
                func event(_ id: String, name: String = "Seen", _ more: JSON = [:]) -> JSON {
                    var event = Events.track(messageId: id, name: name)
                    for (key, value) in more.objectValue ?? [:] { event[key] = value }
                    return event
                }
                try await client.batch([
                    event("dropped", name: "Secret"),
                    event("not-here", ["integrations": ["Hook": false]]),
                    event("nowhere", ["integrations": ["All": false]]),
                    event("bundled", ["integrations": ["Hook": true], "_metadata": ["bundled": ["Hook"]]]),
                    event("only-here", ["integrations": ["All": false, "Hook": true]]),
                    event("last"),
                ])
                let deliveries = await receiver.accepts(2)
                #expect(deliveries.map(\.id) == ["only-here", "last"])
                #expect(deliveries.allSatisfy { $0.event["properties"] == [:] })
                _ = try await workspace.until(Self.path) {
                    $0["skipped"] == 4 && $0["delivered"] == 2 && $0["heldBackBy"] == [["rule": "rule 0", "events": 1]]
                }
                #expect(try await client.events().count == 6)
            }
        }
    }

    @Test("A receiver that was down gets all events in the order of each user")
    func outage() async throws {
        let receiver = Receiver { _, before in Receiver.Answer(status: before == 0 ? 503 : 200) }
        try await receiver.run { url in
            try await TestWorkspace.run { workspace in
                let client = workspace.client
                try await Self.make(client, url)
                try await client.batch(
                    (1...12).map { Events.track(messageId: "m-\($0)", userId: "u-\($0 % 3)") })
                let deliveries = await receiver.accepts(12)
                #expect(Set(deliveries.map(\.id)).count == 12)
                for user in ["u-0", "u-1", "u-2"] {
                    let numbers = deliveries.filter { $0.user == user }.compactMap { Int($0.id.dropFirst(2)) }
                    #expect(numbers == numbers.sorted())
                }
                let state = try await workspace.until(Self.path) { $0["delivered"] == 12 }
                #expect(state["retrying"] == 0)
                #expect(state["deadLetters"] == 0)
                #expect(state["state"] == "delivering")
            }
        }
    }

    @Test("While a receiver refuses the key, the state shows the reason, and one event at a time is tried")
    func misconfigured() async throws {
        let receiver = Receiver { _, before in
            before == 0 ? Receiver.Answer(status: 401, headers: ["Retry-After": "2"]) : Receiver.Answer()
        }
        try await receiver.run { url in
            try await TestWorkspace.run { workspace in
                let client = workspace.client
                try await Self.make(client, url, settings: #","parallelRequests":1"#)
                try await client.batch((1...5).map { Events.track(messageId: "m-\($0)", userId: "u-\($0)") })
                let state = try await workspace.until(Self.path) { $0["state"] == "waiting" }
                #expect(state["reason"] == "401 Unauthorized")
                #expect(state["retryAt"]?.stringValue != nil)
                #expect(await receiver.accepts(1).first?.id == "m-1")
                #expect(receiver.deliveries.prefix(2).map(\.id) == ["m-1", "m-1"])
            }
        }
    }

    @Test("A refused event becomes a dead letter, which can be sent again or deleted")
    func deadLetters() async throws {
        let receiver = Receiver { delivery, before in
            delivery.id.hasPrefix("bad") && before == 0
                ? Receiver.Answer(status: 400, body: "no\nsuch field") : Receiver.Answer()
        }
        try await receiver.run { url in
            try await TestWorkspace.run { workspace in
                let client = workspace.client
                try await Self.make(client, url)
                try await client.batch(["bad-1", "good", "bad-2"].map { Events.track(messageId: $0) })
                #expect(await receiver.accepts(1).map(\.id) == ["good"])
                _ = try await workspace.until(Self.path) { $0["deadLetters"] == 2 }
                let page = try await client.get(Self.path + "/dead-letters?limit=1").json
                let letter = try #require(page["deadLetters"]?[0])
                #expect(letter["messageId"] == "bad-1")
                #expect(letter["reason"] == "400 Bad Request: no such field")
                #expect(letter["attempts"] == 1)
                #expect(page["next"] == letter["sequence"])
                let sequence = try #require(letter["sequence"])
                let retry = try await client.post(
                    Self.path + "/dead-letters/retry", ["sequences": [sequence, 999]])
                #expect(try retry.json == ["retried": 1])
                #expect(await receiver.accepts(2).map(\.id) == ["good", "bad-1"])
                let discard = try await client.send("DELETE", Self.path + "/dead-letters", body: nil)
                #expect(try discard.json == ["discarded": 1])
                let state = try await workspace.until(Self.path) { $0["delivered"] == 2 }
                #expect(state["deadLetters"] == 0)
                #expect(try await client.get("/api/audit").text.contains("dead letters discarded"))
            }
        }
    }

    @Test("A receiver that hangs, breaks off, floods or redirects harms no other destination")
    func hostileReceiver() async throws {
        let elsewhere = Receiver()
        try await elsewhere.run { other in
            let receiver = Receiver { delivery, before in
                // On a busy machine the first refusal may come too late; the repeated request is refused again.
                switch delivery.id {
                case "trickle": Receiver.Answer(status: 400, body: "slow", trickles: true)
                case "flood": Receiver.Answer(status: 422, body: String(repeating: "x", count: 5_000_000))
                case "hang" where before == 0: Receiver.Answer(hangs: true)
                case "redirect" where before == 0: Receiver.Answer(status: 307, headers: ["Location": other + "/in"])
                default: Receiver.Answer()
                }
            }
            try await receiver.run { url in
                try await TestWorkspace.run { workspace in
                    let client = workspace.client
                    try await Self.make(client, url, settings: #","timeoutSeconds":1"#)
                    try await client.batch(
                        ["hang", "flood", "trickle", "redirect", "fine"].map { Events.track(messageId: $0, userId: $0) }
                    )
                    await receiver.acceptsDifferent(3)
                    #expect(Set(receiver.accepted.map(\.id)) == ["hang", "redirect", "fine"])
                    _ = try await workspace.until(Self.path) { $0["deadLetters"] == 2 }
                    let letters = try await client.get(Self.path + "/dead-letters").json["deadLetters"]
                    #expect(letters?.elements?.map { $0["messageId"] } == ["flood", "trickle"])
                    #expect(letters?[0]?["reason"] == "422 Unprocessable Entity")
                    #expect(letters?[1]?["reason"] == "400 Bad Request")
                    #expect(elsewhere.deliveries.isEmpty)
                }
            }
        }
    }

    @Test("Events wait until a receiver listens")
    func nobodyThere() async throws {
        try await TestWorkspace.run { workspace in
            let client = workspace.client
            try await Self.make(client, "http://127.0.0.1:1")
            try await client.batch([Events.track(messageId: "m-1")])
            _ = try await workspace.until(Self.path) { $0["retrying"] == 1 }
            let test = try await client.send("POST", Self.path + "/test", body: nil)
            #expect(try test.json["accepted"] == false)
            let answer = try #require(try test.json["answer"]?.stringValue)
            #expect(answer.hasPrefix("no answer"))
            let receiver = Receiver()
            try await receiver.run { url in
                let changed = try await client.put(Self.path, #"{"settings":{"url":"\#(url)/new"}}"#)
                #expect(changed.status == 200)
                #expect(try changed.json["secret"] == nil)
                #expect(await receiver.accepts(1).map(\.path) == ["/new"])
                let test = try await client.send("POST", Self.path + "/test", body: nil)
                #expect(try test.json["answer"] == "200 OK")
                #expect(receiver.accepted.last?.event["event"] == "Tributary Test")
            }
        }
    }

    @Test("A destination that is off keeps its position, and a removed destination loses its position")
    func switches() async throws {
        let receiver = Receiver()
        try await receiver.run { url in
            try await TestWorkspace.run { workspace in
                let client = workspace.client
                try await client.batch([Events.track(messageId: "before")])
                #expect(try await client.events().count == 1)
                try await Self.make(client, url, extra: #","enabled":false"#)
                try await client.batch([Events.track(messageId: "m-1")])
                #expect(try await client.events().count == 2)
                #expect(try await Self.destination(client)["state"] == "off")
                #expect(try await client.put(Self.path, #"{"enabled":true}"#).status == 200)
                #expect(await receiver.accepts(1).map(\.id) == ["m-1"], "from the moment when it was made")
                try await Self.make(
                    client, url, extra: #","from":"start""#, path: "/api/sources/WK/destinations/All%20of%20it")
                #expect(await receiver.accepts(3).map(\.id).sorted() == ["before", "m-1", "m-1"])
                #expect(try await client.send("DELETE", Self.path, body: nil).json == ["removed": "Hook"])
                #expect(try await client.get(Self.path).status == 404)
                let list = try await client.get("/api/sources/WK/destinations").json["destinations"]
                #expect(list?.elements?.map { $0["name"] } == ["All of it"])
            }
        }
    }

    @Test("A secret is replaced while receivers go on working")
    func rotation() async throws {
        let receiver = Receiver()
        try await receiver.run { url in
            try await TestWorkspace.run { workspace in
                let client = workspace.client
                let old = try await Self.make(client, url)
                let answer = try await client.send("POST", Self.path + "/secret", body: nil).json
                let new = try #require(answer["secret"]?.stringValue)
                #expect(new != old)
                try await client.batch([Events.track(messageId: "m-1")])
                let delivery = try #require(await receiver.accepts(1).first)
                #expect(try Self.isSigned(delivery, by: old))
                #expect(try Self.isSigned(delivery, by: new))
            }
        }
    }

    @Test("After a stop or a crash forwarding goes on at its position", arguments: [SIGTERM, SIGKILL])
    func restart(signal: Int32) async throws {
        let receiver = Receiver { delivery, before in
            Receiver.Answer(status: before == 0 && delivery.id.hasSuffix("7") ? 500 : 200)
        }
        try await receiver.run { url in
            let folder = try TemporaryFolder()
            let arguments = ["serve", "--port", "0", "--data", folder.path, "--write-key", "WK"]
            let first = try CommandRun(arguments)
            let client = TestClient(url: try #require(await first.line(after: "tributary: listening on ")))
            try await Self.make(client, url)
            for batch in 0..<10 {
                try await client.batch(
                    (0..<20).map { Events.track(messageId: "m-\(batch * 20 + $0)", userId: "u-\($0 % 4)") })
            }
            _ = await receiver.accepts(20)
            first.signal(signal)
            _ = try await first.finished()
            let second = try CommandRun(arguments)
            await receiver.acceptsDifferent(200)
            second.signal(SIGTERM)
            _ = try await second.finished()
            let ids = receiver.accepted.map(\.id)
            #expect(Set(ids).count == 200)
            if signal == SIGTERM { #expect(ids.count == 200, "nothing twice after an orderly stop") }
            var firsts: Set<String> = []
            let order = receiver.accepted.filter { firsts.insert($0.id).inserted }
            for user in 0..<4 {
                let numbers = order.filter { $0.user == "u-\(user)" }.compactMap { Int($0.id.dropFirst(2)) }
                #expect(numbers == numbers.sorted())
            }
        }
    }

    @Test("Erased events are not forwarded any more")
    func erasure() async throws {
        let receiver = Receiver { delivery, _ in Receiver.Answer(status: delivery.user == "gone" ? 500 : 200) }
        try await receiver.run { url in
            try await TestWorkspace.run { workspace in
                let client = workspace.client
                try await Self.make(client, url)
                try await client.batch([
                    Events.track(messageId: "m-1", userId: "gone"), Events.track(messageId: "m-2", userId: "here"),
                ])
                _ = try await workspace.until(Self.path) { $0["retrying"] == 1 && $0["delivered"] == 1 }
                #expect(try await client.send("DELETE", "/api/users/gone", body: nil).status == 200)
                _ = try await workspace.until(Self.path) { $0["retrying"] == 0 }
                #expect(receiver.accepted.map(\.id) == ["m-2"])
            }
        }
    }

    @Test(
        "Invalid destinations are refused",
        arguments: [
            (#"[]"#, "the body is an object"), (#"{"kind":"fax","settings":{}}"#, "there is: webhook"),
            (#"{"kind":"webhook"}"#, "needs a kind and settings"),
            (#"{"kind":"webhook","settings":[]}"#, "settings must be an object"),
            (#"{"kind":"webhook","settings":{"url":"nowhere"}}"#, "https://"),
            (#"{"kind":"webhook","settings":{"url":"http://a"},"enabled":1}"#, "true or false"),
            (#"{"kind":"webhook","settings":{"url":"http://a"},"from":"noon"}"#, "start"),
            (#"{"kind":"webhook","settings":{"url":"http://a"},"secret":"x"}"#, "the server makes the secret"),
            ("", "empty"),
        ])
    func refusals(body: String, reason: String) async throws {
        try await TestWorkspace.run { workspace in
            let client = workspace.client
            let answer = try await client.put(Self.path, body)
            #expect(answer.status == 400)
            #expect(answer.text.contains(reason), "\(answer.text)")
            for name in ["Segment.io", "%2E%2E", "a%2Fb", "%0A", String(repeating: "x", count: 101)] {
                let answer = try await client.put(
                    "/api/sources/WK/destinations/\(name)", #"{"kind":"webhook","settings":{"url":"http://a"}}"#)
                #expect(answer.status == 400, "\(name)")
            }
            #expect(try await client.get("/api/sources/WK/destinations").json["destinations"] == [])
            #expect(try await client.get("/api/sources/NO/destinations").status == 404)
            #expect(try await client.stranger.get("/api/sources/WK/destinations").status == 401)
        }
    }

    @Test("A change of a destination's kind is refused")
    func conflicts() async throws {
        try await TestWorkspace.run { workspace in
            let client = workspace.client
            try await Self.make(client, "http://127.0.0.1:1")
            #expect(try await client.put(Self.path, #"{"from":"start"}"#).status == 400)
            for path in ["/dead-letters", "/secret", "/test"] {
                let method = path == "/dead-letters" ? "GET" : "POST"
                let answer = try await client.send(
                    method, "/api/sources/WK/destinations/Other\(path)", body: nil)
                #expect(answer.status == 404)
            }
            let retry = try await client.post(Self.path + "/dead-letters/retry", ["sequences": ["one"]])
            #expect(retry.status == 400)
        }
    }
}
