import TestSupport
import Testing
import Tributary

/// A plugin whose events say that it made them.
private final class Replay: EventPlugin {
    let type = PluginType.enrichment
    weak var analytics: Analytics?

    func track(event: TrackEvent) -> TrackEvent? {
        Context.insertOrigin(event: event, data: ["type": "Session Replay", "version": 2]) as? TrackEvent
    }
}

@Suite("Context, origin and the token of the device")
struct ContextAndOriginSnippet {
    @Test("An event's origin can be read from its context")
    func origin() async {
        let client = Client()
        client.analytics.add(plugin: Replay())
        client.analytics.track(name: "A")
        _ = await client.flushed()
        let context = client.server.events.first?["context"]
        #expect(context?["__eventOrigin"] == ["type": "Session Replay", "version": 2])
        #expect(context?["library"]?["name"] == "tributary")
        #expect(Context.insertOrigin(event: nil, data: [:]) == nil)
    }

    @Test("The client's context plugin and the device token plugin are found by type")
    func found() async {
        let client = Client()
        #expect(client.analytics.find(pluginType: Context.self) != nil)
        #expect(client.analytics.find(pluginType: DeviceToken.self) == nil)
        client.analytics.setDeviceToken("abc")
        #expect(client.analytics.find(pluginType: DeviceToken.self)?.token == "abc")
        client.analytics.track(name: "A")
        await client.processed()
        client.analytics.find(pluginType: DeviceToken.self)?.token = "def"
        client.analytics.track(name: "B")
        _ = await client.flushed()
        #expect(client.server.events.compactMap { $0["context"]?["device"]?["token"]?.stringValue } == ["abc", "def"])
    }
}
