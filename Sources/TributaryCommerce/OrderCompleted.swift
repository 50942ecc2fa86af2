public import Tributary

extension Ecommerce {
    /// The user completed an order.
    public struct OrderCompleted: AnalyticsEvent, Sendable {
        public static let name = "Order Completed"

        /// Identifies the checkout.
        public var checkoutId: String?
        /// Identifies the order.
        public var orderId: String?
        /// The store in which it happens.
        public var affiliation: String?
        /// The sum after discounts, before tax and shipping.
        public var subtotal: Double?
        /// The sum with discounts and coupons taken into account.
        public var total: Double?
        /// The sum without shipping and tax.
        public var revenue: Double?
        /// The cost of shipping.
        public var shipping: Double?
        /// All taxes together.
        public var tax: Double?
        /// All discounts together.
        public var discount: Double?
        /// The coupon that was redeemed.
        public var coupon: String?
        /// The code of the currency, such as `EUR`.
        public var currency: String?
        /// The products.
        public var products: [Product]?

        /// A nil value is not sent.
        public init(
            checkoutId: String? = nil, orderId: String? = nil, affiliation: String? = nil, subtotal: Double? = nil,
            total: Double? = nil, revenue: Double? = nil, shipping: Double? = nil, tax: Double? = nil,
            discount: Double? = nil, coupon: String? = nil, currency: String? = nil, products: [Product]? = nil
        ) {
            self.checkoutId = checkoutId
            self.orderId = orderId
            self.affiliation = affiliation
            self.subtotal = subtotal
            self.total = total
            self.revenue = revenue
            self.shipping = shipping
            self.tax = tax
            self.discount = discount
            self.coupon = coupon
            self.currency = currency
            self.products = products
        }

        private enum CodingKeys: String, CodingKey {
            case affiliation, subtotal, total, revenue, shipping, tax, discount, coupon, currency, products
            case checkoutId = "checkout_id"
            case orderId = "order_id"
        }
    }
}
