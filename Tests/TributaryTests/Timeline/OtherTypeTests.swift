import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("A plugin or closure that makes an event of another type")
struct OtherTypeTests {
    private static func track(_ event: any RawEvent) -> (any RawEvent)? {
        guard let screen = event as? ScreenEvent else { return event }
        return TrackEvent(event: "\(screen.name ?? "") Viewed", properties: screen.properties)
    }

    /// Keeps the types that its functions see.
    ///
    /// Unchecked because only called on the executor; the test reads it after a barrier.
    final class Types: EventPlugin, @unchecked Sendable {
        let type: PluginType
        weak var analytics: Analytics?
        private(set) var seen: [String] = []
        init(_ type: PluginType) { self.type = type }
        func track(event: TrackEvent) -> TrackEvent? {
            seen.append("track \(event.event)")
            return event
        }
        func screen(event: ScreenEvent) -> ScreenEvent? {
            seen.append("screen")
            return event
        }
    }

    @Test(
        "An event that a plugin gave another type goes on behind the plugin with its ids and time",
        arguments: [PluginType.before, .enrichment])
    func goesOn(type: PluginType) async {
        let client = Client()
        let (before, behind) = (Types(type), Types(type))
        let destination = TestDestination("D")
        for plugin in [before, Recorder(type, name: "Turning", Self.track), behind, destination] as [any Plugin] {
            client.analytics.add(plugin: plugin)
        }
        client.analytics.manuallyEnableDestination(plugin: destination)
        client.analytics.screen(title: "Home", properties: ["tab": 1])
        await client.flushed()
        let event = client.server.events.first
        #expect(client.server.events.count == 1)
        #expect(event?["type"] == "track" && event?["event"] == "Home Viewed" && event?["properties"] == ["tab": 1])
        for key in ["messageId", "anonymousId", "timestamp"] { #expect(event?[key]?.stringValue?.isEmpty == false) }
        #expect(event?["context"]?["library"]?["name"] == "tributary")
        #expect(before.seen == ["screen"])
        #expect(behind.seen == ["track Home Viewed"])
        #expect((destination.received.first as? TrackEvent)?.event == "Home Viewed")
    }

    @Test("A closure of client, call or destination may change the type of an event")
    func closures() async {
        let client = Client(settings: ["integrations": ["D": true]])
        let destination = TestDestination("D")
        client.analytics.add(plugin: destination)
        destination.add { $0.flatMap(Self.track) }
        client.analytics.screen(title: "One", properties: nil)
        await client.flushed()
        #expect((destination.received.first as? TrackEvent)?.event == "One Viewed")
        #expect(client.server.events.map { $0["type"] } == ["screen"])
        client.analytics.screen(
            title: "Two", properties: nil,
            enrichments: [
                { $0.flatMap(Self.track) },
                { event in
                    var event = event as? TrackEvent
                    event?.event += " Twice"
                    return event
                },
            ])
        client.analytics.add { $0.flatMap(Self.track) }
        client.analytics.screen(title: "Three", properties: nil)
        await client.flushed()
        #expect(client.server.names == ["Two Viewed Twice", "Three Viewed"])
    }

    @Test("A type change in the server's timeline affects the server only")
    func ofTheServer() async {
        let client = Client(settings: ["integrations": ["D": true]])
        let destination = TestDestination("D")
        client.analytics.add(plugin: destination)
        client.analytics.find(pluginType: SegmentDestination.self)?.add(plugin: Recorder(name: "Turning", Self.track))
        client.analytics.screen(title: "Home", properties: nil)
        await client.flushed()
        #expect(client.server.names == ["Home Viewed"])
        #expect(destination.received.first is ScreenEvent)
    }

    @Test("Two type changes end with the last, and nil drops and is counted")
    func chain() async {
        let client = Client()
        client.analytics.add(plugin: Recorder(name: "First", Self.track))
        client.analytics.add(
            plugin: Recorder(name: "Second") { event in
                (event as? TrackEvent).map { GroupEvent(groupId: $0.event, traits: nil) } ?? event
            })
        client.analytics.add(
            plugin: Recorder(name: "Dropping") { ($0 as? GroupEvent)?.groupId == "B Viewed" ? nil : $0 })
        client.analytics.screen(title: "A", properties: nil)
        client.analytics.screen(title: "B", properties: nil)
        await client.flushed()
        #expect(client.server.events.map { $0["groupId"] } == ["A Viewed"])
        #expect(client.analytics.counters.droppedByPlugin == [.init(by: "Dropping", destination: nil): 1])
    }

    /// An event type that is none of the five.
    struct Strange: RawEvent {
        static let typeName = "strange"
        var json: JSONObject
        init(json: JSONObject) { self.json = json }
    }

    @Test("An unknown event type is reported with the plugin's name, and the event goes on unchanged")
    func unknown() async {
        let client = Client()
        client.analytics.add(plugin: Recorder(name: "Wild") { _ in Strange(json: ["type": "strange"]) })
        client.analytics.track(name: "A")
        await client.flushed()
        #expect(client.server.names == ["A"])
        await client.reported(.pluginFault, count: 1)
        let fault = client.diagnostics.all(.pluginFault).first
        #expect(fault?.plugin == "Wild" && fault?.message.contains("strange") == true)
    }
}
