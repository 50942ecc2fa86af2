import TestSupport
import Testing
import Tributary

@Suite("Members that events of the field have")
struct EventMembersSnippet {
    @Test("Enrichment closures of an event run when the event is processed")
    func enrichments() async {
        let client = Client()
        var event = TrackEvent(event: "A", properties: nil)
        event.enrichments = [
            { event in
                guard var track = event as? TrackEvent else { return event }
                track.properties = ["added": true]
                return track
            }
        ]
        #expect(TrackEvent(existing: event).enrichments?.count == 1)
        client.analytics.process(event: event)
        _ = await client.flushed()
        #expect(client.server.events.first?["properties"]?["added"] == true)
        #expect(client.server.events.first?["enrichments"] == nil)
    }

    @Test("Metrics and metadata of an event have types and survive its JSON")
    func typed() throws {
        var event = IdentifyEvent(userId: "u")
        event.metrics = [["a": 1]]
        event._metadata = DestinationMetadata(bundled: ["A"], unbundled: ["B"], bundledIds: [])
        let copy = try JSON.parse(event.toString()).decode(IdentifyEvent.self)
        #expect(copy._metadata?.bundled == ["A"])
        #expect(copy._metadata?.unbundled == ["B"])
        #expect(copy.metrics == [["a": 1]])
        #expect(copy == event)
    }

    @Test("JSON.number takes a decimal number, and JSON.object takes a dictionary")
    func json() {
        let members: [String: JSON] = ["b": .number(1.5), "a": .string("x")]
        #expect(JSON.object(members) == ["a": "x", "b": 1.5])
    }
}
