import TestSupport
import Testing
import Tributary

/// Opens something when it is configured and closes it at its end.
private final class Opening: EventPlugin {
    let type = PluginType.enrichment
    weak var analytics: Analytics?
    var isOpen = false
    var seenWhileClosed = 0

    func configure(analytics: Analytics) {
        self.analytics = analytics
        isOpen = true
    }

    func track(event: TrackEvent) -> TrackEvent? {
        if !isOpen { seenWhileClosed += 1 }
        return event
    }

    func shutdown() { isOpen = false }
}

@Suite("A plugin that is removed and added again at once")
struct AddingAgainSnippet {
    @Test("A plugin that is added again after its removal is configured before events come")
    func open() async {
        let client = Client()
        let plugin = Opening()
        client.analytics.add(plugin: plugin)
        await client.processed()
        client.analytics.remove(plugin: plugin)
        client.analytics.add(plugin: plugin)
        await client.processed()
        client.analytics.track(name: "A")
        await client.processed()
        #expect(plugin.isOpen && plugin.seenWhileClosed == 0)
    }
}
