import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("The context of events")
struct ContextPluginTests {
    private let client = Client()

    /// Changes each time it is read, and counts.
    private func reader(_ reads: LockBox<Int>) -> ContextReader {
        ContextReader(
            fixed: { ["os": ["name": "Test (x)\\", "version": "1"], "app": ["name": "shop"]] },
            changing: {
                let count = reads.withLock { reads in
                    reads += 1
                    return reads
                }
                return ["locale": .string("l\(count)")]
            })
    }

    private func add(_ plugin: ContextPlugin) {
        client.analytics.find(pluginType: ContextPlugin.self).map(client.analytics.remove)
        client.analytics.add(plugin: plugin)
    }

    @Test("Facts that can change are read again after a minute or a change, not for each event")
    func refresh() async {
        let reads = LockBox(0)
        let plugin = ContextPlugin(instanceId: "i", reader: reader(reads))
        add(plugin)
        for _ in 1...3 { client.analytics.track(name: "A") }
        await client.flushed()
        client.time.advance(by: Limits.contextInterval + 1)
        client.analytics.track(name: "A")
        await client.flushed()
        plugin.refresh()
        for _ in 1...2 { client.analytics.track(name: "A") }
        await client.flushed()
        #expect(client.server.events.map { $0["context"]?["locale"] } == ["l1", "l1", "l1", "l2", "l3", "l3"])
        #expect(reads.withLock { $0 } == 3)
        await client.ended()
    }

    @Test("The event's own context wins, and the user agent names client and app")
    func merge() async {
        add(ContextPlugin(instanceId: "i", reader: reader(LockBox(0))))
        client.analytics.process(
            event: TrackEvent(json: ["type": "track", "event": "A", "context": ["app": ["name": "old"], "x": 1]]))
        await client.flushed()
        let context = client.server.events.first?["context"]
        #expect(context?["app"] == ["name": "old"])
        #expect(context?["x"] == 1)
        #expect(context?["instanceId"] == "i")
        #expect(context?["library"]?["name"] == "tributary")
        #expect(context?["userAgent"] == .string("tributary/\(Analytics.version()) (Test x 1)"))
        await client.ended()
    }

    @Test("The context has the facts of the system and invents none")
    func real() async {
        client.analytics.track(name: "A")
        await client.flushed()
        let context = client.server.events.first?["context"]
        #expect(context?["os"]?["name"]?.stringValue?.isEmpty == false)
        #expect(context?["timezone"]?.stringValue?.isEmpty == false)
        #expect(context?["app"]?["name"]?.stringValue?.isEmpty == false)
        #expect(context?["device"]?["type"] != nil)
        let text = context.map { String(decoding: $0.encoded(), as: UTF8.self) }
        #expect(text?.lowercased().contains("unknown") == false)
        await client.ended()
    }
}
