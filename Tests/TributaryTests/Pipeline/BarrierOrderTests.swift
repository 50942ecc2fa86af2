import TestSupport
import Testing

@testable import Tributary

@Suite("The order of calls without an event")
struct BarrierOrderTests {
    /// Notes events and resets in one list.
    private final class Listener: EventPlugin, @unchecked Sendable {
        let type = PluginType.enrichment
        weak var analytics: Analytics?
        // Unchecked because only the executor touches the list; the test reads it when all events are processed.
        var seen: [String] = []

        func track(event: TrackEvent) -> TrackEvent? {
            seen.append(event.event)
            return event
        }

        func reset() { seen.append("reset") }
    }

    @Test("A reset reaches plugins at its place among the events, also as the first call")
    func resets() async {
        let client = Client()
        let listener = Listener()
        client.analytics.add(plugin: listener)
        client.analytics.reset()
        client.analytics.track(name: "A")
        await client.processed()
        client.analytics.reset()
        client.analytics.track(name: "B")
        client.analytics.reset()
        client.analytics.track(name: "C")
        await client.processed()
        #expect(listener.seen == ["reset", "A", "reset", "B", "reset", "C"])
    }
}
