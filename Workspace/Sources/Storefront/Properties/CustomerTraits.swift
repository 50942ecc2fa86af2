/// The traits of a customer.
struct CustomerTraits: Encodable {
    let name: String
    let email: String
    let createdAt: String?
    let newsletter: Bool?
    let locale: String
}
