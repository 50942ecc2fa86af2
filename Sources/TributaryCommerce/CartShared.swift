public import Tributary

extension Ecommerce {
    /// The user shared the cart.
    public struct CartShared: AnalyticsEvent, Sendable {
        public static let name = "Cart Shared"

        /// The way of sharing.
        public var shareVia: String?
        /// The message of the sender.
        public var shareMessage: String?
        /// The recipient of the message.
        public var recipient: String?
        /// Identifies the cart.
        public var cartId: String?
        /// The products.
        public var products: [Product]?

        /// A nil value is not sent.
        public init(
            shareVia: String? = nil, shareMessage: String? = nil, recipient: String? = nil, cartId: String? = nil,
            products: [Product]? = nil
        ) {
            self.shareVia = shareVia
            self.shareMessage = shareMessage
            self.recipient = recipient
            self.cartId = cartId
            self.products = products
        }

        private enum CodingKeys: String, CodingKey {
            case recipient, products
            case shareVia = "share_via"
            case shareMessage = "share_message"
            case cartId = "cart_id"
        }
    }
}
