import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Repeated identify events")
struct IdentifyDeduplicationTests {
    private let client = Client()
    private let name = "IdentifyDeduplication"

    private func sent() async -> Int {
        await client.flushed()
        return client.server.events.count
    }

    private func dropped() -> Int? {
        client.analytics.counters.droppedByPlugin[.init(by: name, destination: nil)]
    }

    @Test("An identify event without news is dropped and counted, one with news passes")
    func repetition() async {
        client.analytics.add(plugin: IdentifyDeduplication())
        client.analytics.identify(userId: "u", traits: ["plan": "pro", "age": 3])
        client.analytics.identify(userId: "u", traits: ["plan": "pro", "age": 3])
        client.analytics.identify(userId: "u", traits: ["plan": "pro"])
        client.analytics.identify(userId: "u")
        #expect(await sent() == 1)
        #expect(dropped() == 3)
        client.analytics.identify(userId: "u", traits: ["plan": "free"])
        client.analytics.identify(userId: "u", traits: ["plan": "free"])
        client.analytics.identify(userId: "u", traits: ["age": 3])
        #expect(await sent() == 2)
        client.analytics.identify(userId: "v", traits: ["plan": "free"])
        #expect(await sent() == 3)
        #expect(dropped() == 5)
        await client.ended()
    }

    @Test("After the interval or a reset a repeated identify event passes")
    func again() async {
        client.analytics.add(plugin: IdentifyDeduplication(interval: 60))
        client.analytics.identify(userId: "u", traits: ["plan": "pro"])
        #expect(await sent() == 1)
        client.time.advance(by: 59)
        client.analytics.identify(userId: "u", traits: ["plan": "pro"])
        #expect(await sent() == 1)
        client.time.advance(by: 2)
        client.analytics.identify(userId: "u", traits: ["plan": "pro"])
        #expect(await sent() == 2)
        client.analytics.reset()
        client.analytics.identify(userId: "u", traits: ["plan": "pro"])
        #expect(await sent() == 3)
        await client.ended()
    }

    @Test("A user with too many traits is not remembered")
    func bounded() async {
        client.analytics.add(plugin: IdentifyDeduplication())
        let many = Dictionary(uniqueKeysWithValues: (0...Limits.rememberedTraits).map { ("t\($0)", 1) })
        client.analytics.identify(userId: "u", traits: many)
        client.analytics.identify(userId: "u", traits: many)
        #expect(await sent() == 2)
        await client.ended()
    }
}
