public import Tributary

extension Ecommerce {
    /// A coupon was not accepted.
    public struct CouponDenied: AnalyticsEvent, Sendable {
        public static let name = "Coupon Denied"

        /// Identifies the order.
        public var orderId: String?
        /// Identifies the cart.
        public var cartId: String?
        /// Identifies the coupon.
        public var couponId: String?
        /// The name of the coupon.
        public var couponName: String?
        /// Why it was denied.
        public var reason: String?

        /// A nil value is not sent.
        public init(
            orderId: String? = nil, cartId: String? = nil, couponId: String? = nil, couponName: String? = nil,
            reason: String? = nil
        ) {
            self.orderId = orderId
            self.cartId = cartId
            self.couponId = couponId
            self.couponName = couponName
            self.reason = reason
        }

        private enum CodingKeys: String, CodingKey {
            case reason
            case orderId = "order_id"
            case cartId = "cart_id"
            case couponId = "coupon_id"
            case couponName = "coupon_name"
        }
    }
}
