import Foundation
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

    @Test("Each event name has its own limit, which refills with time")
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

    @Test("All names share one limit, and an event that one limit refuses does not use the other limit")
    func overall() async {
        client.analytics.add(plugin: EventRateLimit(perName: .init(1, per: 10), overall: .init(2, per: 10)))
        for name in ["A", "A", "A", "B", "C"] { client.analytics.track(name: name) }
        client.analytics.screen(title: "S")
        #expect(await names() == ["A", "B"])
        await client.ended()
    }

    @Test(
        "A backlog is no flood, because the limit uses the time of tracking",
        arguments: [(60_000, 20), (6000, 2), (0, 1)])
    func backlog(interval: Int64, passing: Int) {
        let limit = EventRateLimit(perName: .init(1, per: 60), overall: nil)
        let passed = (0..<20).filter { number in
            var event = TrackEvent(event: "A", properties: nil)
            event.timestamp = ISO8601.string(milliseconds: 1_795_000_000_000 + Int64(number) * interval)
            return limit.track(event: event) != nil
        }
        #expect(passed.count == passing)
    }

    @Test("A clock that is set back does not block events for good")
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

    @Test("Any number of names uses bounded memory and is not refused")
    func manyNames() {
        let limit = EventRateLimit(perName: .init(1, per: 10), overall: nil)
        for number in 0...(3 * Limits.limitedNames) {
            #expect(limit.track(event: TrackEvent(event: "E\(number)", properties: nil)) != nil)
        }
    }

    @Test("Back-dated events count at the time of their call")
    func backdated() async {
        let client = Client()
        client.analytics.add(plugin: EventRateLimit(perName: .init(10, per: 10)))
        for number in 0..<50 {
            let time = Date(timeIntervalSince1970: 1_000_000_000 + Double(number % 2) * 86_400)
            client.analytics.track(
                name: "A", properties: nil as [String: Any]?, options: EventOptions(timestamp: time))
        }
        await client.flushed()
        #expect(client.server.events.count == 10)
        await client.ended()
    }
}
