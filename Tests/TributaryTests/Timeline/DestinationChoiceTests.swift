import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("The destinations of an event")
struct DestinationChoiceTests {
    private func client(_ settings: JSON) -> Client {
        let server = TestServer()
        server.answerSettings(settings)
        return Client(server: server) { $0.flushAt(.max).flushInterval(0) }
    }

    private func names(_ destination: TestDestination) -> [String] {
        destination.received.compactMap { ($0 as? TrackEvent)?.event }
    }

    private func track(_ client: Client, _ name: String, _ integrations: JSONObject) {
        client.analytics.track(
            name: name, properties: nil as [String: Any]?, options: EventOptions(integrations: integrations))
    }

    @Test("In integrations a destination's own key wins over All")
    func integrations() async {
        let client = client(["integrations": ["a.b": ["x": 1], "C": true]])
        let (dotted, plain) = (TestDestination("a.b"), TestDestination("C"))
        client.analytics.add(plugin: dotted)
        client.analytics.add(plugin: plain)
        track(client, "nobody", ["All": false])
        track(client, "nobody, in small letters", ["all": false])
        track(client, "dotted", ["All": false, "a.b": ["option": true]])
        track(client, "not dotted", ["a.b": false])
        track(client, "zero", ["a.b": 0, "C": 1])
        track(client, "null", ["All": false, "C": .null])
        track(client, "everybody", ["All": true, "C": "text"])
        track(client, "not the server", ["Segment.io": false])
        await client.flushed()
        #expect(names(dotted) == ["dotted", "everybody", "not the server"])
        #expect(names(plain) == ["not dotted", "zero", "everybody", "not the server"])
        #expect(
            client.server.names == [
                "nobody", "nobody, in small letters", "dotted", "not dotted", "zero", "null", "everybody",
            ])
        #expect(client.server.events[2]["integrations"] == ["All": false, "a.b": ["option": true]])
    }

    @Test(
        "The tracking plan blocks events by name, by destination and by default on the device, and never for the server"
    )
    func plan() async {
        let client = client([
            "integrations": ["A": true, "B": true],
            "plan": [
                "track": [
                    "__default": ["enabled": false], "Known": ["enabled": true],
                    "Blocked": ["enabled": false], "Some": ["integrations": ["All": false, "B": true]],
                ]
            ],
        ])
        let (a, b) = (TestDestination("A"), TestDestination("B"))
        client.analytics.add(plugin: a)
        client.analytics.add(plugin: b)
        for name in ["Known", "Blocked", "Some", "New"] { client.analytics.track(name: name) }
        client.analytics.screen(title: "Blocked")
        await client.flushed()
        #expect(names(a) == ["Known"] && a.received.count == 2)
        #expect(names(b) == ["Known", "Some"] && b.received.count == 3)
        #expect(client.server.events.count == 5)
        #expect(client.analytics.counters.notEnabled == ["A": 3, "B": 2])
    }

    @Test("The server gets the list of device destinations, in the order of adding")
    func metadata() async {
        let settings: JSON = [
            "integrations": [
                "Segment.io": ["unbundledIntegrations": ["Elsewhere", "Cloud"]], "B": true, "Cloud": ["x": 1],
                "A": ["x": 1],
            ]
        ]
        let client = client(settings)
        for name in ["A", "B", "Unknown"] { client.analytics.add(plugin: TestDestination(name)) }
        client.analytics.track(name: "X")
        await client.flushed()
        let removed: TestDestination? = client.analytics.find(key: "A") as? TestDestination
        if let removed { client.analytics.remove(plugin: removed) }
        client.analytics.track(name: "Y")
        await client.flushed()
        #expect(
            client.server.events.map { $0["_metadata"] } == [
                ["bundled": ["A", "B"], "unbundled": ["Cloud", "Elsewhere"], "bundledIds": []],
                ["bundled": ["B"], "unbundled": ["Cloud", "A", "Elsewhere"], "bundledIds": []],
            ])
        let bare = self.client(["integrations": ["Segment.io": ["apiKey": "K"]]])
        bare.analytics.track(name: "X")
        await bare.flushed()
        #expect(bare.server.events.first?["_metadata"] == nil)
    }

    @Test("Destinations get an event in the order in which they were added")
    func order() async {
        let client = client(["integrations": ["A": true, "B": true, "C": true]])
        for name in ["C", "A", "B"] {
            let destination = TestDestination(name)
            destination.add(plugin: Recorder(.before, name: "in \(name)") { _ in nil })
            client.analytics.add(plugin: destination)
        }
        let seen = LockBox<[String]>([])
        client.analytics.apply { plugin in
            if plugin is Recorder { seen.withLock { $0.append(plugin.name) } }
        }
        client.analytics.track(name: "X")
        await client.processed()
        #expect(seen.withLock { $0 } == ["in C", "in A", "in B"])
    }

    @Test("onReady calls back once, for the client and for each enabled destination")
    func ready() async {
        let client = client(["integrations": ["A": true]])
        let (a, manual) = (TestDestination("A"), TestDestination("Manual"))
        client.analytics.add(plugin: a)
        client.analytics.add(plugin: manual)
        client.analytics.track(name: "X")
        let told = LockBox<[String]>([])
        client.analytics.onReady(key: "A") { destination in told.withLock { $0.append(destination.key) } }
        client.analytics.onReady(key: "Manual") { destination in told.withLock { $0.append(destination.key) } }
        client.analytics.onReady(key: "Nobody") { destination in told.withLock { $0.append(destination.key) } }
        async let isReady: Void = withCheckedContinuation { done in client.analytics.onReady { done.resume() } }
        client.begin()
        await isReady
        await client.processed()
        #expect(told.withLock { $0 } == ["A"])
        client.analytics.manuallyEnableDestination(plugin: manual)
        await client.processed()
        await client.processed()
        #expect(told.withLock { $0 } == ["A", "Manual"])
        await withCheckedContinuation { done in client.analytics.onReady { done.resume() } }  // it is so already
    }
}
