import TributaryJSON

extension Session {
    /// Most products and steps of one session; a visit that is longer is a mistake in the file.
    private static let largestCount = 1000

    /// Reads a line of a sessions file.
    init(json: JSON) throws(InputProblem) {
        let object = try Members(json, of: "a session")
        name = try object.text("session")
        locale = try object.text("locale")
        let code = try object.text("currency")
        guard let currency = Currency(code) else { throw InputProblem("\"currency\" is no code of ISO 4217: \(code)") }
        self.currency = currency
        customer = try object.members("customer").map(Customer.init)
        company = try object.members("company").map(Company.init)
        products = try object.list("products", limit: Self.largestCount) { value throws(InputProblem) in
            try Product(Members(value, of: "a product"), currency: currency)
        }
        let count = products.count
        steps = try object.list("steps", limit: Self.largestCount) { value throws(InputProblem) in
            try Step(StepMembers(value, currency: currency, products: count))
        }
    }
}

extension Customer {
    init(_ object: Members) throws(InputProblem) {
        id = try object.text("id")
        name = try object.text("name")
        email = try object.text("email")
        since = try object.textIfPresent("since")
        newsletter = try object.flagIfPresent("newsletter")
    }
}

extension Company {
    init(_ object: Members) throws(InputProblem) {
        id = try object.text("id")
        name = try object.text("name")
        industry = try object.text("industry")
        employees = try object.count("employees", in: 1...1_000_000)
    }
}

extension Product {
    init(_ object: Members, currency: Currency) throws(InputProblem) {
        id = try object.text("id")
        name = try object.text("name")
        category = try object.text("category")
        price = try object.money("price", in: currency)
        isMisnamed = try object.flagIfPresent("misnamed") ?? false
    }
}

extension Step {
    /// Reads a step by its `do`.
    init(_ step: StepMembers) throws(InputProblem) {
        let name = try step.members.text("do")
        if let visit = try Self.visit(name, step) {
            self = visit
        } else if let browsing = try Self.browsing(name, step) {
            self = browsing
        } else if let buying = try Self.buying(name, step) {
            self = buying
        } else {
            throw InputProblem("there is no step \"\(name)\"")
        }
    }

    private static func visit(_ name: String, _ step: StepMembers) throws(InputProblem) -> Step? {
        switch name {
        case "identify": .identify
        case "group": .group
        case "alias": .alias(to: try step.members.text("to"))
        case "screen":
            .screen(title: try step.members.text("title"), category: try step.members.textIfPresent("category"))
        case "heartbeat": .heartbeat
        case "ping": .ping
        default: nil
        }
    }

    private static func browsing(_ name: String, _ step: StepMembers) throws(InputProblem) -> Step? {
        switch name {
        case "search": .search(query: try step.members.text("query"), products: try step.products())
        case "list":
            .list(
                id: try step.members.text("list"), category: try step.members.text("category"),
                products: try step.products())
        case "hover": .hover(product: try step.product())
        case "view": .view(product: try step.product())
        case "wish": .wish(product: try step.product())
        case "share": .share(product: try step.product(), via: try step.members.text("via"))
        case "review": .review(product: try step.product(), rating: try step.members.count("rating", in: 1...5))
        default: nil
        }
    }

    private static func buying(_ name: String, _ step: StepMembers) throws(InputProblem) -> Step? {
        let members = step.members
        return switch name {
        case "add": .add(product: try step.product(), quantity: try step.quantity())
        case "remove": .remove(product: try step.product(), quantity: try step.quantity())
        case "cart": .cart
        case "coupon": .coupon(code: try members.text("code"), discount: try step.money("discount"))
        case "deny": .deny(code: try members.text("code"), reason: try members.text("reason"))
        case "checkout": .checkout
        case "step":
            .checkoutStep(
                number: try members.count("number", in: 1...9), shipping: try members.text("shipping"),
                payment: try members.textIfPresent("payment"))
        case "order":
            .order(
                id: try members.text("order"), shipping: try step.money("shipping"), tax: try step.money("tax"),
                note: try members.textIfPresent("note"))
        case "refund": .refund(order: try members.text("order"), products: try step.products())
        default: nil
        }
    }
}
