public import Tributary

extension Ecommerce {
    /// The user began to order what is in the cart.
    public struct CheckoutStarted: AnalyticsEvent, Sendable {
        public static let name = "Checkout Started"

        /// Identifies the order.
        public var orderId: String?
        /// The store in which it happens.
        public var affiliation: String?
        /// The value of the order after discounts and coupons.
        public var value: Double?
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
            orderId: String? = nil, affiliation: String? = nil, value: Double? = nil, revenue: Double? = nil,
            shipping: Double? = nil, tax: Double? = nil, discount: Double? = nil, coupon: String? = nil,
            currency: String? = nil, products: [Product]? = nil
        ) {
            self.orderId = orderId
            self.affiliation = affiliation
            self.value = value
            self.revenue = revenue
            self.shipping = shipping
            self.tax = tax
            self.discount = discount
            self.coupon = coupon
            self.currency = currency
            self.products = products
        }

        private enum CodingKeys: String, CodingKey {
            case affiliation, value, revenue, shipping, tax, discount, coupon, currency, products
            case orderId = "order_id"
        }
    }
}
