import TestSupport
import Testing
import Tributary

@Suite("A destination that the app enables by itself")
struct ManualDestinationSnippet {
    @Test("A manually enabled destination is in the settings and gets events")
    func enabled() async {
        let client = Client(settings: ["integrations": ["Segment.io": true]])
        let destination = TestDestination("Own")
        client.analytics.add(plugin: destination)
        await client.processed()
        client.analytics.manuallyEnableDestination(plugin: destination)
        #expect(client.analytics.settings()?.integrations?["Own"] == true)
        client.analytics.track(name: "A")
        await client.processed()
        #expect(destination.received.count == 1)
    }
}
