public import Tributary

extension Ecommerce {
    /// The user reviewed a product.
    public struct ProductReviewed: AnalyticsEvent, Sendable {
        public static let name = "Product Reviewed"

        /// Identifies the product.
        public var productId: String?
        /// Identifies the review.
        public var reviewId: String?
        /// The text of the review.
        public var reviewBody: String?
        /// The rating that was given.
        public var rating: String?

        /// A nil value is not sent.
        public init(
            productId: String? = nil, reviewId: String? = nil, reviewBody: String? = nil, rating: String? = nil
        ) {
            self.productId = productId
            self.reviewId = reviewId
            self.reviewBody = reviewBody
            self.rating = rating
        }

        private enum CodingKeys: String, CodingKey {
            case rating
            case productId = "product_id"
            case reviewId = "review_id"
            case reviewBody = "review_body"
        }
    }
}
