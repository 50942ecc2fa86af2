/// The content of a cart.
struct CartProperties: Encodable {
    let cartId: String
    let value: Money
    let currency: String
    let products: [ProductProperties]

    private enum CodingKeys: String, CodingKey {
        case cartId = "cart_id"
        case value, currency, products
    }
}
