import Foundation
import TestSupport
import Testing

@testable import AnalyticsCompat

// The document's integration, in Swift.

final class EIExampleIntegration: Integration {
    let seen = LockBox<[String]>([])
    private let analytics: Analytics

    init(settings: [AnyHashable: Any], analytics: Analytics) { self.analytics = analytics }

    func identify(_ payload: IdentifyPayload) {
        seen.withLock { $0.append(payload.userId) }
        analytics.track("Seen by Example", properties: ["user": payload.userId])
    }
}

final class EIExampleIntegrationFactory: SEGIntegrationFactory {
    static let singleton = EIExampleIntegrationFactory()
    let made = LockBox<[EIExampleIntegration]>([])

    func create(withSettings settings: [AnyHashable: Any], for analytics: Analytics) -> (any Integration)? {
        let integration = EIExampleIntegration(settings: settings, analytics: analytics)
        made.withLock { $0.append(integration) }
        return integration
    }

    func key() -> String { "Example" }
}

/// An integration without any function.
private final class EmptyIntegration: Integration {}

/// An integration that has the document's name for a call that got another name later.
private final class OldIntegration: Integration {
    let tokens = LockBox<[Data]>([])

    func registerForRemoteNotifications(withDeviceToken deviceToken: Data, options: [AnyHashable: Any]) {
        tokens.withLock { $0.append(deviceToken) }
    }
}

@Suite("The integrations document's examples")
struct DocumentedIntegrationTests {
    @Test(
        "Example 16: a factory is asked once with the settings under its key, and a factory that makes nothing is reported"
    )
    func factories() async {
        let (made, nothing, unnamed) = (TestFactory("A"), TestFactory("B", nil), TestFactory("C"))
        let client = CompatClient(["integrations": ["A": ["token": "t", "list": [1, 2]], "B": ["b": 1]]]) { config in
            for factory in [made, nothing, unnamed] { config.use(factory) }
        }
        client.analytics.track("a")
        await client.flushed()
        client.server.answerSettings(["integrations": ["A": ["token": "new"], "C": [:]]])
        await withCheckedContinuation { continuation in client.analytics.refreshSettings { continuation.resume() } }
        await client.processed()
        #expect(made.settings == [["token": "t", "list": [1, 2]]])
        #expect(nothing.settings == [["b": 1]])
        #expect(unnamed.settings.isEmpty)
        #expect(Array(client.analytics.bundledIntegrations().keys) == ["A"])
        #expect(client.server.events[0]["_metadata"]?["bundled"] == ["A"])
        #expect(client.server.events[0]["_metadata"]?["unbundled"] == ["B"])
        await client.diagnostics.wait(text: "the factory made no integration")
    }

    @Test("Example 17: an integration without functions compiles, and one with all of them gets each call in order")
    func everyFunction() async throws {
        let (recording, old) = (RecordingIntegration(), OldIntegration())
        let client = CompatClient(["integrations": ["A": [:], "B": [:], "C": [:]]]) { config in
            config.use(TestFactory("A", recording))
            config.use(TestFactory("B", EmptyIntegration()))
            config.use(TestFactory("C", old))
        }
        struct Refused: Error {}
        let url = try #require(URL(string: "app://here"))
        let analytics = client.analytics
        analytics.identify("u")
        analytics.identify("u", traits: ["a": 1])
        analytics.identify("u", traits: ["a": 1], options: [:])
        analytics.track("e")
        analytics.track("e", properties: ["a": 1])
        analytics.track("e", properties: ["a": 1], options: [:])
        analytics.screen("s")
        analytics.screen("s", properties: ["a": 1])
        analytics.screen("s", properties: ["a": 1], options: [:])
        analytics.screen("s", category: "c", properties: ["a": 1], options: [:])
        analytics.group("g")
        analytics.group("g", traits: ["a": 1])
        analytics.group("g", traits: ["a": 1], options: [:])
        analytics.alias("n")
        analytics.alias("n", options: [:])
        analytics.reset()
        analytics.flush()
        analytics.registeredForRemoteNotifications(withDeviceToken: Data([1]))
        analytics.registerForRemoteNotifications(withDeviceToken: Data([1, 2]), options: [:])
        analytics.failedToRegisterForRemoteNotificationsWithError(Refused())
        analytics.receivedRemoteNotification(["a": 1])
        analytics.handleAction(withIdentifier: "x", forRemoteNotification: [:])
        for change in ApplicationChange.allCases { analytics.middlewarePlugin?.happened(change, name: "N") }
        analytics.continue(UserActivity(activityType: "t"))
        analytics.open(url, options: [:])
        await client.processed()
        #expect(
            recording.calls == [
                "identify u", "identify u", "identify u", "track e", "track e", "track e", "screen s", "screen s",
                "screen s", "screen s", "group g", "group g", "group g", "alias n", "alias n", "reset", "flush",
                "registered 1", "registered 2", "failed Refused()", "received 1", "action x", "launched N",
                "background", "foreground", "terminate", "resign", "active", "continue t", "open app://here",
            ])
        #expect((recording.payloads[9] as? ScreenPayload)?.category == "c")
        #expect(old.tokens.withLock { $0 } == [Data([1]), Data([1, 2])])
    }

    @Test("Example 18: payloads have the document's members, and its names are aliases")
    @available(*, deprecated)
    func payloads() {
        let identify: SEGIdentify = SEGIdentifyPayload(
            userId: "u", anonymousId: "a", traits: ["t": 1], context: ["c": 1], integrations: ["i": true])
        let alias: SEGAlias = SEGAliasPayload(newId: "n", context: [:], integrations: [:])
        alias.userId = "before"
        let group: SEGGroup = SEGGroupPayload(groupId: "g", traits: ["t": 2], context: [:], integrations: [:])
        let track: SEGTrack = SEGTrackPayload(event: "e", properties: ["p": 1], context: [:], integrations: [:])
        let screen: SEGScreen = SEGScreenPayload(name: "s", properties: ["p": 2], context: [:], integrations: [:])
        let base: SEGPayload = identify
        #expect(base.context["c"] as? Int == 1 && base.integrations["i"] as? Bool == true)
        #expect(identify.traits?["t"] as? Int == 1 && identify.userId == "u" && identify.anonymousId == "a")
        #expect(alias.previousId == "before" && alias.theNewId == "n")
        #expect(group.groupId == "g" && group.traits?["t"] as? Int == 2)
        #expect(track.event == "e" && track.properties?["p"] as? Int == 1)
        #expect(screen.name == "s" && screen.properties?["p"] as? Int == 2)
    }

    @Test(
        "Example 19: the integration is made only when the settings have its key, gets identify, and sends an event back once"
    )
    func example() async throws {
        let without = CompatClient(["integrations": ["Other": [:]]]) { $0.use(EIExampleIntegrationFactory()) }
        without.analytics.identify("u")
        await without.flushed()
        #expect(without.analytics.bundledIntegrations().isEmpty)

        let factory = EIExampleIntegrationFactory()
        let client = CompatClient(["integrations": ["Example": ["a": 1]]]) { $0.use(factory) }
        client.analytics.track("a")
        client.analytics.identify("u-1")
        client.analytics.screen("s")
        await client.flushed()
        await client.flushed()
        let integration = try #require(factory.made.withLock { $0.first })
        #expect(factory.made.withLock { $0.count } == 1)
        #expect(integration.seen.withLock { $0 } == ["u-1"])
        #expect(client.server.names == ["a", "Seen by Example"])
    }

    @Test("Example 21: the document's lines set the shared client up")
    func setUp() async {
        let config = AnalyticsConfiguration(writeKey: "foo")
        config.configure { $0.storageMode(.memory(10)).migration(.off).cdnHost("http://127.0.0.1:9") }
        config.use(EIExampleIntegrationFactory.singleton)
        Analytics.setup(with: config)
        let shared = Analytics.shared()
        #expect(shared.writeKey == "foo")
        shared.track("a")
        #expect(shared.hasUnsentEvents)
        Analytics.setup(with: AnalyticsConfiguration(writeKey: "bar"))
        #expect(Analytics.shared() === shared)
        await withCheckedContinuation { continuation in shared.shutdown { continuation.resume() } }
    }
}
