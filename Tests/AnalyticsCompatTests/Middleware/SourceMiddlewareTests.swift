import Foundation
import TestSupport
import Testing

@testable import AnalyticsCompat

@Suite("Source middleware")
struct SourceMiddlewareTests {
    private func client(_ middleware: any Middleware...) -> CompatClient {
        CompatClient { $0.sourceMiddleware = middleware }
    }

    @Test("The second middleware sees the first one's changes of the event and its context")
    func contextModification() async {
        let rename = BlockMiddleware { context, next in
            next(
                context.modify { ctx in
                    guard let track = ctx.payload as? TrackPayload else { return }
                    ctx.payload = TrackPayload(
                        event: "[Changed] \(track.event)", properties: track.properties, context: track.context,
                        integrations: track.integrations)
                })
        }
        let surround = BlockMiddleware { context, next in
            next(
                context.modify { ctx in
                    guard let track = ctx.payload as? TrackPayload else { return }
                    var surroundings = track.context
                    surroundings["device"] = ["type": "iPad"]
                    ctx.payload = TrackPayload(
                        event: track.event, properties: track.properties, context: surroundings,
                        integrations: track.integrations)
                })
        }
        let client = client(rename, surround)
        client.analytics.track("a")
        await client.flushed()
        #expect(client.server.events[0]["event"] == "[Changed] a")
        #expect(client.server.events[0]["context"]?["device"]?["type"] == "iPad")
        #expect(client.server.events[0]["context"]?["library"]?["name"] == "tributary")
    }

    @Test("Middleware sees the event, its user and the whole context")
    func receivesEvents() async {
        let spy = Spy()
        let client = client(spy)
        client.analytics.identify("testUserId1")
        await client.flushed()
        let payload = spy.seen[0].payload as? IdentifyPayload
        #expect(spy.types == [.identify, .flush])
        #expect(payload?.userId == "testUserId1")
        #expect(payload?.context["library"] != nil)
        #expect(client.server.events.count == 1)
    }

    @Test("Middleware adds a property, and null stays null")
    func modifies() async {
        let add = BlockMiddleware { context, next in
            next(
                context.modify { ctx in
                    guard let track = ctx.payload as? TrackPayload else { return }
                    var properties = track.properties ?? [:]
                    properties["customAttribute"] = "Hello"
                    properties["nullTest"] = NSNull()
                    ctx.payload = TrackPayload(
                        event: track.event, properties: properties, context: track.context,
                        integrations: track.integrations)
                })
        }
        let client = client(add)
        client.analytics.track("a", properties: ["null": NSNull(), "one": 1])
        await client.flushed()
        #expect(
            client.server.events[0]["properties"] == [
                "customAttribute": "Hello", "null": .null, "nullTest": .null, "one": 1,
            ])
    }

    @Test(
        "Middleware that does not call next, or calls next(nil), drops the event for later middleware, integrations and server"
    )
    func swallowed() async {
        let later = Spy()
        let recording = RecordingIntegration()
        let client = CompatClient(["integrations": ["A": [:]]]) { config in
            config.sourceMiddleware = [
                Spy { context, next in if (context.payload as? TrackPayload)?.event != "silent" { next(context) } },
                Spy { context, next in next((context.payload as? TrackPayload)?.event == "nil" ? nil : context) },
                later,
            ]
            config.use(TestFactory("A", recording))
        }
        for name in ["silent", "nil", "kept"] { client.analytics.track(name) }
        await client.flushed()
        #expect(later.names == ["kept"])
        #expect(recording.calls.filter { $0 != "flush" } == ["track kept"])
        #expect(client.server.names == ["kept"])
        #expect(client.drops(by: "Spy") == 2)
    }

    @Test("A second call of next is ignored and reported")
    func twice() async {
        let later = Spy()
        let client = client(
            Spy { context, next in
                next(context)
                next(context)
            }, later)
        client.analytics.track("a")
        await client.flushed()
        #expect(client.server.names == ["a"])
        #expect(later.names == ["a"])
        await client.diagnostics.wait(text: "called next a second time")
    }

    @Test(
        "A late call of next delivers the event with the same id, through the middleware behind it and not through its own again"
    )
    func late() async {
        let kept = LockBox<[(SEGMiddlewareNext, Context)]>([])
        let holder = Spy { context, next in
            guard (context.payload as? TrackPayload)?.event == "late" else { return next(context) }
            kept.withLock { $0.append((next, context)) }
        }
        let client = client(holder, customizeAllTrackCalls)
        client.analytics.track("late")
        client.analytics.track("early")
        await client.flushed()
        #expect(client.server.names == ["[New] early"])
        let (next, context) = kept.withLock { $0.removeFirst() }
        next(context)
        await client.flushed()
        #expect(client.server.names == ["[New] early", "[New] late"])
        #expect(client.server.events[1]["messageId"]?.stringValue == context.payload?.messageId)
        #expect(holder.names == ["late", "early"])
    }

    @Test("A context that is released without an answer counts as dropped")
    func letGo() async {
        let kept = LockBox<[SEGMiddlewareNext]>([])
        let client = client(Spy { _, next in kept.withLock { $0.append(next) } })
        client.analytics.track("a")
        await client.processed()
        #expect(client.analytics.counters.droppedByPlugin.isEmpty)
        kept.withLock { $0.removeAll() }
        await client.processed()
        #expect(client.drops(by: "Spy") == 1)
    }

    @Test("A rebuilt payload keeps its ids and its time, unless middleware sets them")
    func ids() async {
        let set = BlockMiddleware { context, next in
            next(
                context.modify { ctx in
                    guard let track = ctx.payload as? TrackPayload else { return }
                    let payload = TrackPayload(
                        event: track.event, properties: nil, context: track.context, integrations: [:])
                    if track.event == "own" {
                        payload.messageId = "m"
                        payload.anonymousId = "a"
                        payload.userId = "u"
                        payload.timestamp = "2020-01-01T00:00:00.000Z"
                    }
                    ctx.payload = payload
                })
        }
        let before = Spy()
        let client = client(before, set)
        client.analytics.identify("user")
        client.analytics.track("kept")
        client.analytics.track("own")
        await client.flushed()
        let (kept, own) = (client.server.events[1], client.server.events[2])
        let seen = before.seen[1].payload
        #expect(kept["messageId"]?.stringValue == seen?.messageId)
        #expect(kept["anonymousId"]?.stringValue == seen?.anonymousId)
        #expect(kept["userId"] == "user")
        #expect(kept["timestamp"]?.stringValue == seen?.timestamp)
        #expect(own["messageId"] == "m" && own["anonymousId"] == "a" && own["userId"] == "u")
        #expect(own["timestamp"] == "2020-01-01T00:00:00.000Z")
    }

    @Test("Middleware can set the ids of a payload without replacing it")
    func idsInPlace() async {
        let client = client(
            Spy { context, next in
                context.payload?.userId = "set"
                next(context)
            })
        client.analytics.track("a")
        await client.flushed()
        #expect(client.server.events[0]["userId"] == "set")
    }

    @Test("Numbers that no Swift type holds and the order of members survive a rebuilt payload")
    func exact() async throws {
        let text = #"{"z":1.10,"a":123456789012345678901234567890,"m":[1e2,{"y":1,"b":2}]}"#
        let properties = try JSON.parse(text)
        let client = client(
            BlockMiddleware { context, next in
                next(
                    context.modify { ctx in
                        guard let track = ctx.payload as? TrackPayload else { return }
                        var properties = track.properties ?? [:]
                        properties["new"] = true
                        ctx.payload = TrackPayload(
                            event: track.event, properties: properties, context: track.context,
                            integrations: track.integrations)
                    })
            })
        client.analytics.process(event: TrackEvent(event: "a", properties: properties))
        await client.flushed()
        let expected = String(text.dropLast()) + #","new":true}"#
        #expect(client.server.events[0]["properties"]?.description == expected)
    }

    @Test("An event type that contradicts its payload is reported, and the payload counts")
    func mismatch() async {
        let client = client(
            BlockMiddleware { context, next in next(context.modify { $0.eventType = .screen }) })
        client.analytics.track("a")
        await client.flushed()
        #expect(client.server.events[0]["type"] == "track")
        await client.diagnostics.wait(text: "the payload counts")
    }

    @Test("Middleware can turn each type of event into each other type")
    func retyping() async {
        let client = client(
            BlockMiddleware { context, next in
                guard let name = (context.payload as? TrackPayload)?.event else { return next(context) }
                next(
                    context.modify { ctx in
                        switch name {
                        case "screen":
                            ctx.payload = ScreenPayload(name: "s", properties: nil, context: [:], integrations: [:])
                            ctx.eventType = .screen
                        case "group":
                            ctx.payload = GroupPayload(groupId: "g", traits: nil, context: [:], integrations: [:])
                            ctx.eventType = .group
                        case "alias":
                            ctx.payload = AliasPayload(newId: "n", context: [:], integrations: [:])
                            ctx.eventType = .alias
                        default:
                            ctx.payload = IdentifyPayload(
                                userId: "i", anonymousId: nil, traits: ["a": 1], context: [:], integrations: [:])
                            ctx.eventType = .identify
                        }
                    })
            })
        for name in ["screen", "group", "alias", "identify"] { client.analytics.track(name, properties: ["p": 1]) }
        await client.flushed()
        let events = client.server.events
        #expect(events.map { $0["type"]?.stringValue } == ["screen", "group", "alias", "identify"])
        #expect(events.allSatisfy { $0["event"] == nil && $0["properties"] == nil })
        #expect(events[0]["name"] == "s" && events[1]["groupId"] == "g")
        #expect(events[2]["userId"] == "n")
        #expect(events[2]["previousId"]?.stringValue == client.analytics.anonymousId)
        #expect(events[3]["userId"] == "i" && events[3]["traits"] == ["a": 1])
        #expect(events.allSatisfy { $0["context"]?["library"]?["name"] == "tributary" })
    }

    @Test("Middleware sees all types of calls in their order, also those of the modern interface")
    func everyCall() async throws {
        let spy = Spy()
        let client = client(spy)
        let analytics = client.analytics
        struct Refused: Error {}
        let url = try #require(URL(string: "app://here"))
        analytics.identify("u")
        analytics.track("a")
        analytics.track(name: "b", properties: ["c": 1])
        analytics.screen("s")
        analytics.group("g")
        analytics.alias("n")
        analytics.receivedRemoteNotification(["a": 1])
        analytics.failedToRegisterForRemoteNotificationsWithError(Refused())
        analytics.registeredForRemoteNotifications(withDeviceToken: Data([1, 255]))
        analytics.handleAction(withIdentifier: "x", forRemoteNotification: ["a": 1])
        analytics.continue(UserActivity(activityType: "t"))
        analytics.open(url, options: [:])
        analytics.middlewarePlugin?.happened(.didBecomeActive, name: "Active")
        analytics.reset()
        analytics.flush()
        await client.processed()
        #expect(
            spy.types == [
                .identify, .track, .track, .screen, .group, .alias, .receivedRemoteNotification,
                .failedToRegisterForRemoteNotifications, .registeredForRemoteNotifications,
                .handleActionWithForRemoteNotification, .continueUserActivity, .openURL, .applicationLifecycle, .reset,
                .flush,
            ])
        let payloads = spy.seen.map(\.payload)
        #expect((payloads[6] as? RemoteNotificationPayload)?.userInfo?["a"] as? Int == 1)
        #expect((payloads[7] as? RemoteNotificationPayload)?.error is Refused)
        #expect((payloads[8] as? RemoteNotificationPayload)?.deviceToken == Data([1, 255]))
        #expect((payloads[9] as? RemoteNotificationPayload)?.actionIdentifier == "x")
        #expect((payloads[10] as? ContinueUserActivityPayload)?.activity.activityType == "t")
        #expect((payloads[11] as? OpenURLPayload)?.url == url)
        #expect((payloads[12] as? ApplicationLifecyclePayload)?.notificationName == "Active")
        #expect(payloads[13] == nil && payloads[14] == nil)
        #expect(payloads[6]?.userId == "u")
        #expect(payloads[6]?.messageId.isEmpty == false)
        #expect(payloads[6]?.timestamp.isEmpty == false)
    }

    @Test("A dropped reset keeps the user, for events that were tracked meanwhile and for later ones")
    func swallowedReset() async {
        let recording = RecordingIntegration()
        let client = CompatClient(["integrations": ["A": [:]]]) { config in
            config.sourceMiddleware = [Spy { context, next in if context.eventType != .reset { next(context) } }]
            config.use(TestFactory("A", recording))
        }
        let analytics = client.analytics
        let anonymousId = analytics.anonymousId
        analytics.identify("u", traits: ["a": 1])
        analytics.reset()
        analytics.track("meanwhile")
        await client.processed()
        analytics.track("later")
        await client.flushed()
        #expect(analytics.userId == "u" && analytics.anonymousId == anonymousId)
        #expect(analytics.traits()?["a"] as? Int == 1)
        #expect(client.server.names == ["meanwhile", "later"])
        for event in client.server.events {
            #expect(event["userId"] == "u")
            #expect(event["anonymousId"]?.stringValue == anonymousId)
        }
        #expect(!recording.calls.contains("reset"))
    }

    @Test("A reset that passes middleware forgets the user at once, and integrations get it behind the earlier events")
    func reset() async {
        let recording = RecordingIntegration()
        let client = CompatClient(["integrations": ["A": [:]]]) { config in
            config.sourceMiddleware = [Spy()]
            config.use(TestFactory("A", recording))
        }
        client.analytics.identify("u")
        let anonymousId = client.analytics.anonymousId
        client.analytics.reset()
        #expect(client.analytics.userId == nil && client.analytics.anonymousId != anonymousId)
        client.analytics.track("a")
        await client.processed()
        #expect(recording.calls == ["identify u", "reset", "track a"])
    }

    @Test("A dropped flush sends nothing, reaches no integration, and its waiting callers return")
    func swallowedFlush() async {
        let recording = RecordingIntegration()
        let swallows = LockBox(true)
        let client = CompatClient(["integrations": ["A": [:]]]) { config in
            config.sourceMiddleware = [
                Spy { context, next in if context.eventType != .flush || !swallows.withLock({ $0 }) { next(context) } }
            ]
            config.use(TestFactory("A", recording))
        }
        client.analytics.track("a")
        await client.processed()
        await withCheckedContinuation { continuation in client.analytics.flush { continuation.resume() } }
        #expect(client.server.events.isEmpty)
        #expect(recording.calls == ["track a"])
        swallows.withLock { $0 = false }
        await client.flushed()
        #expect(client.server.names == ["a"])
        await client.processed()  // the integration has dealt with it
        #expect(recording.calls == ["track a", "flush"])
    }

    @Test("Middleware that is added later runs last, and sees the events that are processed from then on")
    func added() async {
        let client = client(customizeAllTrackCalls)
        let (first, second) = (Spy(), Spy())
        client.analytics.add(middleware: first)
        client.analytics.track("a")
        await client.processed()
        client.analytics.add(middleware: second)
        client.analytics.track("b")
        await client.processed()
        #expect(first.names == ["[New] a", "[New] b"])
        #expect(second.names == ["[New] b"])
    }

    @Test("A client with a modern configuration accepts middleware too")
    func modernClient() async {
        let client = Client()
        let spy = Spy()
        client.analytics.add(middleware: spy)
        client.analytics.add(middleware: turnScreenIntoTrack)
        client.analytics.screen(title: "Home")
        await client.flushed()
        #expect(spy.types.first == .screen)
        #expect(client.server.names == ["Home Screen Tracked"])
    }

    @Test("Events of many threads go through a middleware one after the other")
    func concurrent() async {
        let inside = LockBox(0)
        let overlaps = LockBox(0)
        let spy = Spy { context, next in
            let count = inside.withLock { inside in
                inside += 1
                return inside
            }
            if count != 1 { overlaps.withLock { $0 += 1 } }
            inside.withLock { $0 -= 1 }
            next(context)
        }
        let client = client(spy)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for number in 0..<100 { client.analytics.track("\(thread)-\(number)") }
        }
        await client.processed()
        #expect(overlaps.withLock { $0 } == 0)
        #expect(spy.names.count == 800)
        for thread in 0..<8 {
            #expect(spy.names.filter { $0.hasPrefix("\(thread)-") } == (0..<100).map { "\(thread)-\($0)" })
        }
    }

    @Test("Middleware may track events, and does not run on the main thread")
    func tracking() async {
        let client = client(
            Spy { context, next in
                #expect(!Thread.isMainThread)
                if (context.payload as? TrackPayload)?.event == "a" { context._analytics.track("made") }
                next(context)
            })
        client.analytics.track("a")
        await client.flushed()
        #expect(client.server.names == ["a", "made"])
    }

    @Test("Middleware gets no calls of a disabled client")
    func disabled() async {
        let spy = Spy()
        let client = client(spy)
        client.analytics.disable()
        client.analytics.identify("u")
        client.analytics.track("a")
        client.analytics.receivedRemoteNotification([:])
        await client.processed()
        #expect(spy.seen.isEmpty)
        #expect(client.analytics.userId == nil)
        client.analytics.enable()
        client.analytics.track("b")
        await client.processed()
        #expect(spy.names == ["b"])
    }

    @Test("A middleware runner goes through its list, and its callback gets the rest of the list")
    func runner() {
        let client = client()
        let context = Context(analytics: client.analytics)
        let (first, second) = (Spy(), Spy())
        let ends = LockBox<[String]>([])
        let note: @Sendable (Bool, [any Middleware]) -> Void = { early, rest in
            ends.withLock { $0.append("\(early) \(rest.count)") }
        }
        #expect(MiddlewareRunner(middleware: [first, second]).run(context, callback: note) === context)
        let other = Context(analytics: client.analytics)
        let runner = MiddlewareRunner(middleware: [Spy { _, next in next(other) }, Spy { _, next in next(nil) }, first])
        #expect(runner.middlewares.count == 3)
        #expect(runner.run(context, callback: note) === other)
        #expect(first.seen.count == 1 && second.seen.count == 1)
        #expect(ends.withLock { $0 } == ["false 0", "true 1"])
    }
}
