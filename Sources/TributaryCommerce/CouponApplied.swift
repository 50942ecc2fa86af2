public import Tributary

extension Ecommerce {
    /// A coupon was accepted.
    public struct CouponApplied: AnalyticsEvent, Sendable {
        public static let name = "Coupon Applied"

        /// Identifies the order.
        public var orderId: String?
        /// Identifies the cart.
        public var cartId: String?
        /// Identifies the coupon.
        public var couponId: String?
        /// The name of the coupon.
        public var couponName: String?
        /// The discount of the coupon.
        public var discount: Double?

        /// A nil value is not sent.
        public init(
            orderId: String? = nil, cartId: String? = nil, couponId: String? = nil, couponName: String? = nil,
            discount: Double? = nil
        ) {
            self.orderId = orderId
            self.cartId = cartId
            self.couponId = couponId
            self.couponName = couponName
            self.discount = discount
        }

        private enum CodingKeys: String, CodingKey {
            case discount
            case orderId = "order_id"
            case cartId = "cart_id"
            case couponId = "coupon_id"
            case couponName = "coupon_name"
        }
    }
}
