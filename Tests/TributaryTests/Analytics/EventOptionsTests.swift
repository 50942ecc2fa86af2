import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Options of a call")
struct EventOptionsTests {
    @Test("Options of a call apply to that event of each type, and to no later event")
    func everyType() async {
        let client = Client()
        let own = client.analytics.anonymousId
        let none = nil as [String: Any]?
        for number in 0..<6 {
            let options = EventOptions(
                timestamp: Date(timeIntervalSince1970: 1_000_000_000.25), anonymousId: "somebody",
                integrations: ["All": false, "Acme": ["option": 1]], context: ["ip": "0.0.0.0", "os": ["name": "own"]],
                messageId: "m-\(number)")
            switch number {
            case 0: client.analytics.track(name: "A", properties: none, options: options)
            case 1: client.analytics.identify(userId: "u", traits: none, options: options)
            case 2: client.analytics.screen(title: "S", properties: none, options: options)
            case 3: client.analytics.page(title: "P", properties: none, options: options)
            case 4: client.analytics.group(groupId: "g", traits: none, options: options)
            default: client.analytics.alias(newId: "v", options: options)
            }
        }
        client.analytics.track(name: "Plain")
        await client.flushed()
        let events = client.server.events
        #expect(events.map { $0["type"] } == ["track", "identify", "screen", "page", "group", "alias", "track"])
        for (number, event) in events.dropLast().enumerated() {
            #expect(event["messageId"] == .string("m-\(number)"))
            #expect(event["timestamp"] == "2001-09-09T01:46:40.250Z")
            #expect(event["anonymousId"] == "somebody")
            #expect(event["integrations"] == ["All": false, "Acme": ["option": 1]])
            #expect(event["context"]?["ip"] == "0.0.0.0")
            #expect(event["context"]?["os"] == ["name": "own"])
            #expect(event["context"]?["library"]?["name"] == "tributary")
        }
        #expect(events.last?["anonymousId"]?.stringValue == own)
        #expect(events.last?["integrations"] == [:])
        #expect(client.analytics.anonymousId == own)
    }

    @Test("Impossible options, such as a blank id, are reported and ignored")
    func impossible() async {
        let client = Client()
        let now = ISO8601.string(milliseconds: client.time.milliseconds)
        for time in [Double.nan, .infinity, -1e300] {
            let options = EventOptions(timestamp: Date(timeIntervalSince1970: time), anonymousId: " ", messageId: "\n")
            client.analytics.track(name: "A", properties: nil as [String: Any]?, options: options)
        }
        await client.flushed()
        #expect(client.server.events.map { $0["timestamp"]?.stringValue } == [now, now, now])
        #expect(Set(client.server.events.map { $0["anonymousId"]?.stringValue }) == [client.analytics.anonymousId])
        #expect(Set(client.server.events.compactMap { $0["messageId"]?.stringValue }.filter { !$0.isBlank }).count == 3)
        await client.diagnostics.wait(for: .invalidValue, count: 9)
    }

    @Test("A page event is a screen event of its own type, for plugins too")
    func page() async {
        let client = Client()
        let destination = TestDestination("Screens")
        client.analytics.add(plugin: destination)
        client.analytics.manuallyEnableDestination(plugin: destination)
        client.analytics.page(title: "Home", category: "Main", properties: ["a": 1])
        client.analytics.page(title: "Bare")
        await client.flushed()
        #expect(destination.received.compactMap { ($0 as? ScreenEvent)?.name } == ["Home", "Bare"])
        #expect(client.server.events.map { $0["type"] } == ["page", "page"])
        #expect(client.server.events.first?["properties"] == ["a": 1])
        #expect(client.server.events.first?["category"] == "Main")
    }

    @Test("Functions choose an event's integrations, all at once or one by one")
    func integrations() {
        var event = TrackEvent(event: "A", properties: nil)
        event.disableCloudIntegrations(exceptKeys: ["Acme", "Segment.io"])
        #expect(event.integrations == ["All": false, "Acme": true, "Segment.io": true])
        event.disableIntegration(key: "Acme")
        event.enableIntegration(key: "x.y")
        #expect(event.integrations == ["All": false, "Acme": false, "Segment.io": true, "x.y": true])
        event.enableCloudIntegrations(exceptKeys: ["Acme"])
        #expect(event.integrations == ["All": true, "Acme": false])
    }

    @Test("Closures of a call work for every type of event")
    func closures() async {
        struct Traits: Codable { let size: Int }
        let mark: EnrichmentClosure = { event in
            var event = event
            event?.context = ["marked": true]
            return event
        }
        let client = Client()
        client.analytics.track(name: "A", properties: Traits(size: 1), enrichments: [mark])
        client.analytics.identify(userId: "u", traits: Traits(size: 1), enrichments: [mark])
        client.analytics.screen(title: "S", properties: Traits(size: 1), enrichments: [mark])
        client.analytics.group(groupId: "g", traits: Traits(size: 1), enrichments: [mark])
        client.analytics.alias(newId: "v", enrichments: [mark])
        client.analytics.group(groupId: "dropped", traits: Traits(size: 2), enrichments: [{ _ in nil }])
        await client.flushed()
        #expect(client.server.events.count == 5)
        #expect(client.server.events.allSatisfy { $0["context"]?["marked"] == true })
        #expect(
            client.analytics.counters.droppedByPlugin == [.init(by: "enrichment closure", destination: nil): 1])
    }
}
