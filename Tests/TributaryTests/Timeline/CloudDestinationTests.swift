import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("The destination that stands for the server")
struct CloudDestinationTests {
    @Test("The cloud destination is found by type and key, and its plugins change only the server's events")
    func ownTimeline() async throws {
        // The settings are set before the client, because it asks at once.
        let server = TestServer()
        server.answerSettings(["integrations": ["Segment.io": [:], "D": true]])
        let client = Client(server: server)
        let device = TestDestination("D")
        client.analytics.add(plugin: device)
        let cloud = try #require(client.analytics.find(pluginType: SegmentDestination.self))
        #expect(client.analytics.find(key: "Segment.io") === cloud)
        cloud.add { event in
            guard var event = event as? TrackEvent, event.event != "Secret" else { return nil }
            event.properties?["mail"] = nil
            return event
        }
        client.analytics.track(name: "Secret")
        client.analytics.track(name: "A", properties: ["mail": "x", "n": 1])
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == ["A"])
        #expect(client.server.events.first?["properties"] == ["n": 1])
        #expect(device.received.compactMap { ($0 as? TrackEvent)?.event } == ["Secret", "A"])
        #expect((device.received.last as? TrackEvent)?.properties?["mail"] == "x")
    }
}
