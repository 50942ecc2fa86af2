/// An order that was paid or refunded.
struct OrderProperties: Encodable {
    let orderId: String
    let subtotal: Money
    let discount: Money
    let shipping: Money
    let tax: Money
    let coupon: String?
    let currency: String
    let products: [ProductProperties]
    /// For the people in the warehouse; it is not meant to leave the shop.
    let internalNote: String?

    var revenue: Money { subtotal - discount }
    var total: Money { revenue + shipping }

    private enum CodingKeys: String, CodingKey {
        case orderId = "order_id"
        case subtotal, discount, revenue, shipping, tax, total, coupon, currency, products
        case internalNote = "internal_note"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(orderId, forKey: .orderId)
        try container.encode(subtotal, forKey: .subtotal)
        try container.encode(discount, forKey: .discount)
        try container.encode(revenue, forKey: .revenue)
        try container.encode(shipping, forKey: .shipping)
        try container.encode(tax, forKey: .tax)
        try container.encode(total, forKey: .total)
        try container.encodeIfPresent(coupon, forKey: .coupon)
        try container.encode(currency, forKey: .currency)
        try container.encode(products, forKey: .products)
        try container.encodeIfPresent(internalNote, forKey: .internalNote)
    }
}
