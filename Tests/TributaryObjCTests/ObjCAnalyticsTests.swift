import Foundation
import TestSupport
import Testing
import Tributary
import TributaryJSON
import TributaryObjC

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The client in Objective-C")
struct ObjCAnalyticsTests {
    @Test("Every call from Objective-C arrives like one from Swift")
    func calls() async {
        let client = Client()
        let analytics = ObjCAnalytics(wrapping: client.analytics)
        analytics.track("A")
        analytics.track("B", properties: ["n": 1])
        analytics.identify("u-1")
        analytics.identify("u-1", traits: ["plan": "pro"])
        analytics.identify(nil, traits: ["size": 3])
        analytics.identify(nil, traits: nil)
        analytics.screen("Home", category: "Main", properties: ["p": true])
        analytics.group("g-1", traits: ["seats": 4])
        analytics.alias("u-2")
        #expect(await client.flushed() == .sent)
        let events = client.server.events
        #expect(
            events.map { $0["type"]?.stringValue } == [
                "track", "track", "identify", "identify", "identify", "screen", "group", "alias",
            ])
        #expect(events[1]["properties"] == ["n": 1])
        #expect(events[4]["traits"] == ["size": 3] && events[4]["userId"] == "u-1")
        #expect(events[5]["category"] == "Main" && events[5]["properties"] == ["p": true])
        #expect(events[6]["groupId"] == "g-1" && events[6]["traits"] == ["seats": 4])
        #expect(events[7]["previousId"] == "u-1" && analytics.userId == "u-2")
        #expect(analytics.traits()?["plan"] as? String == "pro")
        #expect(analytics.settings()?["integrations"] is [String: Any])
        analytics.reset()
        #expect(analytics.userId == nil && analytics.anonymousId == client.analytics.anonymousId)
        analytics.enabled = false
        analytics.track("C")
        #expect(await client.flushed() == .sent)
        #expect(client.server.events.count == 8)
        await client.ended()
    }

    @Test("A configuration from Objective-C sets the client's options")
    func configuration() async throws {
        let folder = try TemporaryFolder()
        let server = TestServer()
        server.silenceSettings()
        let time = ManualTime()
        let objc = ObjCConfiguration(writeKey: "KEY")
        objc.apiHost = "http://own.test/v1"
        objc.cdnHost = "http://own.test/v1"
        objc.flushAt = 3
        objc.flushInterval = 0
        objc.trackApplicationLifecycleEvents = false
        objc.defaultSettings = ["integrations": ["Segment.io": [:] as [String: Any], "D": ["level": 2]]]
        objc.requestFactory = { request in
            var request = request
            request.setValue("secret", forHTTPHeaderField: "X-Gate")
            return request
        }
        objc.userAgent = "Shop/1"
        let configuration = objc.configuration.transport(server).timeSource(time).gzip(false).migration(.off)
            .storageMode(.diskAtURL(folder.url))
        let analytics = Analytics(configuration: configuration)
        await time.scheduled(in: 10)
        time.advance(by: 10)
        for name in ["A", "B", "C"] { analytics.track(name: name) }
        await server.confirmed(3)
        #expect(server.names == ["A", "B", "C"])
        #expect(server.batches.first?.url.absoluteString == "http://own.test/v1/b")
        #expect(server.batches.first?.headers["X-Gate"] == "secret")
        #expect(server.events.first?["context"]?["userAgent"] == "Shop/1")
        let options: [String: Int]? = analytics.settings()?.integrationSettings(forKey: "D")
        #expect(options == ["level": 2])
        await withCheckedContinuation { done in analytics.shutdown { done.resume() } }
    }

    @Test("Default settings without a JSON form are reported, and the usual ones apply")
    func unusableSettings() {
        struct NoJSON {}
        let told = Told()
        let objc = ObjCConfiguration(writeKey: "KEY")
        objc.defaultSettings = ["integrations": NoJSON()]
        objc.errorHandler = { _ in told.note() }
        _ = objc.configuration
        #expect(told.count == 1)
    }

    /// Unchecked because it is only touched on the test's thread.
    private final class Told: @unchecked Sendable {
        private(set) var count = 0
        func note() { count += 1 }
    }
}
