import Foundation
import Testing
import Tributary
import TributaryTesting

@Suite("A client for tests")
struct TestClientTests {
    private let client = TestClient()

    private func message(_ body: () async throws -> Void) async -> String {
        do {
            try await body()
            return "no failure"
        } catch {
            return "\(error)"
        }
    }

    @Test("Expectations find tracked events by name and by some members")
    func tracked() async throws {
        client.analytics.track(name: "A", properties: ["total": 1, "more": ["x": true]])
        client.analytics.track(name: "A", properties: ["total": 2])
        client.analytics.track(name: "B")
        let event = try await client.expectTracked("A", with: ["total": 2])
        #expect(event?.properties == ["total": 2])
        try await client.expectTracked("A", times: 2)
        try await client.expectTracked("A", with: ["more": ["x": true]], times: 1)
        try await client.expectTracked(inOrder: ["A", "A", "B"])
        try await client.expectNotTracked("C")
    }

    @Test("A failed expectation names the difference and the recorded events")
    func failures() async {
        client.analytics.track(name: "Order Completed", properties: ["total": 41, "currency": "EUR"])
        #expect(
            await message { try await client.expectTracked("Order Completed", with: ["total": 42]) } == """
                expected track "Order Completed" with {"total":42}
                  but total is 41, not 42
                recorded:
                1. track "Order Completed" {"currency":"EUR","total":41}
                """)
        #expect(
            await message { try await client.expectTracked("Order Completed", with: ["coupon": "X"]) }
                .contains("coupon is missing"))
        #expect(await message { try await client.expectNotTracked("Order Completed") }.contains("not to be there"))
        #expect(await message { try await client.expectTracked("Order Completed", times: 2) }.contains("1 times"))
        #expect(await message { try await client.expectTracked("Nothing") }.hasPrefix("expected track \"Nothing\"\n"))
        #expect(
            await message { try await client.expectTracked(inOrder: []) }.contains(#"they are ["Order Completed"]"#))
        #expect(await message { try await client.expectNoEvents() }.contains("recorded:\n1. track"))
        #expect(await message { try await client.expectIdentified(userId: "u") }.contains("identify \"u\""))
        #expect(await message { try await client.expectScreen("S", category: "C") }.contains(#"screen "S" of "C""#))
        #expect(await message { try await client.expectGroup("g") }.contains("group \"g\""))
    }

    @Test("Expectations know all types of events")
    func types() async throws {
        client.analytics.identify(userId: "u", traits: ["plan": "pro"])
        client.analytics.screen(title: "Home", category: "Main", properties: ["x": 1])
        client.analytics.group(groupId: "g", traits: ["size": 3])
        client.analytics.alias(newId: "v")
        try await client.expectIdentified(userId: "u", with: ["plan": "pro"], times: 1)
        try await client.expectScreen("Home", category: "Main", with: ["x": 1])
        try await client.expectGroup("g", with: ["size": 3])
        let events = await client.events()
        #expect(events.map(\.type) == ["identify", "screen", "group", "alias"])
        #expect(events.aliases.first?.userId == "v")
        await client.forget()
        try await client.expectNoEvents()
    }

    @Test("A dropped event is not recorded, and a changed event is recorded with its change")
    func plugins() async throws {
        client.analytics.add { event in
            guard var event = event as? TrackEvent, event.event != "Drop" else { return nil }
            event.event += "!"
            return event
        }
        client.analytics.track(name: "Drop")
        client.analytics.track(name: "Keep")
        try await client.expectTracked(inOrder: ["Keep!"])
    }

    @Test("The test server fails as requested, and the test clock triggers the retry")
    func failingServer() async throws {
        client.server.answerNext(.failure(TransportError("no network")))
        client.analytics.track(name: "A")
        await client.flushed()
        #expect(client.server.batches.count == 1)
        #expect(client.server.events.isEmpty)
        client.clock.advance(by: 3600)
        await client.flushed()
        #expect(client.server.names == ["A"])
        await client.shutdown()
    }

    @Test("Several test clients are independent")
    func separate() async throws {
        let other = TestClient()
        other.analytics.track(name: "Other")
        try await client.expectNoEvents()
        try await other.expectTracked("Other", times: 1)
    }

    @Test("The example of the documentation runs")
    func documentation() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let root = tests.deletingLastPathComponent().deletingLastPathComponent()
        let code = try String(contentsOf: tests.appendingPathComponent("ExampleTests.swift"), encoding: .utf8)
        let page = try String(contentsOf: root.appendingPathComponent("docs/guides/testing.md"), encoding: .utf8)
        let example = code.components(separatedBy: "// begin: docs/guides/testing.md\n").last?
            .components(separatedBy: "    // end").first?
            .split(separator: "\n").map { $0.hasPrefix("    ") ? $0.dropFirst(4) : $0 }.joined(separator: "\n")
        #expect(page.contains(try #require(example)))
    }
}
