import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Device-mode destinations")
struct DestinationTests {
    private func client(_ integrations: JSON = ["A": ["token": "t"], "B": true, "Off": false]) -> Client {
        let server = TestServer()
        server.answerSettings(["integrations": integrations])
        return Client(server: server)
    }

    @Test("A destination runs when the settings name it, or when the app enables it by hand")
    func enabled() async {
        let client = client()
        let named = TestDestination("A"), off = TestDestination("Off"), unnamed = TestDestination("C")
        let manual = TestDestination("D")
        for destination in [named, off, unnamed, manual] { client.analytics.add(plugin: destination) }
        client.analytics.manuallyEnableDestination(plugin: manual)
        client.analytics.trackAllTypes()
        await client.processed()
        #expect([named, off, unnamed, manual].map(\.received.count) == [5, 0, 0, 5])
        #expect(client.analytics.counters.notEnabled == ["Off": 5, "C": 5])
        #expect(client.analytics.find(key: "A") === named)
    }

    @Test("An event's integrations choose among destinations, keys with dots included")
    func integrations() async {
        let client = client()
        let a = TestDestination("A"), b = TestDestination("B")
        client.analytics.add(plugin: a)
        client.analytics.add(plugin: b)
        func track(_ name: String, _ integrations: JSON) {
            var event = TrackEvent(event: name, properties: nil)
            event.integrations = integrations
            client.analytics.process(event: event)
        }
        track("only A", ["All": false, "A": true])
        track("not A", ["A": false])
        track("not the cloud", ["Segment.io": false])
        track("with options", ["All": false, "B": ["option": 1]])
        await client.flushed()
        func names(_ destination: TestDestination) -> [String] {
            destination.received.compactMap { ($0 as? TrackEvent)?.event }
        }
        #expect(names(a) == ["only A", "not the cloud"])
        #expect(names(b) == ["not A", "not the cloud", "with options"])
        // The server gets the event unless the event names the server itself, because the event may name a destination
        // behind it.
        #expect(client.server.names == ["only A", "not A", "with options"])
    }

    @Test("Plugins in a destination's timeline change and drop only that destination's events")
    func ownTimeline() async {
        let client = client()
        let a = TestDestination("A"), b = TestDestination("B")
        a.add(
            plugin: Recorder(.enrichment, name: "early") { event in
                var event = event
                event.context = ["secret": true]
                return event
            })
        client.analytics.add(plugin: a)
        client.analytics.add(plugin: b)
        b.add(plugin: Recorder(.before, name: "gone") { _ in nil })
        client.analytics.track(name: "X")
        await client.flushed()
        #expect(a.received.first?.context == ["secret": true])
        #expect(b.received.isEmpty)
        #expect(client.server.events.first?["context"]?["secret"] == nil)
        #expect(client.analytics.counters.droppedByPlugin == [.init(by: "gone", destination: "B"): 1])
        #expect(a.find(pluginType: Recorder.self)?.name == "early")
    }

    @Test("A destination gets typed settings in each of the three forms")
    func typedSettings() async {
        struct Options: Codable, Equatable { let token: String }
        let client = client()
        let destination = TestDestination("A")
        client.analytics.add(plugin: destination)
        await client.processed()
        let settings = client.analytics.settings()
        #expect(settings?.integrationSettings(forKey: "A") == Options(token: "t"))
        #expect(settings?.integrationSettings(name: "A") == Options(token: "t"))
        #expect(settings?.integrationSettings(forPlugin: destination) == Options(token: "t"))
        let missing: Options? = settings?.integrationSettings(name: "B")
        #expect(missing == nil)
    }

    @Test("Reset and flush reach destinations after the earlier events")
    func resetAndFlush() async {
        let client = client()
        let destination = TestDestination("A")
        client.analytics.add(plugin: destination)
        client.analytics.track(name: "X")
        client.analytics.reset()
        await client.flushed()
        await client.processed()
        #expect(destination.received.count == 1)
        #expect(destination.resets == 1)
        #expect(destination.flushes == 1)
    }
}
