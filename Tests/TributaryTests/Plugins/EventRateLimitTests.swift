import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Rate limits")
struct EventRateLimitTests {
    private let client = Client()

    private func names() async -> [String] {
        await client.flushed()
        return client.server.names
    }

    @Test("each name has its own room, which comes back with time")
    func perName() async {
        client.analytics.add(plugin: EventRateLimit(perName: .init(2, per: 10), overall: nil))
        for name in ["A", "A", "A", "B"] { client.analytics.track(name: name) }
        client.analytics.identify(userId: "u")
        #expect(await names() == ["A", "A", "B"])
        #expect(client.server.events.count == 4)
        client.time.advance(by: 5)
        for _ in 1...2 { client.analytics.track(name: "A") }
        #expect(await names() == ["A", "A", "B", "A"])
        #expect(client.analytics.counters.droppedByPlugin == [.init(by: "EventRateLimit", destination: nil): 2])
        await client.reported(.eventDropped, count: 1)
        #expect(client.diagnostics.all(.eventDropped).map(\.plugin) == ["EventRateLimit"])
        await client.ended()
    }

    @Test("all names have one room together; what one limit refuses takes no room of the other")
    func overall() async {
        client.analytics.add(plugin: EventRateLimit(perName: .init(1, per: 10), overall: .init(2, per: 10)))
        for name in ["A", "A", "A", "B", "C"] { client.analytics.track(name: name) }
        client.analytics.screen(title: "S")
        #expect(await names() == ["A", "B"])
        await client.ended()
    }

    @Test("a backlog is not a flood: what counts is when events were tracked")
    func backlog() async {
        client.analytics.add(plugin: EventRateLimit(perName: .init(1, per: 10), overall: nil))
        for _ in 1...20 {
            client.time.advance(by: 0.001)  // before processing begins
            client.analytics.track(name: "A")
        }
        #expect(await names().count == 1)
        await client.ended()
        let late = Client()
        late.server.silenceSettings()
        late.analytics.add(plugin: EventRateLimit(perName: .init(1, per: 0.01), overall: nil))
        for _ in 1...20 {
            late.time.advance(by: 0.01)
            late.analytics.track(name: "A")
        }
        late.time.advance(by: 60)
        #expect(await late.flushed() == .sent)
        #expect(late.server.names.count == 20)
        await late.ended()
    }

    @Test("a clock that is set back stops nothing for good")
    func clock() {
        let limit = EventRateLimit(perName: .init(1, per: 1), overall: nil)
        func passes(_ timestamp: String) -> Bool {
            var event = TrackEvent(event: "A", properties: nil)
            event.timestamp = timestamp
            return limit.track(event: event) != nil
        }
        #expect(passes("2026-01-02T00:00:00.000Z"))
        #expect(!passes("2026-01-01T00:00:00.000Z"))
        #expect(passes("2026-01-01T00:00:01.000Z"))
        #expect(passes("2030-01-01T00:00:01.000Z"))
        #expect(!passes("0000-01-01T00:00:01.000Z"))
    }

    @Test("any number of names takes bounded memory and is not refused")
    func manyNames() {
        let limit = EventRateLimit(perName: .init(1, per: 10), overall: nil)
        for number in 0...(3 * Limits.limitedNames) {
            #expect(limit.track(event: TrackEvent(event: "E\(number)", properties: nil)) != nil)
        }
    }
}
