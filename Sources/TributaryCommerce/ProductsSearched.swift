public import Tributary

extension Ecommerce {
    /// The user searched for products.
    public struct ProductsSearched: AnalyticsEvent, Sendable {
        public static let name = "Products Searched"

        /// The text of the search.
        public var query: String?

        /// A nil value is not sent.
        public init(query: String? = nil) {
            self.query = query
        }

        private enum CodingKeys: String, CodingKey {
            case query
        }
    }
}
