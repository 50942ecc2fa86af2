/// The products that a visitor wants to buy, in the order in which they were added.
struct Cart: Sendable, Equatable {
    /// Some pieces of one product.
    struct Item: Sendable, Equatable {
        let product: Int
        var quantity: Int
    }

    private(set) var items: [Item] = []

    var isEmpty: Bool { items.isEmpty }

    mutating func add(_ product: Int, quantity: Int) {
        if let index = items.firstIndex(where: { $0.product == product }) {
            items[index].quantity += quantity
        } else {
            items.append(Item(product: product, quantity: quantity))
        }
    }

    /// Returns false and changes nothing when the cart has fewer pieces.
    mutating func remove(_ product: Int, quantity: Int) -> Bool {
        guard let index = items.firstIndex(where: { $0.product == product }), items[index].quantity >= quantity
        else { return false }
        items[index].quantity -= quantity
        if items[index].quantity == 0 { items.remove(at: index) }
        return true
    }

    func value(_ products: [Product], in currency: Currency) -> Money {
        items.reduce(Money(minorUnits: 0, currency: currency)) { $0 + products[$1.product].price * $1.quantity }
    }
}
