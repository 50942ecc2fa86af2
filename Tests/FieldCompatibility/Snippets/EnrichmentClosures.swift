import TestSupport
import Testing
import Tributary

@Suite("Enrichment closures")
struct EnrichmentClosuresSnippet {
    @Test("Enrichment closures of a call and of the client may change an event and its type")
    func closures() async {
        let client = Client()
        client.analytics.track(
            name: "A", properties: ["n": 1],
            enrichments: [
                { event in
                    var event = event as? TrackEvent
                    event?.event = "B"
                    return event
                }
            ])
        client.analytics.screen(
            title: "Home", properties: nil,
            enrichments: [
                { event in
                    guard let screen = event as? ScreenEvent else { return event }
                    return TrackEvent(event: screen.name ?? "", properties: nil)
                }
            ])
        client.analytics.add { event in
            var event = event
            event?.userId = "closure"
            return event
        }
        client.analytics.track(name: "C")
        _ = await client.flushed()
        #expect(client.server.names == ["B", "Home", "C"])
        #expect(client.server.events.last?["userId"] == "closure")
    }
}
