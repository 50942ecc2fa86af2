import AnalyticsCompat
import TestSupport
import Testing

@Suite("Context")
struct ContextTests {
    private let client = CompatClient()

    // The compiler checks that a context needs its client: there is no other initializer.
    @Test("A new context has its client and nothing else")
    func initialized() {
        let context = Context(analytics: client.analytics)
        #expect(context._analytics === client.analytics)
        #expect(context.eventType == .undefined)
        #expect(context.payload == nil && context.userId == nil && context.anonymousId == nil)
    }

    @Test("Payload, type, error and debug of a context can be set")
    func modifications() {
        struct Failure: Error {}
        let context = Context(analytics: client.analytics).modify { ctx in
            let payload = TrackPayload(event: "a", properties: ["b": 1], context: [:], integrations: [:])
            payload.userId = "sloth"
            ctx.payload = payload
            ctx.eventType = .track
            ctx.error = Failure()
        }
        #expect(context.userId == "sloth")
        #expect(context.eventType == .track)
        #expect(context.error is Failure)
    }

    @Test("While debugging, modify returns a changed copy and leaves the original")
    func debugging() {
        let context = Context(analytics: client.analytics).modify { $0.debug = true }
        let changed = context.modify { $0.eventType = .track }
        #expect(changed !== context)
        #expect(changed.eventType == .track && context.eventType == .undefined)
    }

    @Test("Without debugging, modify returns the same context")
    func usual() {
        let context = Context(analytics: client.analytics)
        #expect(context.modify { $0.eventType = .track } === context)
        #expect(context.eventType == .track)
    }

    @Test("The context of a new payload gets the client's members that it lacks")
    func surroundings() {
        let context = Context(analytics: client.analytics).modify { ctx in
            ctx.payload = TrackPayload(event: "a", properties: nil, context: [:], integrations: [:])
        }
        let changed = context.modify { ctx in
            ctx.payload = TrackPayload(
                event: "b", properties: nil, context: ["library": "mine"], integrations: [:])
        }
        #expect(changed.payload?.context["library"] as? String == "mine")
        #expect(changed.payload?.context["instanceId"] != nil)
    }
}
