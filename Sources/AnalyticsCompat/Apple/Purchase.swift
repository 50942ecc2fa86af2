/// A purchase in the app, as the event of the e-commerce specification that analytics-ios makes of it.
struct Purchase {
    var transactionId: String
    var productId: String
    var quantity: Int
    var price: Double
    var currency: String
    var title: String

    static let eventName = "Order Completed"

    /// Nil for a transaction without an id: it was not completed.
    var properties: [String: Any]? {
        guard !transactionId.isEmpty else { return nil }
        let product: [String: Any] = [
            "sku": transactionId, "quantity": quantity, "productId": productId, "price": price, "name": title,
        ]
        return ["orderId": transactionId, "affiliation": "App Store", "currency": currency, "products": [product]]
    }
}
