/// A purchase in the app, and the event of the e-commerce specification for it, as in analytics-ios.
struct Purchase {
    var transactionId: String
    var productId: String
    var quantity: Int
    var price: Double
    var currency: String
    var title: String

    static let eventName = "Order Completed"

    /// Nil for a transaction without an id, because it was not completed.
    var properties: [String: Any]? {
        guard !transactionId.isEmpty else { return nil }
        let product: [String: Any] = [
            "sku": transactionId, "quantity": quantity, "productId": productId, "price": price, "name": title,
        ]
        return ["orderId": transactionId, "affiliation": "App Store", "currency": currency, "products": [product]]
    }
}
