import TestSupport
import Testing

@testable import Tributary

@Suite("Calls without an event, among events")
struct BarrierOrderTests {
    /// Notes events and resets in one list.
    private final class Listener: EventPlugin, @unchecked Sendable {
        let type = PluginType.enrichment
        weak var analytics: Analytics?
        // Only touched on the executor; the test reads it when everything is processed.
        var seen: [String] = []

        func track(event: TrackEvent) -> TrackEvent? {
            seen.append(event.event)
            return event
        }

        func reset() { seen.append("reset") }
    }

    @Test("A reset reaches plugins before the first event, and in a pause before the next one")
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
