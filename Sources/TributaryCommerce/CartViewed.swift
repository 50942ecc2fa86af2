public import Tributary

extension Ecommerce {
    /// The user saw the cart.
    public struct CartViewed: AnalyticsEvent, Sendable {
        public static let name = "Cart Viewed"

        /// Identifies the cart.
        public var cartId: String?
        /// The products.
        public var products: [Product]?

        /// A nil value is not sent.
        public init(cartId: String? = nil, products: [Product]? = nil) {
            self.cartId = cartId
            self.products = products
        }

        private enum CodingKeys: String, CodingKey {
            case products
            case cartId = "cart_id"
        }
    }
}
