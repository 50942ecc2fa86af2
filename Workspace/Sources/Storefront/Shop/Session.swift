/// One visit to the shop.
struct Session: Sendable, Equatable {
    let name: String
    let locale: String
    let currency: Currency
    let customer: Customer?
    let company: Company?
    let products: [Product]
    let steps: [Step]
}
