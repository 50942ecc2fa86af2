/// A larger event, about 1.3 KB with what the client adds, and scripts for it.
enum LiveSamples {
    /// An order with its items.
    static func order() -> [String: Any] {
        let items: [[String: Any]] = (1...4).map { number in
            [
                "productId": "sku-10042-\(number)", "name": "Mountain Bike Helmet \(number)", "price": 59.9,
                "quantity": number, "position": number * 10, "category": "Sports/Cycling", "brand": "Alpine",
            ]
        }
        return [
            "orderId": "order-2026-000481", "total": 359.4, "currency": "EUR", "coupon": "SUMMER-2026",
            "affiliation": "web shop", "paymentMethod": "card", "campaign": "autumn-newsletter-2026-week-41",
            "referrer": "https://news.example/2026/11/best-helmets-for-the-mountains", "shipping": 4.9, "tax": 57.38,
            "products": items,
        ]
    }

    /// That many plugins, each of which renames a property that no other one renames.
    static func renamingPlugins(_ count: Int) -> String {
        let names = ["total", "currency", "coupon", "affiliation", "shipping", "tax", "orderId", "products"]
        return (0..<count).map { number in
            // Names run out; later plugins rename what earlier ones renamed.
            let old = number < names.count ? names[number] : "renamed_\(number - names.count)"
            return """
                class Rename\(number) extends LivePlugin {
                    constructor() { super(LivePluginType.enrichment, null) }
                    track(event) {
                        event.properties.renamed_\(number) = event.properties.\(old)
                        delete event.properties.\(old)
                        return event
                    }
                }
                analytics.add(new Rename\(number)())
                """
        }.joined(separator: "\n")
    }

    /// Plugins of which one after the other never ends: the first at the first event, the second at the second one.
    static func loopingPlugins(_ count: Int) -> String {
        """
        let events = 0
        class Count extends LivePlugin { track(event) { events += 1; return event } }
        analytics.add(new Count(LivePluginType.enrichment))
        class Loop extends LivePlugin {
            constructor(turn) { super(LivePluginType.enrichment); this.turn = turn }
            track(event) { while (events === this.turn) ; return event }
        }
        for (let turn = 1; turn <= \(count); turn++) analytics.add(new Loop(turn))
        """
    }
}
