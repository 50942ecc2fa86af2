import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Events that replace other events")
struct ExistingEventTests {
    private var screen: ScreenEvent {
        var event = ScreenEvent(title: "Home", category: "Main", properties: ["a": 1])
        event.messageId = "m-1"
        event.anonymousId = "a-1"
        event.userId = "u-1"
        event.timestamp = "2026-11-21T01:02:03.004Z"
        event.context = ["device": ["id": "d"]]
        event.integrations = ["Amplitude": false]
        return event
    }

    @Test("Events made from other events keep ids, time, context and integrations")
    func kept() {
        let events: [any RawEvent] = [
            TrackEvent(event: "E", properties: nil, existing: screen),
            IdentifyEvent(traits: ["plan": "pro"], existing: screen),
            ScreenEvent(title: "T", existing: screen),
            GroupEvent(groupId: "g", existing: screen),
        ]
        for event in events {
            #expect(event.messageId == "m-1" && event.anonymousId == "a-1" && event.userId == "u-1")
            #expect(event.timestamp == "2026-11-21T01:02:03.004Z")
            #expect(event.context?["device"]?["id"] == "d")
            #expect(event.integrations == ["Amplitude": false])
        }
        #expect(events.map(\.type) == ["track", "identify", "screen", "group"])
    }

    @Test("The ids that an event already has are kept")
    func users() {
        #expect(IdentifyEvent(userId: "u-2", traits: nil, existing: screen).userId == "u-2")
        let alias = AliasEvent(newId: "u-3", previousId: "u-1", existing: screen)
        #expect(alias.userId == "u-3" && alias.previousId == "u-1" && alias.messageId == "m-1")
    }

    @Test("A copy is the same event")
    func copies() { #expect(ScreenEvent(existing: screen) == screen) }

    @Test("A replacement that a plugin makes reaches the server once, at the place of the original")
    func sent() async {
        let client = Client()
        client.analytics.add { [weak analytics = client.analytics] event in
            guard let screen = event as? ScreenEvent, let name = screen.name else { return event }
            analytics?.process(
                event: TrackEvent(event: "\(name) Seen", properties: screen.properties, existing: screen))
            return nil
        }
        client.analytics.screen(title: "Home", properties: ["a": 1])
        await client.flushed()
        #expect(client.server.names == ["Home Seen"])
        #expect(client.server.events.first?["anonymousId"]?.stringValue == client.analytics.anonymousId)
        #expect(client.server.events.first?["properties"] == ["a": 1])
    }

    @Test("An event has a text for people")
    func text() {
        let event = TrackEvent(event: "E", properties: ["a": 1])
        #expect(event.toString() == #"{"type":"track","event":"E","properties":{"a":1}}"#)
        #expect(event.prettyPrint().contains("\n  \"event\": \"E\""))
    }
}
