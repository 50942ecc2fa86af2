extension Ecommerce {
    /// A product, as events know it.
    public struct Product: Encodable, Sendable, Equatable {
        /// Identifies the product in the shop.
        public var id: String?
        /// Identifies the product for people; may be the same.
        public var sku: String?
        /// The category of the product.
        public var category: String?
        /// The name of the product.
        public var name: String?
        /// The brand of the product.
        public var brand: String?
        /// The variant of the product, such as its colour.
        public var variant: String?
        /// The price of one.
        public var price: Double?
        /// How many of them.
        public var quantity: Int?
        /// The coupon for this product.
        public var coupon: String?
        /// The place of the product in its list, from 1.
        public var position: Int?
        /// The address of its page.
        public var url: String?
        /// The address of its picture.
        public var imageURL: String?

        /// A nil value is not sent.
        public init(
            id: String? = nil, sku: String? = nil, category: String? = nil, name: String? = nil,
            brand: String? = nil, variant: String? = nil, price: Double? = nil, quantity: Int? = nil,
            coupon: String? = nil, position: Int? = nil, url: String? = nil, imageURL: String? = nil
        ) {
            self.id = id
            self.sku = sku
            self.category = category
            self.name = name
            self.brand = brand
            self.variant = variant
            self.price = price
            self.quantity = quantity
            self.coupon = coupon
            self.position = position
            self.url = url
            self.imageURL = imageURL
        }

        private enum CodingKeys: String, CodingKey {
            case sku, category, name, brand, variant, price, quantity, coupon, position, url
            case id = "product_id"
            case imageURL = "image_url"
        }
    }
}
