public import Tributary

extension Ecommerce {
    /// The user saw a list or category of products.
    public struct ProductListViewed: AnalyticsEvent, Sendable {
        public static let name = "Product List Viewed"

        /// Identifies the list.
        public var listId: String?
        /// The category that the list shows.
        public var category: String?
        /// The products.
        public var products: [Product]?

        /// A nil value is not sent.
        public init(listId: String? = nil, category: String? = nil, products: [Product]? = nil) {
            self.listId = listId
            self.category = category
            self.products = products
        }

        private enum CodingKeys: String, CodingKey {
            case category, products
            case listId = "list_id"
        }
    }
}
