import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Values that are nested too deep")
struct DepthTests {
    private func nested(_ levels: Int) -> JSON { (0..<levels).reduce(.string("x")) { inner, _ in .array([inner]) } }

    private func nestedAny(_ levels: Int) -> Any { (0..<levels).reduce("x" as Any) { inner, _ in [inner] } }

    /// The depth that code may hand over, which is more than events may have.
    private func track(_ analytics: Analytics) {
        analytics.process(event: TrackEvent(event: "Made", properties: ["deep": nested(5000), "id": 1]))
        analytics.track(name: "Dictionary", properties: ["deep": nestedAny(JSONLimits.eventDepth), "id": 1])
        analytics.track(name: "Foundation", properties: ["deep": nestedFoundation(JSONLimits.eventDepth), "id": 1])
        analytics.track(name: "Encodable", properties: ["deep": nested(JSONLimits.eventDepth), "id": 1])
        analytics.track(name: "Deepest", properties: ["deep": nested(JSONLimits.eventDepth - 2)])
    }

    private func nestedFoundation(_ levels: Int) -> Any {
        (0..<levels).reduce("x" as Any) { inner, _ in NSMutableArray(array: [inner]) }
    }

    /// Only the innermost levels are left out: what is beside them and around them stays.
    private func check(_ server: TestServer) {
        #expect(server.names == ["Made", "Dictionary", "Foundation", "Encodable", "Deepest"])
        for event in server.events.dropLast() { #expect(event["properties"]?["id"] == 1) }
        let shortened = (0..<JSONLimits.eventDepth - 3).reduce(JSON.array([])) { inner, _ in .array([inner]) }
        for event in server.events.dropLast() { #expect(event["properties"]?["deep"] == shortened) }
        #expect(server.events.last?["properties"]?["deep"] == nested(JSONLimits.eventDepth - 2))
    }

    @Test("Values nested too deep are left out and reported, and the event goes on")
    func recent() async {
        let client = Client()
        await client.processed()
        track(client.analytics)
        #expect(await client.flushed() == .sent)
        check(client.server)
        await client.diagnostics.wait(for: .invalidValue, count: 4)
        await client.reported(reason: "too_deep")
    }

    @Test("Values nested too deep are also left out of events that the next process reads")
    func readBack() async throws {
        let folder = try TemporaryFolder()
        let first = Client.storing(in: folder.url)
        track(first.analytics)
        await first.ended()
        let second = Client(folder: folder.url)
        #expect(await second.flushed() == .sent)
        check(second.server)
        #expect(second.analytics.counters.lost.isEmpty)
        await second.ended()
    }

    @Test("Too deep values of a plugin do not reach the server")
    func plugin() async {
        let client = Client()
        let deep = nested(300)
        client.analytics.add(plugin: Deepening(deep))
        client.analytics.track(name: "A", properties: ["id": 1])
        #expect(await client.flushed() == .sent)
        let properties = client.server.events.first?["properties"]
        #expect(properties?["deep"] != nil)
        #expect(properties?["beside"] == 1)
        await client.reported(reason: "too_deep")
    }

    @Test("A collection of Foundation that contains itself costs only what is too deep", arguments: [0, 1, 2])
    func endless(kind: Int) async {
        let client = Client()
        let endless: Any
        switch kind {
        case 0:
            let dictionary = NSMutableDictionary()
            dictionary["self"] = dictionary
            endless = dictionary
        case 1:
            let array = NSMutableArray()
            array.add(array)
            endless = array
        default:
            let dictionary = NSMutableDictionary()
            let array = NSMutableArray()
            array.add(dictionary)
            dictionary["list"] = array
            endless = Optional.some(AnyHashable(dictionary)) as Any
        }
        client.analytics.track(name: "A", properties: ["endless": endless, "id": 1])
        client.analytics.identify(userId: "u", traits: ["endless": endless, "id": 1])
        client.analytics.group(groupId: "g", traits: ["endless": endless, "id": 1])
        #expect(await client.flushed() == .sent)
        #expect(client.server.events.map { ($0["properties"] ?? $0["traits"])?["id"] } == [1, 1, 1])
        await client.diagnostics.wait(for: .invalidValue, count: 3)
    }

    @Test("Too deep traits do not change the user at the next start")
    func traits() async throws {
        let folder = try TemporaryFolder()
        let first = Client(folder: folder.url)
        first.analytics.identify(userId: "u", traits: ["deep": nestedAny(126)])
        let anonymousId = first.analytics.anonymousId
        await first.ended()
        let second = Client(folder: folder.url)
        #expect(second.analytics.anonymousId == anonymousId)
        #expect(second.analytics.userId == "u")
        await second.ended()
    }
}

private final class Deepening: EventPlugin {
    let type = PluginType.enrichment
    weak var analytics: Analytics?
    private let value: JSON

    init(_ value: JSON) { self.value = value }

    func track(event: TrackEvent) -> TrackEvent? {
        var event = event
        event.properties = ["deep": value, "beside": 1]
        return event
    }
}
