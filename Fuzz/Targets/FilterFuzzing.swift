import TributaryFilters
import TributaryJSON

/// Any rules can be applied, and leave an event that can be written.
enum FilterFuzzing {
    private static let event: JSON = [
        "type": "track", "event": "Order Completed", "userId": "u-1", "messageId": "m-1",
        "properties": ["total": 42.5, "items": [["sku": "a"], ["sku": "b"]], "nested": ["deep": ["deeper": true]]],
        "context": ["page": ["url": "https://example.com/?q=1"]],
    ]

    static func run(_ bytes: [UInt8]) {
        guard let json = try? JSON.parse(bytes) else { return }
        let rule: JSON = ["destinationName": "Any", "matchers": [json], "transformers": [[json]]]
        for rules in [json, [json], [rule]] {
            let filters = FilterRules(routingRules: rules, random: { 0.5 })
            for destination in ["Any", "Segment.io", "a"] {
                var event = event
                _ = filters.apply(to: &event, destination: destination)
                var written: [UInt8] = []
                event.write(into: &written)
                require((try? JSON.parse(written)) != nil, "the event is no JSON any more")
            }
        }
    }
}
