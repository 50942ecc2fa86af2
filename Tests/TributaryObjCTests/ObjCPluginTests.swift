import Foundation
import TestSupport
import Testing
import Tributary
import TributaryJSON

@testable import TributaryObjC

@Suite("Plugins in Objective-C")
struct ObjCPluginTests {
    /// A plugin like a subclass in Objective-C.
    private final class Renaming: ObjCEventPlugin {
        override func executeEvent(_ event: (any ObjCRawEvent)?) -> (any ObjCRawEvent)? {
            if let track = event as? ObjCTrackEvent { track.event = "[New] \(track.event)" }
            return event
        }
    }

    /// Not an event of the library's.
    private final class Strange: NSObject, ObjCRawEvent {
        var type: String? { nil }
        var anonymousId: String?
        var messageId: String?
        var userId: String?
        var timestamp: String?
        var context: [String: Any]?
        var integrations: [String: Any]?
    }

    private final class Shim: NSObject, ObjCPluginShim {
        let plugin: any EventPlugin
        init(_ plugin: any EventPlugin) { self.plugin = plugin }
        func instance() -> any EventPlugin { plugin }
    }

    /// A plugin like a class in Objective-C, which has no base class of ours.
    private final class Handler: NSObject, ObjCEventHandler {
        func executeEvent(_ event: (any ObjCRawEvent)?) -> (any ObjCRawEvent)? {
            guard let track = event as? ObjCTrackEvent, track.event != "Secret" else { return nil }
            guard track.event != "Strange" else { return Strange() }
            track.event = "[Handled] \(track.event)"
            return track
        }
    }

    private final class Unknown: NSObject, ObjCPlugin {}

    @Test("Plugins can change every member of every type, and other members stay")
    func members() async {
        let client = Client()
        let analytics = ObjCAnalytics(wrapping: client.analytics)
        analytics.addPlugin(
            ObjCBlockPlugin { event in
                event?.context?["own"] = true
                event?.integrations = ["D": false]
                event?.timestamp = "2026-11-21T01:02:03.004Z"
                switch event {
                case let event as ObjCTrackEvent: event.properties = ["n": 2]
                case let event as ObjCIdentifyEvent: event.traits?["plan"] = "max"
                case let event as ObjCScreenEvent: (event.name, event.category) = ("S", nil)
                case let event as ObjCGroupEvent: (event.groupId, event.traits) = ("g-2", nil)
                case let event as ObjCAliasEvent: event.previousId = "before"
                default: break
                }
                return event
            })
        client.analytics.trackAllTypes()
        #expect(await client.flushed() == .sent)
        let events = client.server.events
        #expect(events.count == 5)
        for event in events {
            #expect(event["context"]?["own"] == true && event["context"]?["library"] != nil)
            #expect(event["integrations"] == ["D": false])
            #expect(event["timestamp"] == "2026-11-21T01:02:03.004Z")
        }
        #expect(events[0]["properties"] == ["n": 2])
        #expect(events[1]["traits"] == ["plan": "max"])
        #expect(events[2]["name"] == "S" && events[2]["category"] == nil)
        #expect(events[3]["groupId"] == "g-2" && events[3]["traits"] == nil)
        #expect(events[4]["previousId"] == "before")
        await client.ended()
    }

    @Test("A plugin subclass sees events, and drops an event by returning nil")
    func subclass() async {
        let client = Client()
        let analytics = ObjCAnalytics(wrapping: client.analytics)
        analytics.addPlugin(
            ObjCBlockPlugin { event in
                (event as? ObjCTrackEvent)?.event == "Secret" ? nil : event
            })
        analytics.addPlugin(Renaming())
        analytics.track("Secret")
        analytics.track("A")
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == ["[New] A"])
        await client.ended()
    }

    @Test("An object of the app's own class changes and drops events, and diagnostics have the name of that class")
    func handler() async {
        let client = Client()
        let analytics = ObjCAnalytics(wrapping: client.analytics)
        analytics.addPlugin(Handler())
        for name in ["Secret", "A", "Strange"] { analytics.track(name) }
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == ["[Handled] A", "Strange"])
        await client.reported(.reported, count: 1)
        #expect(client.diagnostics.all(.reported).last?.message.contains("Handler returned") == true)
        await client.ended()
    }

    @Test("A plugin's answer that is no event, and a value without a JSON form, are left out and reported")
    func strange() async {
        struct NoJSON {}
        let client = Client()
        let analytics = ObjCAnalytics(wrapping: client.analytics)
        analytics.addPlugin(
            ObjCBlockPlugin { event in
                (event as? ObjCTrackEvent)?.properties = ["a": NoJSON(), "kept": 2]
                return (event as? ObjCTrackEvent)?.event == "A" ? Strange() : event
            })
        analytics.track("A", properties: ["n": 1])
        analytics.track("B", properties: ["n": 2])
        #expect(await client.flushed() == .sent)
        #expect(client.server.events.map { $0["properties"] } == [["n": 1], ["kept": 2]])
        await client.reported(.reported, count: 2)
        #expect(client.diagnostics.all(.reported).last?.message.contains("properties goes on without a: ") == true)
        await client.ended()
    }

    @Test("Swift plugins are added by their shims, also to destinations; anything else is reported")
    func shims() async {
        let client = Client(settings: ["integrations": ["Segment.io": [:], "D": true]])
        let destination = TestDestination("D")
        client.analytics.add(plugin: destination)
        let analytics = ObjCAnalytics(wrapping: client.analytics)
        let inner = TestDestination("Inner")
        analytics.addPlugin(Shim(inner))
        analytics.addPlugin(Renaming(), destinationKey: "D")
        analytics.addPlugin(Renaming(), destinationKey: "None")
        analytics.addPlugin(Unknown())
        analytics.addPlugin(nil)
        analytics.track("A")
        #expect(await client.flushed() == .sent)
        #expect(client.analytics.find(key: "Inner") === inner)
        #expect(destination.received.compactMap { ($0 as? TrackEvent)?.event } == ["[New] A"])
        #expect(client.server.names == ["A"])
        await client.reported(.reported, count: 2)
        await client.ended()
    }
}
