public import Tributary

extension Ecommerce {
    /// The user narrowed down or ordered a list of products.
    public struct ProductListFiltered: AnalyticsEvent, Sendable {
        public static let name = "Product List Filtered"

        /// Identifies the list.
        public var listId: String?
        /// The category that the list shows.
        public var category: String?
        /// The filters of the list.
        public var filters: [Choice]?
        /// How the list was ordered.
        public var sorts: [Choice]?
        /// The products.
        public var products: [Product]?

        /// A nil value is not sent.
        public init(
            listId: String? = nil, category: String? = nil, filters: [Choice]? = nil, sorts: [Choice]? = nil,
            products: [Product]? = nil
        ) {
            self.listId = listId
            self.category = category
            self.filters = filters
            self.sorts = sorts
            self.products = products
        }

        private enum CodingKeys: String, CodingKey {
            case category, filters, sorts, products
            case listId = "list_id"
        }
    }
}
