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
        analytics.track(name: "Dictionary", properties: ["deep": nestedAny(Limits.eventDepth)])
        analytics.track(name: "Encodable", properties: ["deep": nested(Limits.eventDepth)])
        analytics.track(name: "Deepest", properties: ["deep": nested(Limits.eventDepth - 2)])
    }

    private func check(_ server: TestServer) {
        #expect(server.names == ["Made", "Dictionary", "Encodable", "Deepest"])
        #expect(server.events.map { $0["properties"] == nil } == [true, true, true, false])
        #expect(server.events.last?["properties"]?["deep"] == nested(Limits.eventDepth - 2))
    }

    @Test("Values nested too deep are left out and reported, and the event goes on")
    func recent() async {
        let client = Client()
        await client.processed()
        track(client.analytics)
        #expect(await client.flushed() == .sent)
        check(client.server)
        await client.diagnostics.wait(for: .invalidValue, count: 3)
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
        #expect(client.server.events.map { $0["properties"] == nil } == [true])
        await client.reported(reason: "too_deep")
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
        event.properties = ["deep": value]
        return event
    }
}
