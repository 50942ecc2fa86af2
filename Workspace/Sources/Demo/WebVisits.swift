import TributaryJSON

/// Visitors of a web site: each looks at a product and orders it.
struct WebVisits: Equatable {
    private static let visits = 200

    let events: [JSON]
    /// How many of the events the live plugins have to drop: events of testers, and pings.
    let unwanted: Int

    init() {
        var events: [JSON] = []
        var unwanted = 0
        for visit in 0..<Self.visits {
            let isTester = visit % 10 == 3
            var steps: [JSON] = [
                [
                    "type": "identify",
                    "traits": ["email": .string(isTester ? "t\(visit)@example.test" : "v\(visit)@example.com")],
                ],
                ["type": "page", "name": "Product", "properties": ["path": "/product"]],
                ["type": "track", "event": "Product Viewed", "properties": ["product_did": .string("p-\(visit)")]],
                [
                    "type": "track", "event": "Order Completed",
                    "properties": [
                        "products": [
                            ["product_id": .string("p-\(visit)"), "quantity": .number(JSONNumber(visit % 12 + 1))]
                        ]
                    ],
                ],
            ]
            if visit % 5 == 0 { steps.append(["type": "track", "event": "Debug Ping"]) }
            for (number, step) in steps.enumerated() {
                var event = step
                event["messageId"] = .string("web-\(visit)-\(number)")
                event["userId"] = .string("w-\(visit)")
                event["context"] = ["library": ["name": "analytics.js"]]
                events.append(event)
            }
            unwanted += isTester ? steps.count : steps.count - 4
        }
        (self.events, self.unwanted) = (events, unwanted)
    }
}
