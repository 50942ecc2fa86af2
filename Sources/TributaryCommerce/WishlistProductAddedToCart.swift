public import Tributary

extension Ecommerce {
    /// The user put a product of a wish list into the cart.
    public struct WishlistProductAddedToCart: AnalyticsEvent, Sendable {
        public static let name = "Wishlist Product Added to Cart"

        /// Identifies the wish list.
        public var wishlistId: String?
        /// The name of the wish list.
        public var wishlistName: String?
        /// Identifies the cart.
        public var cartId: String?
        /// The product; its members stand beside those of the event.
        public var product: Product

        /// A nil value is not sent.
        public init(product: Product, wishlistId: String? = nil, wishlistName: String? = nil, cartId: String? = nil) {
            self.wishlistId = wishlistId
            self.wishlistName = wishlistName
            self.cartId = cartId
            self.product = product
        }

        private enum CodingKeys: String, CodingKey {
            case wishlistId = "wishlist_id"
            case wishlistName = "wishlist_name"
            case cartId = "cart_id"
        }

        /// Writes the members of the product beside those of the event.
        public func encode(to encoder: any Encoder) throws {
            try product.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(wishlistId, forKey: .wishlistId)
            try container.encodeIfPresent(wishlistName, forKey: .wishlistName)
            try container.encodeIfPresent(cartId, forKey: .cartId)
        }
    }
}
