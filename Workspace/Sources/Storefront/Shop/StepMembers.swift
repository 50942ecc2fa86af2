import TributaryJSON

/// The members of a step, with what the session says of currency and products.
struct StepMembers {
    private static let largestQuantity = 1000

    let members: Members
    private let currency: Currency
    private let productCount: Int

    init(_ json: JSON, currency: Currency, products: Int) throws(InputProblem) {
        members = try Members(json, of: "a step")
        self.currency = currency
        productCount = products
    }

    func product() throws(InputProblem) -> Int { try members.count("product", in: 0...(productCount - 1)) }

    func quantity() throws(InputProblem) -> Int { try members.count("quantity", in: 1...Self.largestQuantity) }

    func money(_ key: String) throws(InputProblem) -> Money { try members.money(key, in: currency) }

    func products() throws(InputProblem) -> [Int] {
        let range = 0..<productCount
        return try members.list("products", limit: productCount) { value throws(InputProblem) in
            guard let index = value.intValue, range.contains(index) else {
                throw InputProblem("a product is a number from 0 to \(range.upperBound - 1)")
            }
            return index
        }
    }
}
