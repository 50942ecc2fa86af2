/// The events and members of the e-commerce specification (version 2), with their names on the wire.
///
/// ```swift
/// import Tributary
/// import TributaryCommerce
///
/// let soap = Ecommerce.Product(id: "p-1", name: "Soap", price: 4.5, quantity: 2)
/// analytics.track(Ecommerce.ProductAdded(product: soap, cartId: "c-1"))
/// analytics.track(Ecommerce.OrderCompleted(orderId: "o-1", total: 9, currency: "EUR", products: [soap]))
/// ```
///
/// All members are optional, but a product where an event is about one. For members that the specification does not
/// know, write an event of your own (`AnalyticsEvent`).
public enum Ecommerce {}
