public import Tributary

extension Ecommerce {
    /// The user saw the details of a product.
    public struct ProductViewed: AnalyticsEvent, Sendable {
        public static let name = "Product Viewed"

        /// The product; its members stand beside those of the event.
        public var product: Product
        /// The code of the currency of the price.
        public var currency: String?
        /// The price times the quantity.
        public var value: Double?

        /// A nil value is not sent.
        public init(product: Product, currency: String? = nil, value: Double? = nil) {
            self.product = product
            self.currency = currency
            self.value = value
        }

        private enum CodingKeys: String, CodingKey {
            case currency, value
        }

        /// Writes the members of the product beside those of the event.
        public func encode(to encoder: any Encoder) throws {
            try product.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(currency, forKey: .currency)
            try container.encodeIfPresent(value, forKey: .value)
        }
    }
}
