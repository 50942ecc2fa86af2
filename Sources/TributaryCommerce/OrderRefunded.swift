public import Tributary

extension Ecommerce {
    /// An order was refunded, all of it or the products that are named.
    public struct OrderRefunded: AnalyticsEvent, Sendable {
        public static let name = "Order Refunded"

        /// Identifies the order.
        public var orderId: String?
        /// The sum with discounts and coupons taken into account.
        public var total: Double?
        /// The code of the currency, such as `EUR`.
        public var currency: String?
        /// The products.
        public var products: [Product]?

        /// A nil value is not sent.
        public init(
            orderId: String? = nil, total: Double? = nil, currency: String? = nil, products: [Product]? = nil
        ) {
            self.orderId = orderId
            self.total = total
            self.currency = currency
            self.products = products
        }

        private enum CodingKeys: String, CodingKey {
            case total, currency, products
            case orderId = "order_id"
        }
    }
}
