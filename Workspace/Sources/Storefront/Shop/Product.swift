/// A product of the shop.
struct Product: Sendable, Hashable {
    let id: String
    let name: String
    let category: String
    let price: Money
    /// Whether an old screen of the shop sends the id under the wrong name, `product_did`.
    let isMisnamed: Bool
}
