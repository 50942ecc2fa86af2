import AnalyticsCompat
import Foundation
import TestSupport
import Testing

/// A middleware of analytics-ios that reads numbers and puts another payload into the context.
private final class Doubling: Middleware, @unchecked Sendable {
    var revenue: Double?

    func context(_ context: Context, next: @escaping SEGMiddlewareNext) {
        guard let track = context.payload as? TrackPayload else { return next(context) }
        revenue = track.properties?["revenue"] as? Double
        var properties = track.properties ?? [:]
        properties["doubled"] = (revenue ?? 0) * 2
        next(
            context.modify { context in
                context.payload = TrackPayload(
                    event: track.event, properties: properties, context: track.context,
                    integrations: track.integrations)
            })
    }
}

@Suite("Payloads of analytics-ios")
struct CompatPayloadsSnippet {
    @Test("Numbers of payloads cast to every type that holds them")
    func numbers() {
        let payload = TrackPayload(
            event: "A", properties: ["revenue": 25.0, "count": 2.0, "big": Int.max, "flag": true], context: [:],
            integrations: ["Adjust": ["rate": 3]])
        #expect(payload.properties?["revenue"] as? Double == 25)
        #expect(payload.properties?["revenue"] as? NSNumber == 25)
        #expect(payload.properties?["count"] as? Int == 2)
        #expect(payload.properties?["big"] as? Int == .max)
        #expect(payload.properties?["flag"] as? Bool == true)
        #expect((payload.integrations["Adjust"] as? [String: Any])?["rate"] as? Float == 3)
    }

    @Test("Payloads can be made without values, and compared")
    func equality() {
        #expect(TrackPayload().event.isEmpty)
        #expect(IdentifyPayload().traits == nil)
        #expect(ScreenPayload().name.isEmpty && GroupPayload().groupId.isEmpty && AliasPayload().theNewId.isEmpty)
        func payload(_ value: Double) -> TrackPayload {
            TrackPayload(event: "A", properties: ["value": value], context: ["a": 1], integrations: [:])
        }
        #expect(payload(1) == payload(1))
        #expect(payload(1) != payload(2))
        let other = payload(1)
        other.userId = "u"
        #expect(other != payload(1))
        let (one, two): (Payload, Payload) = (TrackPayload(), IdentifyPayload())
        #expect(one != two)
    }

    @Test("A payload keeps the good values of a dictionary beside one without a JSON form")
    func badValue() {
        let payload = IdentifyPayload(
            userId: "u", anonymousId: nil, traits: ["bad": (1, 2), "letter": Character("x"), "good": 1], context: [:],
            integrations: [:])
        #expect(payload.traits?.keys.sorted() == ["good", "letter"])
    }
}
