public import Tributary

extension Ecommerce {
    /// The user chose a product.
    public struct ProductClicked: AnalyticsEvent, Sendable {
        public static let name = "Product Clicked"

        /// The product; its members stand beside those of the event.
        public var product: Product

        /// A nil value is not sent.
        public init(product: Product) {
            self.product = product
        }

        /// Writes the members of the product beside those of the event.
        public func encode(to encoder: any Encoder) throws {
            try product.encode(to: encoder)
        }
    }
}
