import Foundation
import TestSupport
import Testing
import Tributary

/// A device-mode destination that hands numbers to the kit of its vendor, which takes them as its own types.
private final class Purchases: DestinationPlugin, @unchecked Sendable {
    let key = "Purchases"
    let timeline = Timeline()
    let type = PluginType.destination
    weak var analytics: Analytics?
    var factor: Double?
    var revenue: [Double] = []
    var items: [Int] = []
    var prices: [Decimal] = []
    var counters: [String: Double] = [:]
    var isTrial: Bool?

    func update(settings: Settings, type: UpdateType) {
        let options = settings.integrationSettings(forKey: key)
        factor = options?["factor"] as? Double
    }

    func track(event: TrackEvent) -> TrackEvent? {
        guard let properties = event.properties?.dictionaryValue else { return event }
        if let value = properties["revenue"] as? Double { revenue.append(value) }
        if let value = properties["quantity"] as? Int { items.append(value) }
        if let value = properties["price"] as? NSNumber { prices.append(value.decimalValue) }
        if let value = properties["counters"] as? [String: Double] { counters = value }
        if let value = properties["trial"] as? Bool { isTrial = value }
        return event
    }
}

@Suite("A destination that reads numbers from dictionaries")
struct NumbersInDictionariesSnippet {
    @Test("A destination gets numbers of dictionaries as the type that it asks for")
    func casts() async {
        let settings: JSON = ["integrations": ["Purchases": ["factor": 2]]]
        let client = Client(settings: settings)
        let destination = Purchases()
        client.analytics.add(plugin: destination)
        client.analytics.track(
            name: "Order Completed",
            properties: [
                "revenue": 25.0, "quantity": 3.0, "price": 12, "trial": true, "counters": ["a": 1, "b": 2.5],
            ])
        client.analytics.track(name: "Order Completed", properties: ["revenue": 19.99, "quantity": 4])
        client.analytics.identify(userId: "u", traits: ["age": 30.0, "limit": UInt64.max, "id": Int.min])
        _ = await client.flushed()
        #expect(destination.factor == 2)
        #expect(destination.revenue == [25, 19.99])
        #expect(destination.items == [3, 4])
        #expect(destination.prices == [12])
        #expect(destination.counters == ["a": 1, "b": 2.5])
        #expect(destination.isTrial == true)
        let traits = client.analytics.traits()
        #expect(traits?["age"] as? Int == 30)
        #expect(traits?["limit"] as? UInt64 == .max)
        #expect(traits?["id"] as? Int == .min)
    }

    @Test("A number that a destination hands back is exact")
    func back() async {
        let client = Client()
        let given: [String: Any] = [
            "a": 25.0, "b": 0.1, "c": Int.max, "d": true, "e": 1, "f": UInt64.max, "g": NSNumber(value: false),
            "h": [1.5, 2],
        ]
        client.analytics.track(name: "A", properties: given)
        _ = await client.flushed()
        let first = client.server.events.first?["properties"]
        client.analytics.track(name: "B", properties: first?.dictionaryValue)
        _ = await client.flushed()
        #expect(client.server.events.last?["properties"]?.description == first?.description)
        #expect(first?["c"]?.description == "9223372036854775807")
        #expect(first?["g"] == false)
    }
}
