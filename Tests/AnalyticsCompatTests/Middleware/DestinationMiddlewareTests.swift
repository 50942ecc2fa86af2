import AnalyticsCompat
import TestSupport
import Testing

@Suite("Destination middleware")
struct DestinationMiddlewareTests {
    private func client(
        _ key: String, _ middleware: [any Middleware], _ recording: RecordingIntegration = RecordingIntegration(),
        _ other: RecordingIntegration = RecordingIntegration()
    ) -> CompatClient {
        CompatClient(["integrations": ["A": [:], "B": [:]]]) { config in
            config.destinationMiddleware = [DestinationMiddleware(key: key, middleware: middleware)]
            config.use(TestFactory("A", recording))
            config.use(TestFactory("B", other))
        }
    }

    @Test("Middleware of the server sees the events for the server")
    func server() async {
        let spy = Spy()
        let client = client("Segment.io", [spy])
        client.analytics.identify("u")
        await client.flushed()
        #expect(spy.types == [.identify])
        #expect(spy.seen[0].userId == "u")
    }

    @Test("Destination middleware changes only the events of its destination")
    func changes() async {
        let (recording, other) = (RecordingIntegration(), RecordingIntegration())
        let client = client("A", [customizeAllTrackCalls], recording, other)
        client.analytics.track("a")
        await client.flushed()
        #expect(recording.calls.filter { $0 != "flush" } == ["track [New] a"])
        #expect((recording.payloads[0] as? TrackPayload)?.properties?["customAttribute"] as? String == "Hello")
        #expect(recording.payloads[0].messageId == other.payloads[0].messageId)
        #expect(other.calls.filter { $0 != "flush" } == ["track a"])
        #expect(client.server.names == ["a"])
    }

    @Test("Middleware that does not call next, or calls next(nil), drops the event for its destination only")
    func swallowed() async {
        let (recording, other, later) = (RecordingIntegration(), RecordingIntegration(), Spy())
        let client = client(
            "A",
            [
                Spy { context, next in if (context.payload as? TrackPayload)?.event != "silent" { next(context) } },
                Spy { context, next in next((context.payload as? TrackPayload)?.event == "nil" ? nil : context) },
                later,
            ], recording, other)
        for name in ["silent", "nil", "kept"] { client.analytics.track(name) }
        await client.flushed()
        #expect(recording.calls.filter { $0 != "flush" } == ["track kept"])
        #expect(later.names == ["kept"])
        #expect(other.calls.filter { $0 != "flush" } == ["track silent", "track nil", "track kept"])
        #expect(client.server.names == ["silent", "nil", "kept"])
    }

    @Test("A changed event type in destination middleware has no effect and is reported")
    func retyping() async {
        let recording = RecordingIntegration()
        let client = client("A", [turnScreenIntoTrack], recording)
        client.analytics.screen("Home")
        await client.flushed()
        #expect(recording.calls.filter { $0 != "flush" } == ["screen Home"])
        await client.diagnostics.wait(text: "cannot return another type of event")
    }

    @Test("A late call of next in destination middleware has no effect and is reported")
    func late() async {
        let recording = RecordingIntegration()
        let kept = LockBox<[(SEGMiddlewareNext, Context)]>([])
        let client = client("A", [Spy { context, next in kept.withLock { $0.append((next, context)) } }], recording)
        client.analytics.track("a")
        await client.processed()
        let (next, context) = kept.withLock { $0.removeFirst() }
        next(context)
        await client.processed()
        #expect(recording.calls.isEmpty)
        await client.diagnostics.wait(text: "next was called late")
    }

    @Test("Several middleware lists of one key run one after the other, also for calls without an event")
    func calls() async {
        let (recording, first, second) = (
            RecordingIntegration(), Spy(),
            Spy { context, next in
                if context.eventType != .flush { next(context) }
            }
        )
        let client = CompatClient(["integrations": ["A": [:]]]) { config in
            config.destinationMiddleware = [
                DestinationMiddleware(key: "A", middleware: [first]),
                DestinationMiddleware(key: "A", middleware: [second]),
            ]
            config.use(TestFactory("A", recording))
        }
        client.analytics.track("a")
        client.analytics.receivedRemoteNotification(["a": "b"])
        client.analytics.reset()
        client.analytics.flush()
        await client.processed()
        let types: [EventType] = [.track, .receivedRemoteNotification, .reset, .flush]
        #expect(first.types == types)
        #expect(second.types == types)
        #expect(recording.calls == ["track a", "received b", "reset"])
    }

    @Test("Edge function middleware replaces all other middleware, and gets the edge function of the settings")
    func edgeFunction() async {
        let edge = Edge()
        let spy = Spy()
        let client = CompatClient(["integrations": [:], "edgeFunction": ["version": 2]]) { config in
            config.sourceMiddleware = [spy]
            config.edgeFunctionMiddleware = edge
        }
        client.analytics.track("a")
        await client.processed()
        #expect(spy.seen.isEmpty)
        #expect(edge.spy.names == ["a"])
        #expect(edge.data.withLock { $0 } == ["version": 2])
        #expect(client.analytics.edgeFunction() === edge)
    }
}

private final class Edge: EdgeFunctionMiddleware {
    let spy = Spy()
    let data = LockBox<JSON?>(nil)
    var sourceMiddleware: [any Middleware]? { [spy] }
    var destinationMiddleware: [DestinationMiddleware]? { nil }
    func setEdgeFunctionData(_ data: [AnyHashable: Any]?) {
        self.data.withLock { $0 = (data as? [String: Any]).flatMap { try? JSON($0) } }
    }
    func addToDataBridge(key: String, value: Any) {}
    func removeFromDataBridge(key: String) {}
    func dataBridgeSnapshot() -> [String: Any] { [:] }
}
