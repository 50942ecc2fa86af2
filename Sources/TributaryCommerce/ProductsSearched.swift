public import Tributary

extension Ecommerce {
    /// The user searched for products.
    public struct ProductsSearched: AnalyticsEvent, Sendable {
        public static let name = "Products Searched"

        /// What was searched for.
        public var query: String?

        /// What is nil is not sent.
        public init(query: String? = nil) {
            self.query = query
        }

        private enum CodingKeys: String, CodingKey {
            case query
        }
    }
}
