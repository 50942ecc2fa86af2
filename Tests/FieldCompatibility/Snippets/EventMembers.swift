import TestSupport
import Testing
import Tributary

@Suite("Members that events of the field have")
struct EventMembersSnippet {
    @Test("closures of an event run when it is processed")
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

    @Test("metrics and metadata are typed")
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

    @Test("decimals and dictionaries make JSON by its cases")
    func json() {
        let members: [String: JSON] = ["b": .number(1.5), "a": .string("x")]
        #expect(JSON.object(members) == ["a": "x", "b": 1.5])
    }
}
