public import Tributary

extension Ecommerce {
    /// The user entered a coupon.
    public struct CouponEntered: AnalyticsEvent, Sendable {
        public static let name = "Coupon Entered"

        /// Identifies the order.
        public var orderId: String?
        /// Identifies the cart.
        public var cartId: String?
        /// Identifies the coupon.
        public var couponId: String?

        /// A nil value is not sent.
        public init(orderId: String? = nil, cartId: String? = nil, couponId: String? = nil) {
            self.orderId = orderId
            self.cartId = cartId
            self.couponId = couponId
        }

        private enum CodingKeys: String, CodingKey {
            case orderId = "order_id"
            case cartId = "cart_id"
            case couponId = "coupon_id"
        }
    }
}
