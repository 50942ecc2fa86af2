/// Products that were shown together, as a shelf or as what a search found.
struct ProductListProperties: Encodable {
    var listId: String?
    var category: String?
    var query: String?
    let products: [ProductProperties]

    private enum CodingKeys: String, CodingKey {
        case listId = "list_id"
        case category, query, products
    }
}
