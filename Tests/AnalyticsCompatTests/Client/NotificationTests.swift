import Foundation
import TestSupport
import Testing

@testable import AnalyticsCompat

@Suite("Push notifications and links")
struct NotificationTests {
    @Test("A token is passed on as hexadecimal text and is in the context of later events")
    func token() async {
        let client = CompatClient()
        client.analytics.registeredForRemoteNotifications(withDeviceToken: Data([0, 1, 0xAB, 0xFF]))
        client.analytics.track("a")
        await client.flushed()
        #expect(client.analytics.getDeviceToken() == "0001abff")
        #expect(client.server.events[0]["context"]?["device"]?["token"] == "0001abff")
    }

    @Test("Notifications are tracked only when that is configured, before integrations get them")
    func tracked() async {
        let recording = RecordingIntegration()
        let client = CompatClient(["integrations": ["A": [:]]]) { $0.use(TestFactory("A", recording)) }
        client.analytics.receivedRemoteNotification(["a": 1])
        client.configuration.trackPushNotifications = true
        client.analytics.receivedRemoteNotification(["a": 2])
        await client.flushed()
        #expect(
            recording.calls.filter { $0 != "flush" } == [
                "received 1", "track Push Notification Received", "received 2",
            ])
        #expect(client.server.names == ["Push Notification Received"])
        #expect(client.server.events[0]["properties"] == ["a": 2])
    }

    @Test("A launch by a notification is tracked as a tap on it")
    func tapped() async {
        let options: [AnyHashable: Any] = ["UIApplicationLaunchOptionsRemoteNotificationKey": ["campaign": "x"]]
        let client = CompatClient { config in
            config.trackPushNotifications = true
            config.launchOptions = options
        }
        let quiet = CompatClient { $0.launchOptions = options }
        await client.flushed()
        await quiet.flushed()
        #expect(client.server.names == ["Push Notification Tapped"])
        #expect(client.server.events[0]["properties"] == ["campaign": "x"])
        #expect(quiet.server.events.isEmpty)
    }

    private let secret = "fb123456789://authorize#access_token=hastoberedacted"

    @Test("An access token is removed from links in events, context, middleware and integrations")
    func redacted() async throws {
        let recording = RecordingIntegration()
        let client = CompatClient(["integrations": ["A": [:]]]) { config in
            config.trackDeepLinks = true
            config.use(TestFactory("A", recording))
        }
        client.analytics.open(
            try #require(URL(string: secret)), options: ["from": ["nested": [secret]], "title": "T"])
        client.analytics.track("later")
        await client.flushed()
        let clean = "fb123456789://authorize#access_token=((redacted/fb-auth-token))"
        let event = client.server.events[0]
        #expect(event["event"] == "Deep Link Opened")
        #expect(event["properties"]?["url"]?.stringValue == clean)
        #expect(event["properties"]?["from"] == ["nested": [.string(clean)]])
        #expect(event["properties"]?["title"] == "T")
        #expect(client.server.events[1]["context"]?["referrer"]?["url"]?.stringValue == clean)
        #expect(!client.server.events.description.contains("hastoberedacted"))
        #expect(recording.calls.first { $0.hasPrefix("open") }?.contains("hastoberedacted") == false)
    }

    @Test("An app's own payload filters replace the library's at once, and a malformed filter is reported")
    func ownFilters() async throws {
        let client = CompatClient { config in
            config.trackDeepLinks = true
            config.payloadFilters = ["(": "x"]
        }
        await client.diagnostics.wait(text: "not regular expressions")
        client.configuration.payloadFilters = [#"(myapp://auth\?token=)([^&]+)"#: "$1((redacted/my-auth))"]
        client.analytics.open(try #require(URL(string: "myapp://auth?token=secret&other=stuff")))
        await client.flushed()
        #expect(
            client.server.events[0]["properties"]?["url"] == "myapp://auth?token=((redacted/my-auth))&other=stuff")
    }

    @Test("Opened links are tracked only when that is configured")
    func untracked() async throws {
        let recording = RecordingIntegration()
        let client = CompatClient(["integrations": ["A": [:]]]) { $0.use(TestFactory("A", recording)) }
        client.analytics.open(try #require(URL(string: "app://here")))
        client.analytics.track("later")
        await client.flushed()
        #expect(client.server.names == ["later"])
        #expect(client.server.events[0]["context"]?["referrer"] == nil)
        #expect(recording.calls.first == "open app://here")
    }

    @Test(
        "A link from the web counts as an opened link, another activity does not, and integrations get the activity once"
    )
    func activities() async throws {
        let recording = RecordingIntegration()
        let client = CompatClient(["integrations": ["A": [:]]]) { config in
            config.trackDeepLinks = true
            config.use(TestFactory("A", recording))
        }
        let url = try #require(URL(string: "https://example.com/a"))
        client.analytics.continue(UserActivity(activityType: "handoff", webpageURL: url))
        client.analytics.continue(
            UserActivity(activityType: NSUserActivityTypeBrowsingWeb, title: "T", webpageURL: url))
        await client.flushed()
        #expect(client.server.events.map { $0["properties"] } == [["title": "T", "url": "https://example.com/a"]])
        #expect(
            recording.calls.filter { $0 != "flush" } == [
                "continue handoff", "continue NSUserActivityTypeBrowsingWeb", "track Deep Link Opened",
            ])
    }

    @Test("Payload filters change every text of nested values, and no names")
    func filters() {
        let filters = PayloadFilters(["secret": "x"])
        #expect(filters.apply(to: "a secret") == "a x")
        let json: JSON = ["secret": ["secret", ["a": "secret", "n": 1]], "b": .null]
        #expect(filters.apply(to: json) == ["secret": ["x", ["a": "x", "n": 1]], "b": .null])
    }
}
