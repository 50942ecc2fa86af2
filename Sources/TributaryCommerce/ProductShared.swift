public import Tributary

extension Ecommerce {
    /// The user shared a product.
    public struct ProductShared: AnalyticsEvent, Sendable {
        public static let name = "Product Shared"

        /// The way of sharing.
        public var shareVia: String?
        /// The message of the sender.
        public var shareMessage: String?
        /// The recipient of the message.
        public var recipient: String?
        /// The product; its members stand beside those of the event.
        public var product: Product

        /// A nil value is not sent.
        public init(
            product: Product, shareVia: String? = nil, shareMessage: String? = nil, recipient: String? = nil
        ) {
            self.shareVia = shareVia
            self.shareMessage = shareMessage
            self.recipient = recipient
            self.product = product
        }

        private enum CodingKeys: String, CodingKey {
            case recipient
            case shareVia = "share_via"
            case shareMessage = "share_message"
        }

        /// Writes the members of the product beside those of the event.
        public func encode(to encoder: any Encoder) throws {
            try product.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(shareVia, forKey: .shareVia)
            try container.encodeIfPresent(shareMessage, forKey: .shareMessage)
            try container.encodeIfPresent(recipient, forKey: .recipient)
        }
    }
}
