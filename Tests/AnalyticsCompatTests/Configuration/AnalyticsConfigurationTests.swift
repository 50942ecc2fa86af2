import Foundation
import TestSupport
import Testing

@testable import AnalyticsCompat

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The configuration")
struct AnalyticsConfigurationTests {
    private let settings: JSON = ["integrations": [:]]

    @Test("Defaults are those of analytics-ios")
    func defaults() {
        let config = AnalyticsConfiguration(writeKey: "KEY")
        #expect(config.writeKey == "KEY")
        #expect(config.apiHost.absoluteString == "https://api.segment.io/v1")
        #expect(config.flushAt == 20 && config.flushInterval == 30 && config.maxQueueSize == 1000)
        #expect(!config.trackApplicationLifecycleEvents && !config.recordScreenViews && !config.trackInAppPurchases)
        #expect(!config.trackPushNotifications && !config.trackDeepLinks)
        #expect(!config.shouldUseBluetooth && !config.shouldUseLocationServices)
        #expect(config.enableAdvertisingTracking && config.adSupportBlock == nil)
        #expect(config.sourceMiddleware == nil && config.destinationMiddleware == nil)
        #expect(config.edgeFunctionMiddleware == nil && config.requestFactory == nil && config.crypto == nil)
        #expect(config.defaultSettings == nil && config.launchOptions == nil && config.application == nil)
        #expect(config.httpSessionDelegate == nil)
        #expect(config.payloadFilters.count == 1)
        #expect(!config.experimental.nanosecondTimestamps && config.experimental.rawSegmentModificationBlock == nil)
        let client = CompatClient()
        #expect(!client.analytics.getAnonymousId().isEmpty)
        #expect(client.analytics.flushAt == 20 && client.analytics.flushInterval == 30)
    }

    private func host(_ client: CompatClient) -> String? {
        client.server.batches.last.flatMap { $0.url.host }
    }

    @Test(
        "Events go to the default host, and to the host of the settings once they have one, also of an earlier launch"
    )
    func hosts() async throws {
        let folder = try TemporaryFolder()
        let own = try #require(URL(string: "https://own.test/v1"))
        func client(_ settings: JSON?) -> CompatClient {
            CompatClient(
                settings, folder: folder.url,
                configuration: AnalyticsConfiguration(writeKey: "KEY", defaultAPIHost: own)
            ) { _ in
            } options: {
                $0.settingsTimeout(1)
            }
        }
        let first = client(["integrations": [:]])
        #expect(first.configuration.apiHost == own)
        first.analytics.track("a")
        await first.flushed()
        #expect(host(first) == "own.test")
        await first.ended()
        let second = client(["integrations": ["Segment.io": ["apiHost": "other.test/v1"]]])
        second.analytics.track("b")
        await second.flushed()
        #expect(host(second) == "other.test")
        await second.ended()
        let third = client(nil)
        await third.time.scheduled(in: 1)
        third.time.advance(by: 1)
        third.analytics.track("c")
        await third.flushed()
        #expect(host(third) == "other.test")
        await third.ended()
    }

    @Test("flushAt starts a delivery, and a later change counts at once")
    func flushAt() async {
        let client = CompatClient { $0.flushAt = 2 }
        for name in ["a", "b"] { client.analytics.track(name) }
        await client.processed()
        await client.server.confirmed(2)
        client.configuration.flushAt = 3
        #expect(client.analytics.flushAt == 3)
        for name in ["c", "d", "e"] { client.analytics.track(name) }
        await client.server.confirmed(5)
    }

    @Test("flushInterval starts a delivery")
    func flushInterval() async {
        let client = CompatClient { $0.flushInterval = 7 }
        client.analytics.track("a")
        await client.processed()
        #expect(client.server.events.isEmpty)
        client.time.advance(by: 7)
        await client.server.confirmed(1)
    }

    @Test("Of more events than maxQueueSize the oldest are dropped")
    func maxQueueSize() async throws {
        let folder = try TemporaryFolder()
        let client = CompatClient(folder: folder.url) {
            $0.maxQueueSize = 72
            $0.flushAt = 1000  // else some go out before the queue is full
        }
        for number in 0..<144 { client.analytics.track("\(number)") }
        await client.flushed()
        // Inbox and outbox drop whole files of up to an eighth of the limit. The newest events stay, in order.
        let numbers = client.server.names.compactMap { Int($0) }
        #expect((54...72).contains(numbers.count))
        #expect(numbers.last == 143)
        #expect(numbers == numbers.sorted())
        await client.ended()
    }

    @Test("Ids, user and traits outlive a launch, and a reset clears them and makes another anonymous id")
    func persistence() async throws {
        let folder = try TemporaryFolder()
        let first = CompatClient(folder: folder.url)
        let anonymousId = first.analytics.getAnonymousId()
        first.analytics.identify("u", traits: ["a": 1])
        await first.flushed()
        await first.ended()
        let second = CompatClient(folder: folder.url)
        #expect(second.analytics.getAnonymousId() == anonymousId)
        #expect(second.analytics.userId == "u")
        second.analytics.identify("u", traits: ["b": 2])
        await second.flushed()
        #expect(second.server.events[0]["traits"]?["a"] == 1 && second.server.events[0]["traits"]?["b"] == 2)
        second.analytics.reset()
        #expect(second.analytics.userId == nil && second.analytics.traits()?.isEmpty == true)
        #expect(second.analytics.getAnonymousId() != anonymousId)
        await second.ended()
    }

    @Test("Default settings make integrations when no settings can be fetched, and the server stays a destination")
    func defaultSettings() async {
        let recording = RecordingIntegration()
        let client = CompatClient(nil) { config in
            config.defaultSettings = ["integrations": ["A": ["a": 1]], "plan": ["track": ["x": ["enabled": false]]]]
            config.use(TestFactory("A", recording))
        } options: {
            $0.settingsTimeout(1)
        }
        client.analytics.track("a")
        client.analytics.track("x")
        await client.time.scheduled(in: 1)
        client.time.advance(by: 1)
        await client.flushed()
        #expect(recording.calls.filter { $0 != "flush" } == ["track a"])
        #expect(client.server.names == ["a", "x"])
    }

    @Test("A request factory says where requests go and adds header fields, for events and settings")
    func requestFactory() async {
        let client = CompatClient { config in
            config.requestFactory = { url in
                let text = url.absoluteString.replacingOccurrences(of: url.host ?? "", with: "proxy.test")
                let request = NSMutableURLRequest(url: URL(string: text) ?? url)
                request.setValue("yes", forHTTPHeaderField: "X-Proxied")
                request.setValue("theirs", forHTTPHeaderField: "Content-Type")
                return request
            }
        }
        client.analytics.track("a")
        await client.flushed()
        let requests = client.server.requests(to: "proxy.test")
        #expect(requests.contains { $0.url.path.hasSuffix("/settings") })
        #expect(requests.contains { $0.url.path.hasSuffix("/b") })
        #expect(requests.count == client.server.allRequests.count)
        #expect(requests.allSatisfy { $0.headers["X-Proxied"] == "yes" })
        #expect(client.server.batches[0].headers["Content-Type"]?.hasPrefix("application/json") == true)
    }

    @Test("An app's encryption hides events on disk, and the next client with it reads them")
    func crypto() async throws {
        let folder = try TemporaryFolder()
        let first = CompatClient(nil, folder: folder.url) { $0.crypto = Shift(by: 7) }
        first.analytics.track("hidden-name")
        await first.ended()
        let files = try #require(FileManager.default.enumerator(at: folder.url, includingPropertiesForKeys: nil))
        let bytes = files.compactMap { $0 as? URL }.compactMap { try? Data(contentsOf: $0) }.reduce(Data(), +)
        #expect(!bytes.isEmpty && bytes.range(of: Data("hidden-name".utf8)) == nil)
        #expect(bytes.range(of: Data("hidden-name".utf8.map { $0 &+ 7 })) != nil)
        let second = CompatClient(folder: folder.url) { $0.crypto = Shift(by: 7) }
        await second.flushed()
        #expect(second.server.names == ["hidden-name"])
        await second.ended()
    }

    @Test("The advertising id is in the context while tracking is enabled, and middleware sees it")
    func advertising() async {
        let spy = Spy()
        let client = CompatClient { config in
            config.adSupportBlock = { "IDFA-1" }
            config.sourceMiddleware = [spy]
        }
        client.analytics.track("a")
        await client.processed()
        client.configuration.enableAdvertisingTracking = false
        client.analytics.track("b")
        await client.flushed()
        let device = client.server.events[0]["context"]?["device"]
        #expect(device?["advertisingId"] == "IDFA-1" && device?["adTrackingEnabled"] == true)
        #expect((spy.seen[0].payload?.context["device"] as? [String: Any])?["advertisingId"] as? String == "IDFA-1")
        #expect(client.server.events[1]["context"]?["device"]?["advertisingId"] == nil)
    }

    @Test("Nanoseconds give timestamps nine digits")
    func nanoseconds() async throws {
        let client = CompatClient { $0.experimental.nanosecondTimestamps = true }
        client.analytics.track("a")
        await client.flushed()
        let text = try #require(client.server.events[0]["timestamp"]?.stringValue)
        #expect(text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z/) != nil)
        #expect(
            ExactTimestamp.string(milliseconds: 713_100_723_335, nanoseconds: 8) == "1992-08-06T11:32:03.335000008Z")
    }

    @Test("A raw modification changes only the events for the server, and an empty result changes nothing")
    func rawModification() async {
        let recording = RecordingIntegration()
        let client = CompatClient(["integrations": ["A": [:]]]) { config in
            config.use(TestFactory("A", recording))
            config.experimental.rawSegmentModificationBlock = { raw in
                if raw["event"] as? String == "nothing" { return [:] }
                var raw = raw
                raw["event"] = "changed"
                return raw
            }
        }
        client.analytics.track("a")
        client.analytics.track("nothing")
        await client.flushed()
        #expect(client.server.names == ["changed", "nothing"])
        #expect(recording.calls.filter { $0 != "flush" } == ["track a", "track nothing"])
        await client.diagnostics.wait(text: "the block returned nothing for an event")
    }

    @Test(
        "In the background the client asks the configured application for time, and ends the request when all events are sent"
    )
    func background() async {
        let application = Application()
        let client = CompatClient { $0.application = application }
        client.analytics.track("a")
        await client.processed()
        client.analytics.middlewarePlugin?.enteredBackground()
        await application.ended.wait()
        #expect(application.begun.withLock { $0 } == ["Segmentio.Flush"])
        #expect(client.server.names == ["a"])
    }

    @available(*, deprecated)
    @Test("The older names of options still work")
    func olderNames() {
        let config = SEGAnalyticsConfiguration(writeKey: "KEY")
        config.middlewares = [customizeAllTrackCalls]
        #expect(config.sourceMiddleware?.count == 1 && config.middlewares?.count == 1)
        #expect(CompatClient().analytics.configuration == nil)
    }
}

/// A shift of bytes instead of encryption, so that a test can see that it was used.
private final class Shift: SEGCrypto {
    private let distance: UInt8
    init(by distance: UInt8) { self.distance = distance }
    func encrypt(_ data: Data) -> Data? { Data(data.map { $0 &+ distance }) }
    func decrypt(_ data: Data) -> Data? { Data(data.map { $0 &- distance }) }
}

private final class Application: ApplicationProtocol {
    let begun = LockBox<[String]>([])
    let ended = Happening()

    func seg_beginBackgroundTask(
        withName taskName: String?, expirationHandler handler: (@Sendable () -> Void)?
    ) -> UInt {
        begun.withLock { $0.append(taskName ?? "") }
        return 7
    }

    func seg_endBackgroundTask(_ identifier: UInt) { if identifier == 7 { ended.send() } }
}
