/// The properties of one product.
struct ProductProperties: Encodable {
    let product: Product
    var quantity: Int?
    var position: Int?
    /// Whether the id has the wrong name that the old product screen uses.
    var isMisnamed = false

    private enum CodingKeys: String, CodingKey {
        case id = "product_id"
        case misnamedId = "product_did"
        case name, category, price, currency, quantity, position
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(product.id, forKey: isMisnamed ? .misnamedId : .id)
        try container.encode(product.name, forKey: .name)
        try container.encode(product.category, forKey: .category)
        try container.encode(product.price, forKey: .price)
        try container.encode(product.price.currency.code, forKey: .currency)
        try container.encodeIfPresent(quantity, forKey: .quantity)
        try container.encodeIfPresent(position, forKey: .position)
    }
}
