import TestSupport
import Testing
import Tributary

/// An enrichment plugin as the documents of the field write it.
private final class AddsVersion: EventPlugin {
    let type = PluginType.enrichment
    weak var analytics: Analytics?

    func track(event: TrackEvent) -> TrackEvent? {
        var event = event
        event.properties = try? event.properties?.add(value: "2.1", forKey: "version")
        return event
    }
}

@Suite("An enrichment plugin that changes a property")
struct EnrichmentPluginSnippet {
    @Test("An enrichment plugin changes the event that the server gets")
    func changes() async {
        let client = Client(server: TestServer())
        client.analytics.add(plugin: AddsVersion())
        client.analytics.track(name: "A", properties: ["kept": true])
        _ = await client.flushed()
        #expect(client.server.events.first?["properties"]?["version"] == "2.1")
    }
}
