import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Deep links and push notifications")
struct DeepLinkTests {
    /// Unchecked because tests touch it on one thread.
    private final class Listener: Plugin, OpeningURLs, UserActivities, RemoteNotifications, @unchecked Sendable {
        let type = PluginType.utility
        weak var analytics: Analytics?
        var calls: [String] = []

        func openURL(_ url: URL, options: [String: Any]) { calls.append("url \(url)") }
        func continueUserActivity(_ activity: UserActivity) { calls.append("activity \(activity.activityType)") }
        func registeredForRemoteNotifications(deviceToken: Data) { calls.append("token \(deviceToken.count)") }
        func failedToRegisterForRemoteNotification(error: (any Error)?) { calls.append("failed") }
        func receivedRemoteNotification(userInfo: [AnyHashable: Any]) { calls.append("received \(userInfo.count)") }
        func handleAction(identifier: String, userInfo: [String: Any]) { calls.append("action \(identifier)") }
        func declinedRemoteNotifications() { calls.append("declined") }
    }

    private struct Options: Encodable { let referring_application: String }

    @Test("An opened address makes an event, and is the referrer of later events")
    func openURL() async throws {
        let client = Client()
        let listener = Listener()
        client.analytics.add(plugin: listener)
        let url = try #require(URL(string: "https://example.com/x?y=1"))
        client.analytics.openURL(url, options: Options(referring_application: "com.mail"))
        client.analytics.track(name: "Later")
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == ["Deep Link Opened", "Later"])
        let link = try #require(client.server.events.first)
        #expect(link["properties"]?["url"] == "https://example.com/x?y=1")
        #expect(link["properties"]?["referring_application"] == "com.mail")
        #expect(
            client.server.events.map { $0["context"]?["referrer"]?["url"]?.stringValue } == [
                url.absoluteString, url.absoluteString,
            ])
        #expect(listener.calls == ["url https://example.com/x?y=1"])
    }

    @Test("A link from the web counts as an opened address, and another activity does not")
    func activities() async throws {
        let client = Client()
        let destination = TestDestination("D")
        let listener = Listener()
        destination.add(plugin: listener)
        client.analytics.add(plugin: destination)
        client.analytics.continueUserActivity(UserActivity(activityType: "com.example.edit"))
        client.analytics.continueUserActivity(
            UserActivity(
                activityType: NSUserActivityTypeBrowsingWeb, title: "Page",
                webpageURL: URL(string: "https://example.com")))
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == ["Deep Link Opened"])
        #expect(client.server.events.first?["properties"]?["title"] == "Page")
        #expect(
            listener.calls == [
                "activity com.example.edit", "activity NSUserActivityTypeBrowsingWeb", "url https://example.com",
            ])
    }

    @Test("The push token is in the device's context, and plugins get all calls")
    func notifications() async {
        let client = Client()
        let listener = Listener()
        client.analytics.add(plugin: listener)
        client.analytics.registeredForRemoteNotifications(deviceToken: Data([0x01, 0xAB, 0xFF]))
        client.analytics.failedToRegisterForRemoteNotification(error: nil)
        client.analytics.receivedRemoteNotification(userInfo: ["a": 1])
        client.analytics.handleAction(identifier: "open", userInfo: [:])
        client.analytics.declinedRemoteNotifications()
        client.analytics.track(name: "A")
        #expect(await client.flushed() == .sent)
        #expect(client.server.names == ["A"])
        #expect(client.server.events.first?["context"]?["device"]?["token"] == "01abff")
        #expect(listener.calls == ["token 3", "failed", "received 1", "action open", "declined"])
    }

    @Test("Without consent no plugin gets links")
    func consent() async throws {
        let client = Client { $0.consent(.denied) }
        let listener = Listener()
        client.analytics.add(plugin: listener)
        client.analytics.openURL(try #require(URL(string: "https://example.com")))
        #expect(listener.calls.isEmpty)
        #expect(client.analytics.userInfo.referrer == nil)
    }
}
