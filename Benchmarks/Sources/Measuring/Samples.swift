/// An event like those that shops send.
public enum Samples {
    /// Five properties, as most code gives them.
    public static func properties(_ number: Int) -> [String: Any] {
        ["total": 42.5, "currency": "EUR", "items": 3, "coupon": "SUMMER-2026", "number": number]
    }

    /// The same five as a type.
    public struct Properties: Encodable {
        let total = 42.5
        let currency = "EUR"
        let items = 3
        let coupon = "SUMMER-2026"
        let number: Int

        public init(_ number: Int) { self.number = number }
    }

    public static let eventName = "Order Completed"
}
