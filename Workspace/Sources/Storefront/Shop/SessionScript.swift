/// Turns a session into the calls of an app. It keeps track of cart, coupon and orders.
struct SessionScript {
    private struct Order {
        let items: [Cart.Item]
        let subtotal: Money
        let discount: Money
        let coupon: String?
    }

    private let session: Session
    private var cart = Cart()
    private var coupon: (code: String, discount: Money)?
    private var orders: [String: Order] = [:]
    private var made: [Call] = []

    init(_ session: Session) { self.session = session }

    /// The calls; the last one ends the visit. A step that makes no sense at its place is an error.
    func calls() throws(InputProblem) -> [Call] {
        var script = self
        for (index, step) in session.steps.enumerated() {
            do throws(InputProblem) {
                script.made.append(try script.call(step))
            } catch {
                throw InputProblem("\"steps\" element \(index + 1): \(error.reason)")
            }
        }
        return script.made + [.reset]
    }

    private mutating func call(_ step: Step) throws(InputProblem) -> Call {
        switch step {
        case .identify: try identify()
        case .group: try group()
        case .alias(let id): .alias(newId: id)
        case .screen(let title, let category): .screen(title: title, category: category)
        case .search(let query, let products):
            .track("Products Searched", ProductListProperties(query: query, products: shelf(products)))
        case .list(let id, let category, let products):
            .track(
                "Product List Viewed",
                ProductListProperties(listId: id, category: category, products: shelf(products)))
        case .view(let product): .track("Product Viewed", viewed(product))
        case .hover(let product): loose("Product Hovered", product)
        case .wish(let product): loose("Product Added to Wishlist", product, ["wishlist_id": "w-" + session.name])
        case .share(let product, let via): loose("Product Shared", product, ["share_via": via])
        case .review(let product, let rating): loose("Product Reviewed", product, ["rating": rating])
        case .heartbeat: .trackLoosely("Heartbeat", ["shop_open": true])
        case .ping: .trackLoosely("Debug Ping", ["internal": true, "session": session.name])
        default: try purchase(step)
        }
    }

    private mutating func purchase(_ step: Step) throws(InputProblem) -> Call {
        switch step {
        case .add(let product, let quantity): return add(product, quantity)
        case .remove(let product, let quantity): return try remove(product, quantity)
        case .cart: return .track("Cart Viewed", try cartProperties())
        case .coupon(let code, let discount): return try apply(code, discount)
        case .deny(let code, let reason):
            return .trackLoosely("Coupon Denied", ["coupon_name": code, "reason": reason, "cart_id": session.name])
        case .checkout: return .track("Checkout Started", try cartProperties())
        case .checkoutStep(let number, let shipping, let payment): return checkoutStep(number, shipping, payment)
        case .order(let id, let shipping, let tax, let note): return try order(id, shipping, tax, note)
        case .refund(let id, let products): return try refund(id, products)
        default: throw InputProblem("the step is not known here")
        }
    }

    // MARK: Who

    private func identify() throws(InputProblem) -> Call {
        guard let customer = session.customer else { throw InputProblem("the session has no \"customer\" to identify") }
        return .identify(
            userId: customer.id,
            traits: CustomerTraits(
                name: customer.name, email: customer.email, createdAt: customer.since,
                newsletter: customer.newsletter, locale: session.locale))
    }

    private func group() throws(InputProblem) -> Call {
        guard let company = session.company else { throw InputProblem("the session has no \"company\" to group by") }
        return .group(
            groupId: company.id,
            traits: ["name": company.name, "industry": company.industry, "employees": company.employees])
    }

    // MARK: Products

    private func viewed(_ index: Int) -> ProductProperties {
        let product = session.products[index]
        return ProductProperties(product: product, isMisnamed: product.isMisnamed)
    }

    private func shelf(_ indexes: [Int]) -> [ProductProperties] {
        indexes.enumerated().map { ProductProperties(product: session.products[$1], position: $0 + 1) }
    }

    private func pieces(_ items: [Cart.Item]) -> [ProductProperties] {
        items.map { ProductProperties(product: session.products[$0.product], quantity: $0.quantity) }
    }

    private func loose(_ name: String, _ index: Int, _ more: [String: Any] = [:]) -> Call {
        let product = session.products[index]
        let base: [String: Any] = ["product_id": product.id, "name": product.name, "category": product.category]
        return .trackLoosely(name, base.merging(more) { $1 })
    }

    // MARK: Cart

    private mutating func add(_ index: Int, _ quantity: Int) -> Call {
        cart.add(index, quantity: quantity)
        return .track("Product Added", ProductProperties(product: session.products[index], quantity: quantity))
    }

    private mutating func remove(_ index: Int, _ quantity: Int) throws(InputProblem) -> Call {
        guard cart.remove(index, quantity: quantity) else {
            throw InputProblem("there are not \(quantity) of product \(index) in the cart")
        }
        return .track("Product Removed", ProductProperties(product: session.products[index], quantity: quantity))
    }

    private func cartProperties() throws(InputProblem) -> CartProperties {
        guard !cart.isEmpty else { throw InputProblem("the cart is empty") }
        return CartProperties(
            cartId: session.name, value: cart.value(session.products, in: session.currency),
            currency: session.currency.code, products: pieces(cart.items))
    }

    private mutating func apply(_ code: String, _ discount: Money) throws(InputProblem) -> Call {
        guard discount.minorUnits <= cart.value(session.products, in: session.currency).minorUnits else {
            throw InputProblem("the discount is more than the cart is worth")
        }
        coupon = (code, discount)
        return .trackLoosely(
            "Coupon Applied",
            [
                "coupon_name": code, "discount": discount.decimal, "currency": session.currency.code,
                "cart_id": session.name,
            ])
    }

    // MARK: Orders

    private func checkoutStep(_ number: Int, _ shipping: String, _ payment: String?) -> Call {
        var properties: [String: Any] = ["checkout_id": session.name, "step": number, "shipping_method": shipping]
        properties["payment_method"] = payment
        return .trackLoosely("Checkout Step Completed", properties)
    }

    private mutating func order(
        _ id: String, _ shipping: Money, _ tax: Money, _ note: String?
    ) throws(InputProblem) -> Call {
        guard !cart.isEmpty else { throw InputProblem("the cart is empty") }
        guard orders[id] == nil else { throw InputProblem("there is an order \(id) already") }
        let order = Order(
            items: cart.items, subtotal: cart.value(session.products, in: session.currency),
            discount: coupon?.discount ?? Money(minorUnits: 0, currency: session.currency), coupon: coupon?.code)
        guard order.discount.minorUnits <= order.subtotal.minorUnits else {
            throw InputProblem("the discount is more than the order is worth")
        }
        orders[id] = order
        cart = Cart()
        coupon = nil
        return .track(
            "Order Completed",
            OrderProperties(
                orderId: id, subtotal: order.subtotal, discount: order.discount, shipping: shipping, tax: tax,
                coupon: order.coupon, currency: session.currency.code, products: pieces(order.items),
                internalNote: note))
    }

    private func refund(_ id: String, _ products: [Int]) throws(InputProblem) -> Call {
        guard let order = orders[id] else { throw InputProblem("there is no order \(id) to refund") }
        let items = order.items.filter { products.contains($0.product) }
        guard items.count == products.count else { throw InputProblem("order \(id) has not all of these products") }
        let zero = Money(minorUnits: 0, currency: session.currency)
        let value = items.reduce(zero) { $0 + session.products[$1.product].price * $1.quantity }
        return .track(
            "Order Refunded",
            OrderProperties(
                orderId: id, subtotal: value, discount: zero, shipping: zero, tax: zero, coupon: nil,
                currency: session.currency.code, products: pieces(items), internalNote: nil))
    }
}
