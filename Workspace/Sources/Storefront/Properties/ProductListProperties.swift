/// Products that were shown together, in a list or as the result of a search.
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
