import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Calls and their events")
struct EventTests {
    struct Order: Encodable {
        let total: Double
        let id: Int64
        let currency: String
    }

    @Test("Values arrive exactly: 64-bit integers, shortest doubles, any script")
    func exact() async {
        let client = Client()
        client.analytics.track(
            name: "Order Completed", properties: Order(total: 19.99, id: 9_007_199_254_740_993, currency: "€"))
        client.analytics.track(name: "Dictionary", properties: ["max": UInt64.max, "text": "日本語 👩🏽‍💻", "nan": Double.nan])
        await client.flushed()
        let body = client.server.batches.compactMap(\.body).map { String(decoding: $0, as: UTF8.self) }.joined()
        #expect(body.contains(#""properties":{"total":19.99,"id":9007199254740993,"currency":"€"}"#))
        #expect(body.contains(#""properties":{"max":18446744073709551615,"nan":0,"text":"日本語 👩🏽‍💻"}"#))
    }

    @Test("Each type of event has its members, its ids and its time")
    func members() async {
        let client = Client()
        let now = ISO8601.string(milliseconds: client.time.milliseconds)
        client.analytics.trackAllTypes()
        await client.flushed()
        let events = client.server.events
        #expect(events.map { $0["type"] } == ["track", "identify", "screen", "group", "alias"])
        #expect(Set(events.compactMap { $0["messageId"]?.stringValue }).count == 5)
        for event in events {
            #expect(event["anonymousId"]?.stringValue == client.analytics.anonymousId)
            #expect(event["timestamp"]?.stringValue == now)
            #expect(event["integrations"] == [:])
        }
        #expect(events[2]["name"] == "Home")
        #expect(events[2]["category"] == "Main")
        #expect(events[3]["groupId"] == "g-1")
    }

    @Test("A value without a JSON form is reported and left out of the event")
    func unencodable() async {
        struct NotJSON: Encodable {
            struct Refusal: Error {}
            func encode(to encoder: any Encoder) throws { throw Refusal() }
        }
        let client = Client()
        client.analytics.track(name: "A", properties: NotJSON())
        client.analytics.track(name: "B", properties: ["x": Mirror(reflecting: 1)])
        client.analytics.track(name: "C", properties: [1, 2, 3])
        await client.flushed()
        #expect(client.server.names == ["A", "B", "C"])
        #expect(client.server.events.map { $0["properties"] } == [nil, [:], nil])
        await client.reported(.invalidValue, count: 3)
        #expect(client.diagnostics.all(.invalidValue).count == 3)
    }

    private struct Refusing: Encodable {
        struct Refusal: Error {}
        func encode(to encoder: any Encoder) throws { throw Refusal() }
    }

    private struct Purchase: Encodable {
        var total = 25.5
        var buyer = Refusing()
        var items = [["sku": Optional(Refusing()), "other": nil]]
        var note = "n"
    }

    @Test("A bad value costs only itself, and the diagnostic names its place")
    func badValue() async {
        let client = Client()
        let dictionary: [String: Any] = [
            "v": (1, 2), "good": 1, "letter": Character("é"), "list": [1, Mirror(reflecting: 1)],
        ]
        client.analytics.track(name: "A", properties: dictionary)
        client.analytics.identify(userId: "u", traits: ["plan": "pro", "bad": [NSError(domain: "d", code: 1)]])
        client.analytics.group(groupId: "g", traits: Purchase())
        client.analytics.screen(title: "S", properties: Purchase())
        await client.flushed()
        let events = client.server.events
        #expect(events.first?["properties"] == ["good": 1, "letter": "é", "list": [1]])
        #expect(events[1]["traits"] == ["plan": "pro", "bad": []])
        #expect(client.analytics.traits()?["plan"] as? String == "pro")
        let order: JSON = ["total": 25.5, "items": [["other": .null]], "note": "n"]
        #expect(events[2]["traits"] == order)
        #expect(events[3]["properties"] == order)
        await client.reported(.invalidValue, count: 4)
        let messages = client.diagnostics.all(.invalidValue).map(\.message)
        #expect(messages[0].contains("v: a value of type (Int, Int)") && messages[0].contains("list.1: "))
        #expect(messages[1].contains("bad.0: "))
        #expect(messages[2].contains("buyer: ") && messages[2].contains("items.0.sku: "))
    }

    @Test("The name of an event needs no label")
    func unlabelled() async {
        let client = Client()
        client.analytics.track("A")
        client.analytics.track("B", properties: ["x": 1])
        await client.flushed()
        #expect(client.server.names == ["A", "B"])
        #expect(client.server.events.last?["properties"] == ["x": 1])
        await client.ended()
    }

    private struct Measured: Encodable {
        struct Inner: Encodable { var depth = Double.nan }
        var size = Float.infinity
        var inner = Inner()
        var list = [1.5, -Double.infinity]
    }

    @Test(
        "A number that JSON cannot hold is reported with its place, and the rule of the app replaces it",
        arguments: [(.zero, 0), (.null, JSON.null), (.refuse, nil)] as [(NonFiniteNumbers, JSON?)])
    func nonFinite(rule: NonFiniteNumbers, replacement: JSON?) async {
        let client = Client { $0.jsonNonConformingNumberStrategy(rule) }
        let properties: [String: Any] = ["price": Double.nan, "good": 1, "list": [2.5, Float.infinity] as [Any]]
        let traits: [String: Any] = ["age": NSNumber(value: Double.nan), "sum": Decimal.nan]
        client.analytics.track(name: "A", properties: properties)
        client.analytics.track(name: "B", properties: Measured())
        client.analytics.identify(userId: "u", traits: traits)
        await client.flushed()
        let events = client.server.events
        #expect(events.count == 3)
        #expect(events.first?["properties"]?["price"] == replacement)
        #expect(events.first?["properties"]?["good"] == 1)
        #expect(events[1]["properties"]?["inner"]?["depth"] == replacement)
        await client.reported(.invalidValue, count: 3)
        let messages = client.diagnostics.all(.invalidValue).map(\.message)
        for (message, places) in zip(
            messages, [["price", "list.1"], ["size", "inner.depth", "list.1"], ["age", "sum"]])
        {
            for place in places { #expect(message.contains("\(place): "), "\(message)") }
        }
        await client.ended()
    }

    @Test("A recorded event keeps its ids, its time, its spelling and members without a name")
    func recorded() async throws {
        let client = Client()
        let text =
            #"{"type":"track","messageId":"m-1","anonymousId":"a","userId":"u","timestamp":"2014-06-24T18:18:32.000Z","event":"Change Committed","properties":{"churn":0.50},"channel":"x"}"#
        let recorded = try #require(JSON.parse(text).objectValue)
        client.analytics.process(event: try #require(EventParser.event(recorded)))
        await client.flushed()
        let event = try #require(client.server.events.first)
        for (key, value) in recorded { #expect(event[key] == value) }
        #expect(event["properties"]?["churn"]?.description == "0.50")
    }

    @Test("A client that is switched off stores no event")
    func disabled() async {
        let client = Client()
        client.analytics.enabled = false
        client.analytics.trackAllTypes()
        client.analytics.enabled = true
        client.analytics.track(name: "A")
        await client.flushed()
        #expect(client.server.events.count == 1)
    }

    @Test("The events of each thread keep their order")
    func contention() async {
        let client = Client { $0.storageMode(.memory(100_000)) }
        DispatchQueue.concurrentPerform(iterations: 16) { thread in
            for number in 0..<200 {
                client.analytics.track(name: "E", properties: ["thread": thread, "number": number])
            }
        }
        #expect(await client.flushed() == .sent)
        for thread in 0..<16 {
            let numbers = client.server.events.map { $0["properties"] }
                .filter { $0?["thread"]?.intValue == thread }.compactMap { $0?["number"]?.intValue }
            #expect(numbers == Array(0..<200))
        }
    }
}
