import Hummingbird
import Tributary

/// The shop's addresses. One client serves all users, so each event names its user.
struct Shop: Sendable {
    let analytics: Analytics

    func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.get("products/:id") { request, context in
            let id = try context.parameters.require("id")
            tell("Product Viewed", ["product_id": .string(id)], of: request)
            return "a product called \(id)\n"
        }
        router.post("orders") { request, context in
            let order = try await request.decode(as: Order.self, context: context)
            guard order.total >= 0 else { throw HTTPError(.badRequest, message: "an order costs something") }
            tell("Order Completed", ["total": try JSON(order.total), "currency": .string(order.currency)], of: request)
            return HTTPResponse.Status.created
        }
        return router
    }

    /// Events of a server have their user's id instead of the client's own.
    private func tell(_ name: String, _ properties: JSON, of request: Request) {
        guard let user = request.uri.queryParameters["user"] else { return }
        var event = TrackEvent(event: name, properties: properties)
        event.userId = String(user)
        analytics.process(event: event)
    }
}

/// The order of a user.
struct Order: Decodable {
    var total: Double
    var currency: String
}
