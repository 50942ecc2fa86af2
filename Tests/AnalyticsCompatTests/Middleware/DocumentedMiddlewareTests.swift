import Foundation
import TestSupport
import Testing

@testable import AnalyticsCompat

// The middleware of the document, word by word.

let customizeAllTrackCalls = BlockMiddleware { (context, next) in
    if context.eventType == .track {
        next(
            context.modify { ctx in
                guard let track = ctx.payload as? TrackPayload else {
                    return
                }
                let newEvent = "[New] \(track.event)"
                var newProps = track.properties ?? [:]
                newProps["customAttribute"] = "Hello"
                ctx.payload = TrackPayload(
                    event: newEvent,
                    properties: newProps,
                    context: track.context,
                    integrations: track.integrations
                )
            })
    } else {
        next(context)
    }
}

let turnScreenIntoTrack = BlockMiddleware { (context, next) in
    if context.eventType == .screen {
        next(
            context.modify { ctx in
                guard let screen = ctx.payload as? ScreenPayload else {
                    return
                }
                let event = "\(screen.name) Screen Tracked"
                ctx.payload = TrackPayload(
                    event: event,
                    properties: screen.properties,
                    context: screen.context,
                    integrations: screen.integrations
                )
                ctx.eventType = .track
            })
    } else {
        next(context)
    }
}

let printed = LockBox<[String]>([])

let dropSpecificEvents = BlockMiddleware { (context, next) in
    let validEvents = [
        "Application Opened",
        "Order Completed",
        "Home Screen Tracked",
        "AnalyticsIOSTestApp. Screen Tracked",
    ]
    if let track = context.payload as? TrackPayload {
        if !validEvents.contains(track.event) {
            printed.withLock { $0.append("Dropping Rogue Event '\(track.event)'") }
            // not calling next results in an event being discarded
            return
        }
    }
    next(context)
}

let blockScreenCallsToAmplitude = BlockMiddleware { (context, next) in
    if let screen = context.payload as? ScreenPayload {
        next(
            context.modify { ctx in
                ctx.payload = ScreenPayload(
                    name: screen.name,
                    properties: screen.properties,
                    context: screen.context,
                    integrations: ["Amplitude": false]
                )
            })
        return
    }
    next(context)
}

let enforceEventTaxonomy = BlockMiddleware { context, next in next(context) }

final class SEGMixpanelIntegrationFactory: SEGIntegrationFactory {
    let integration = RecordingIntegration()
    static func instance() -> SEGMixpanelIntegrationFactory { SEGMixpanelIntegrationFactory() }
    func create(withSettings settings: [AnyHashable: Any], for analytics: Analytics) -> (any Integration)? {
        integration
    }
    func key() -> String { "Mixpanel" }
}

final class SEGAmplitudeIntegrationFactory: SEGIntegrationFactory {
    let integration = RecordingIntegration()
    static func instance() -> SEGAmplitudeIntegrationFactory { SEGAmplitudeIntegrationFactory() }
    func create(withSettings settings: [AnyHashable: Any], for analytics: Analytics) -> (any Integration)? {
        integration
    }
    func key() -> String { "Amplitude" }
}

/// A class that conforms to the protocol by hand.
private final class HandWritten: Middleware {
    let seen = LockBox(0)

    func context(_ context: Context, next: @escaping SEGMiddlewareNext) {
        seen.withLock { $0 += 1 }
        next(context)
    }
}

/// Middleware whose author wrote the type of `next` out.
private final class WrittenOut: Middleware {
    let seen = LockBox(0)

    func context(_ context: Context, next: @escaping (Context?) -> Void) {
        seen.withLock { $0 += 1 }
        next(context)
    }
}

@Suite("The middleware document's examples")
struct DocumentedMiddlewareTests {
    private let settings: JSON = ["integrations": ["Mixpanel": [:], "Amplitude": [:]]]

    private func client(_ middleware: [any Middleware]) -> CompatClient {
        CompatClient(settings) { $0.sourceMiddleware = middleware }
    }

    @Test("Example 1: a hand-written middleware class is called")
    func protocolConformance() async {
        let (one, two) = (HandWritten(), WrittenOut())
        let client = client([one, two])
        client.analytics.track("a")
        await client.processed()
        #expect(one.seen.withLock { $0 } == 1)
        #expect(two.seen.withLock { $0 } == 1)
    }

    @Test("Example 2: a block is middleware, and can be read again")
    func block() async {
        let calls = LockBox(0)
        let middleware = BlockMiddleware { context, next in
            calls.withLock { $0 += 1 }
            next(context)
        }
        let client = client([middleware])
        client.analytics.track("a")
        await client.processed()
        middleware.block(Context(analytics: client.analytics)) { _ in }
        #expect(calls.withLock { $0 } == 2)
    }

    @Test("Example 3: a context has six members, modify changes it, and a copy does not follow")
    func context() async {
        let spy = Spy()
        let client = client([spy])
        client.analytics.identify("u-1")
        await client.processed()
        let context = spy.seen[0]
        #expect(context._analytics === client.analytics)
        #expect(context.eventType == .identify)
        #expect(context.userId == "u-1")
        #expect(context.anonymousId == client.analytics.getAnonymousId())
        #expect(context.error == nil)
        #expect(context.payload is IdentifyPayload)
        #expect(context.debug == false)
        let copy = context.copy()
        let changed = context.modify { $0.eventType = .track }
        #expect(changed.eventType == .track)
        #expect(copy.eventType == .identify)
    }

    @Test("Example 4: fifteen event types are numbered in the document's order")
    func eventTypes() {
        let types: [EventType] = [
            .undefined, .identify, .track, .screen, .group, .alias, .reset, .flush, .receivedRemoteNotification,
            .failedToRegisterForRemoteNotifications, .registeredForRemoteNotifications,
            .handleActionWithForRemoteNotification, .applicationLifecycle, .continueUserActivity, .openURL,
        ]
        #expect(types.map(\.rawValue) == Array(0..<15))
        #expect(EventType(rawValue: 15) == nil)
    }

    @Test("Example 5: a track payload has its event and its properties, which may be empty")
    func trackPayload() {
        let payload = TrackPayload(event: "a", properties: nil, context: [:], integrations: [:])
        let event: String = payload.event
        let properties: [String: Any]? = payload.properties
        #expect(event == "a" && properties == nil)
        let full = TrackPayload(event: "a", properties: ["b": 1], context: ["c": 2], integrations: ["d": false])
        #expect(full.properties?["b"] as? Int == 1)
        #expect(full.context["c"] as? Int == 2)
        #expect(full.integrations["d"] as? Bool == false)
    }

    @Test(
        "Example 6: source middleware runs before any integration, and assigning it after the client was made changes nothing"
    )
    func sourceMiddleware() async {
        let factory = TestFactory("Mixpanel")
        let client = CompatClient(settings) { config in
            config.sourceMiddleware = [customizeAllTrackCalls]
            config.use(factory)
        }
        client.configuration.sourceMiddleware = [dropSpecificEvents]
        client.analytics.track("a")
        await client.flushed()
        #expect(client.server.names == ["[New] a"])
    }

    @Test("Example 7: the document's set-up compiles, and drops every screen and track event in its order")
    func setUp() async {
        let mixpanelIntegration = SEGMixpanelIntegrationFactory.instance()
        let amplitudeIntegration = SEGAmplitudeIntegrationFactory.instance()
        let config = AnalyticsConfiguration(writeKey: "YOUR_WRITEKEY_HERE")

        config.trackApplicationLifecycleEvents = true
        config.trackDeepLinks = true
        config.recordScreenViews = true

        config.use(mixpanelIntegration)
        config.use(amplitudeIntegration)

        config.sourceMiddleware = [
            turnScreenIntoTrack,
            enforceEventTaxonomy,
            customizeAllTrackCalls,
            dropSpecificEvents,
            blockScreenCallsToAmplitude,
        ]
        let client = CompatClient(settings, configuration: config)
        client.analytics.screen("Home")
        client.analytics.track("Order Completed")
        client.analytics.identify("u-1")
        await client.flushed()
        #expect(client.server.events.compactMap { $0["type"]?.stringValue } == ["identify"])
        #expect(mixpanelIntegration.integration.calls.contains("identify u-1"))
        #expect(amplitudeIntegration.integration.calls.contains("identify u-1"))
        #expect(!mixpanelIntegration.integration.calls.contains { $0.hasPrefix("track") || $0.hasPrefix("screen") })
    }

    @Test("Example 8: middleware changes names and properties; ids, time and other types of events stay")
    func customize() async {
        let before = Spy()
        let client = client([before, customizeAllTrackCalls])
        client.analytics.track("Order Completed")
        client.analytics.identify("u-1", traits: ["plan": "pro"])
        await client.flushed()
        let event = client.server.events[0]
        #expect(event["event"] == "[New] Order Completed")
        #expect(event["properties"] == ["customAttribute": "Hello"])
        let payload = before.seen[0].payload
        #expect(event["messageId"]?.stringValue == payload?.messageId)
        #expect(event["messageId"]?.stringValue?.isEmpty == false)
        #expect(event["anonymousId"]?.stringValue == client.analytics.getAnonymousId())
        #expect(event["timestamp"]?.stringValue == payload?.timestamp)
        #expect(client.server.events[1]["traits"]?["plan"] == "pro")
    }

    @Test("Example 9: middleware turns a screen into a track event with its properties, context and integrations")
    func screenIntoTrack() async {
        let factory = TestFactory("Mixpanel")
        let recording = RecordingIntegration()
        let client = CompatClient(settings) { config in
            config.sourceMiddleware = [turnScreenIntoTrack]
            config.use(TestFactory("Mixpanel", recording))
            config.use(factory)
        }
        let native = Recorder()
        client.analytics.add(plugin: native)
        client.analytics.screen(
            "Home", properties: ["a": 1],
            options: ["context": ["traits": ["b": 2]], "integrations": ["Amplitude": false]])
        await client.flushed()
        let event = client.server.events[0]
        #expect(event["type"] == "track")
        #expect(event["event"] == "Home Screen Tracked")
        #expect(event["properties"] == ["a": 1])
        #expect(event["context"]?["traits"] == ["b": 2])
        #expect(event["context"]?["library"]?["name"] == "tributary")
        #expect(event["integrations"] == ["Amplitude": false])
        #expect(event["name"] == nil)
        #expect(native.seen.first is TrackEvent)
        #expect(recording.calls.filter { $0 != "flush" } == ["track Home Screen Tracked"])
    }

    @Test("Example 10: events that are not listed reach no destination")
    func dropped() async {
        let recording = RecordingIntegration()
        let client = CompatClient(settings) { config in
            config.sourceMiddleware = [dropSpecificEvents]
            config.use(TestFactory("Mixpanel", recording))
        }
        client.analytics.track("Order Completed")
        client.analytics.track("Rogue")
        client.analytics.screen("Home")
        await client.flushed()
        #expect(recording.calls.filter { $0 != "flush" } == ["track Order Completed", "screen Home"])
        #expect(client.server.events.count == 2)
        #expect(printed.withLock { $0 }.contains("Dropping Rogue Event 'Rogue'"))
        #expect(client.drops(by: "BlockMiddleware") == 1)
        #expect(
            ScreenName.of(className: "AnalyticsIOSTestApp.ViewController", title: nil) + " Screen Tracked"
                == "AnalyticsIOSTestApp. Screen Tracked")
    }

    @Test(
        "Example 11: a screen event reaches one destination and the server and not the other one, and integrations are replaced"
    )
    func blocked() async {
        let (mixpanel, amplitude) = (RecordingIntegration(), RecordingIntegration())
        let client = CompatClient(settings) { config in
            config.sourceMiddleware = [blockScreenCallsToAmplitude]
            config.use(TestFactory("Mixpanel", mixpanel))
            config.use(TestFactory("Amplitude", amplitude))
        }
        client.analytics.screen("Home", options: ["integrations": ["Other": false]])
        client.analytics.track("a")
        await client.flushed()
        #expect(mixpanel.calls.filter { $0 != "flush" } == ["screen Home", "track a"])
        #expect(amplitude.calls.filter { $0 != "flush" } == ["track a"])
        #expect(client.server.events[0]["integrations"] == ["Amplitude": false])
    }
}
