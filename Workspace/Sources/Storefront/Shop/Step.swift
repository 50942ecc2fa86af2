/// One thing that happens in a session. Products are named by their place in the session's list.
enum Step: Sendable, Equatable {
    case identify
    case group
    case alias(to: String)
    case screen(title: String, category: String?)
    case search(query: String, products: [Int])
    case list(id: String, category: String, products: [Int])
    case hover(product: Int)
    case view(product: Int)
    case wish(product: Int)
    case share(product: Int, via: String)
    case review(product: Int, rating: Int)
    case add(product: Int, quantity: Int)
    case remove(product: Int, quantity: Int)
    case cart
    case coupon(code: String, discount: Money)
    case deny(code: String, reason: String)
    case checkout
    case checkoutStep(number: Int, shipping: String, payment: String?)
    case order(id: String, shipping: Money, tax: Money, note: String?)
    case refund(order: String, products: [Int])
    case heartbeat
    case ping
}
