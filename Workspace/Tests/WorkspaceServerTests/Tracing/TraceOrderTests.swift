import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Orders to trace the events of a user", .timeLimit(.minutes(30))) struct TraceOrderTests {
    private let clock = TestClock()
    private let path = "/api/sources/WK/traces"

    private func run(_ body: (TestClient) async throws -> Void) async throws {
        var environment = WorkspaceEnvironment.testing
        let clock = clock
        environment.now = { clock.now }
        try await TestWorkspace.run(writeKeys: ["WK", "OTHER"], environment: environment) { workspace async throws in
            try await body(workspace.client)
        }
    }

    /// The orders that a device gets when it sends an event of that user.
    private func told(
        _ client: TestClient, user: String = "u-1", device: String = "a-1", writeKey: String = "WK"
    ) async throws -> JSON? {
        let id = UUID().uuidString
        var event = Events.track(messageId: id, userId: user)
        event["anonymousId"] = .string(device)
        return try await client.batch([Events.track(messageId: id + "-", userId: "u-0"), event], writeKey: writeKey)
            .json[
                "trace"]
    }

    private func order(_ client: TestClient, _ body: String) async throws -> TestClient.Answer {
        try await client.put(path, body)
    }

    @Test("A device that sends events of the user gets the order, and no other device does")
    func told() async throws {
        try await run { client async throws in
            #expect(try await told(client) == nil)
            let answer = try await order(client, #"{"userId":"u-1","seconds":900}"#)
            #expect(answer.status == 200)
            let until = ISO8601.string(milliseconds: clock.now + 900_000)
            #expect(try answer.json == ["userId": "u-1", "until": .string(until)])
            #expect(try await told(client) == [["userId": "u-1", "seconds": 900]])
            #expect(try await told(client, user: "u-2") == nil)
            #expect(try await told(client, user: "u-2", device: "u-1") == nil)
            #expect(try await told(client, writeKey: "OTHER") == nil)
            #expect(try await client.get("/v1/projects/WK/settings").text.contains("u-1") == false)
        }
    }

    @Test("A compressed batch gets the order, and an order can name a device without a user")
    func compressed() async throws {
        try await run { client async throws in
            #expect(try await order(client, #"{"anonymousId":"a-\u00fc","seconds":60}"#).status == 200)
            let body = #"{"writeKey":"WK","batch":[{"type":"track","event":"E","anonymousId":"a-ü","messageId":"m"}]}"#
            let answer = try await client.send(
                "POST", "/v1/batch", body: Gzip.compress(Array(body.utf8)), headers: ["Content-Encoding": "gzip"])
            #expect(try answer.json == ["success": true, "trace": [["anonymousId": "a-ü", "seconds": 60]]])
        }
    }

    @Test("An order ends with its time, by command, or when another order replaces it")
    func ends() async throws {
        try await run { client async throws in
            _ = try await order(client, #"{"userId":"u-1","seconds":900}"#)
            clock.advance(by: 899_500)
            #expect(try await told(client) == [["userId": "u-1", "seconds": 1]])
            clock.advance(by: 500)
            #expect(try await told(client) == nil)
            #expect(try await client.get(path).json == ["orders": []])
            _ = try await order(client, #"{"userId":"u-1","seconds":900}"#)
            _ = try await order(client, #"{"userId":"u-1","seconds":60}"#)
            #expect(try await told(client) == [["userId": "u-1", "seconds": 60]])
            #expect(try await client.get(path).json["orders"]?.elements?.count == 1)
            #expect(try await client.send("DELETE", path + "?userId=u-1", body: nil).json == ["orders": []])
            #expect(try await told(client) == nil)
        }
    }

    @Test("The number of orders is limited, and a device gets few orders")
    func bounded() async throws {
        try await run { client async throws in
            for number in 0..<Limits.traceOrders {
                #expect(try await order(client, #"{"userId":"u-\#(number)","seconds":60}"#).status == 200)
            }
            #expect(try await order(client, #"{"userId":"more","seconds":60}"#).status == 409)
            #expect(try await order(client, #"{"userId":"u-1","seconds":90}"#).status == 200)
            let events = (0..<Limits.traceOrders).map { Events.track(messageId: "m-\($0)", userId: "u-\($0)") }
            let told = try await client.batch(events).json["trace"]?.elements
            #expect(told?.count == Limits.traceOrdersInAnswer)
            clock.advance(by: 60_000)
            #expect(try await order(client, #"{"userId":"more","seconds":60}"#).status == 200)
        }
    }

    @Test(
        "An invalid order is refused",
        arguments: [
            "{}", "[]", #"{"userId":"u"}"#, #"{"userId":"u","seconds":0}"#, #"{"userId":"u","seconds":3601}"#,
            #"{"userId":"u","seconds":1e99}"#, #"{"userId":"","seconds":60}"#, #"{"userId":5,"seconds":60}"#,
            #"{"userId":"u","anonymousId":"a","seconds":60}"#, #"{"userId":"u","seconds":60,"more":1}"#,
        ])
    func refused(body: String) async throws {
        try await run { client async throws in
            #expect(try await order(client, body).status == 400)
            let long = String(repeating: "x", count: Limits.identifierLength + 1)
            #expect(try await order(client, #"{"userId":"\#(long)","seconds":60}"#).status == 400)
            #expect(try await client.get(path).json == ["orders": []])
        }
    }

    @Test("The audit log has each order with its duration and a digest of the user id")
    func audit() async throws {
        try await run { client async throws in
            _ = try await order(client, #"{"userId":"u-1","seconds":900}"#)
            _ = try await client.send("DELETE", path + "?userId=u-1", body: nil)
            let log = try await client.get("/api/audit?writeKey=WK")
            let entries = try log.json["entries"]?.elements?.prefix(2)
            #expect(entries?.map { $0["action"] } == ["tracing ended", "tracing ordered"])
            #expect(entries?.last?["details"]?["seconds"] == 900)
            #expect(entries?.last?["details"]?["userIdSHA256"]?.stringValue?.count == 64)
            #expect(!log.text.contains("u-1"))
        }
    }
}
