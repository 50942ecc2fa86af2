public import Tributary

extension Ecommerce {
    /// The user said how to pay.
    public struct PaymentInfoEntered: AnalyticsEvent, Sendable {
        public static let name = "Payment Info Entered"

        /// Identifies the checkout.
        public var checkoutId: String?
        /// Identifies the order.
        public var orderId: String?
        /// The number of the step.
        public var step: Int?
        /// The way of shipping that was chosen.
        public var shippingMethod: String?
        /// The way of paying that was chosen.
        public var paymentMethod: String?

        /// A nil value is not sent.
        public init(
            checkoutId: String? = nil, orderId: String? = nil, step: Int? = nil, shippingMethod: String? = nil,
            paymentMethod: String? = nil
        ) {
            self.checkoutId = checkoutId
            self.orderId = orderId
            self.step = step
            self.shippingMethod = shippingMethod
            self.paymentMethod = paymentMethod
        }

        private enum CodingKeys: String, CodingKey {
            case step
            case checkoutId = "checkout_id"
            case orderId = "order_id"
            case shippingMethod = "shipping_method"
            case paymentMethod = "payment_method"
        }
    }
}
