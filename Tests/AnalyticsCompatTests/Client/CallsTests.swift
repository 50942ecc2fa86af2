import AnalyticsCompat
import Foundation
import TestSupport
import Testing

@Suite("Calls")
struct CallsTests {
    private let spy = Spy()

    private func client(_ set: (AnalyticsConfiguration) -> Void = { _ in }) -> CompatClient {
        CompatClient { config in
            config.sourceMiddleware = [spy]
            set(config)
        }
    }

    private func payload<Kind: Payload>(_ index: Int = 0, as type: Kind.Type) throws -> Kind {
        try #require(spy.seen[index].payload as? Kind)
    }

    @Test("An identify event has user, installation and traits")
    func identify() async throws {
        let client = client()
        client.analytics.identify("testUserId1", traits: ["firstName": "Peter"])
        await client.processed()
        let payload = try payload(as: IdentifyPayload.self)
        #expect(payload.userId == "testUserId1")
        #expect(payload.anonymousId == client.analytics.getAnonymousId())
        #expect(payload.traits?["firstName"] as? String == "Peter")
    }

    @Test("The traits of an identify event are all known traits with both ids, also after a call without traits")
    func cumulativeTraits() async throws {
        let client = client()
        client.analytics.identify("u", traits: ["firstName": "Peter"])
        client.analytics.identify("u", traits: ["lastName": "Pan"])
        client.analytics.identify("u")
        client.analytics.identify(nil, traits: ["plan": "pro"])
        await client.flushed()
        for index in 2...3 {
            let payload = try payload(index, as: IdentifyPayload.self)
            #expect(payload.traits?["userId"] as? String == "u")
            #expect(payload.traits?["anonymousId"] as? String == client.analytics.anonymousId)
            #expect(payload.traits?["firstName"] as? String == "Peter")
            #expect(payload.traits?["lastName"] as? String == "Pan")
        }
        #expect(client.server.events[3]["traits"]?["plan"] == "pro")
        #expect(client.analytics.traits()?["userId"] == nil)
    }

    @Test("Another user begins without the traits of the previous user")
    func otherUser() async {
        let client = client()
        client.analytics.identify("one", traits: ["a": 1])
        client.analytics.identify("two", traits: ["b": 2])
        await client.flushed()
        #expect(client.server.events[1]["traits"]?["a"] == nil)
        #expect(client.server.events[1]["traits"]?["b"] == 2)
    }

    @Test("An anonymous id among the options becomes the client's anonymous id")
    func anonymousId() async throws {
        let client = client()
        client.analytics.identify("u", traits: ["a": 1], options: ["anonymousId": "mine"])
        client.analytics.track("a")
        await client.flushed()
        #expect(try payload(as: IdentifyPayload.self).anonymousId == "mine")
        #expect(client.analytics.getAnonymousId() == "mine")
        #expect(client.server.events.allSatisfy { $0["anonymousId"] == "mine" })
    }

    @Test("A track event has name and properties, and options add to its context")
    func track() async throws {
        let client = client()
        client.analytics.track(
            "addressClicked", properties: ["favourite": "shop"],
            options: ["context": ["network": ["carrier": "mine"]], "integrations": ["X": false]])
        await client.processed()
        let payload = try payload(as: TrackPayload.self)
        #expect(payload.event == "addressClicked")
        #expect(payload.properties?["favourite"] as? String == "shop")
        #expect((payload.context["network"] as? [String: Any])?["carrier"] as? String == "mine")
        #expect(payload.context["library"] != nil)
        #expect(payload.integrations["X"] as? Bool == false)
    }

    @Test("An alias event has the new id and the one before, and the user stays")
    func alias() async throws {
        let client = client()
        client.analytics.alias("first")
        client.analytics.identify("u")
        client.analytics.alias("second")
        client.analytics.track("a")
        await client.flushed()
        #expect(try payload(as: AliasPayload.self).theNewId == "first")
        #expect(try payload(as: AliasPayload.self).previousId == client.analytics.anonymousId)
        #expect(try payload(2, as: AliasPayload.self).previousId == "u")
        #expect(client.server.events[2]["userId"] == "second" && client.server.events[2]["previousId"] == "u")
        #expect(client.server.events[3]["userId"] == "u")
    }

    @Test("A screen event has name, category and properties")
    func screen() async throws {
        let client = client()
        client.analytics.screen("Home", category: "Main", properties: ["a": 1])
        await client.processed()
        let payload = try payload(as: ScreenPayload.self)
        #expect(payload.name == "Home" && payload.category == "Main")
        #expect(payload.properties?["a"] as? Int == 1)
    }

    @Test("A group event has id and traits")
    func group() async throws {
        let client = client()
        client.analytics.group("acme", traits: ["size": 3])
        await client.processed()
        #expect(try payload(as: GroupPayload.self).groupId == "acme")
        #expect(try payload(as: GroupPayload.self).traits?["size"] as? Int == 3)
    }

    @Test("Null values of properties stay")
    func nulls() async throws {
        let client = client()
        client.analytics.track("a", properties: ["b": NSNull()])
        await client.flushed()
        #expect(try payload(as: TrackPayload.self).properties?["b"] is NSNull)
        #expect(client.server.events[0]["properties"] == ["b": .null])
    }

    @Test("Calls without a name or an id are refused with a reason, and never end the app")
    func refused() async {
        let client = client()
        client.analytics.track("")
        client.analytics.screen("")
        client.analytics.group("")
        client.analytics.alias("")
        client.analytics.identify(nil)
        client.analytics.identify("", traits: [:])
        await client.flushed()
        #expect(client.server.events.isEmpty)
        await client.diagnostics.wait(for: .invalidValue, count: 6)
    }

    @Test("A value without a JSON form is left out and reported, and the rest is kept")
    func unserializable() async {
        final class Thing {}
        let client = client()
        client.analytics.track("a", properties: ["thing": Thing(), "data": Data([1]), "b": ["c": [1, Thing()]]])
        await client.flushed()
        #expect(client.server.events[0]["properties"] == ["b": ["c": [1]], "data": "AQ=="])
        await client.diagnostics.wait(for: .invalidValue, count: 2)
    }

    @Test("The version can be read, and debugging can be switched on")
    func others() {
        let client = client()
        #expect(Analytics.version() == client.analytics.version())
        #expect(client.analytics.getDeviceToken().isEmpty)
        #expect(client.analytics.edgeFunction() == nil)
    }
}
