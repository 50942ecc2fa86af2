import TestSupport
import Testing
import Tributary

/// Makes a track event of each screen, as plugins of the field do in the untyped form.
private final class ScreensIntoTracks: Plugin {
    let type = PluginType.enrichment
    weak var analytics: Analytics?

    func execute(event: BaseEvent) -> BaseEvent? {
        guard let screen = event as? ScreenEvent else { return event }
        return TrackEvent(event: "\(screen.name ?? "Screen") Viewed", properties: screen.properties)
    }
}

@Suite("A plugin that turns screens into track events")
struct ScreensIntoTracksSnippet {
    @Test("A plugin turns screens into track events with the same ids")
    func turned() async {
        let client = Client(settings: ["integrations": ["D": true]])
        let destination = TestDestination("D")
        client.analytics.add(plugin: ScreensIntoTracks())
        client.analytics.add(plugin: destination)
        client.analytics.identify(userId: "u-1")
        client.analytics.screen(title: "Home", category: "Main", properties: ["tab": 2])
        _ = await client.flushed()
        let event = client.server.events.last
        #expect(event?["type"] == "track" && event?["event"] == "Home Viewed")
        #expect(event?["properties"] == ["tab": 2])
        #expect(event?["userId"] == "u-1")
        #expect(event?["messageId"]?.stringValue?.isEmpty == false)
        #expect((destination.received.last as? TrackEvent)?.event == "Home Viewed")
    }
}
