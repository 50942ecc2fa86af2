public import Tributary

extension Ecommerce {
    /// The user saw a promotion.
    public struct PromotionViewed: AnalyticsEvent, Sendable {
        public static let name = "Promotion Viewed"

        /// Identifies the promotion.
        public var promotionId: String?
        /// How the promotion looks, as a name.
        public var creative: String?
        /// The name of the promotion.
        public var name: String?
        /// Where the promotion stands, as a name.
        public var position: String?

        /// A nil value is not sent.
        public init(
            promotionId: String? = nil, creative: String? = nil, name: String? = nil, position: String? = nil
        ) {
            self.promotionId = promotionId
            self.creative = creative
            self.name = name
            self.position = position
        }

        private enum CodingKeys: String, CodingKey {
            case creative, name, position
            case promotionId = "promotion_id"
        }
    }
}
