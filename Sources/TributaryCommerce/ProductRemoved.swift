public import Tributary

extension Ecommerce {
    /// The user took a product out of the cart.
    public struct ProductRemoved: AnalyticsEvent, Sendable {
        public static let name = "Product Removed"

        /// Identifies the cart.
        public var cartId: String?
        /// The product; its members stand beside those of the event.
        public var product: Product

        /// A nil value is not sent.
        public init(product: Product, cartId: String? = nil) {
            self.cartId = cartId
            self.product = product
        }

        private enum CodingKeys: String, CodingKey {
            case cartId = "cart_id"
        }

        /// Writes the members of the product beside those of the event.
        public func encode(to encoder: any Encoder) throws {
            try product.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(cartId, forKey: .cartId)
        }
    }
}
