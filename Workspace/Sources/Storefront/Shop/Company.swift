/// The company that a customer buys for.
struct Company: Sendable, Equatable {
    let id: String
    let name: String
    let industry: String
    let employees: Int
}
