/// Middleware of one destination. It sees and changes only the events of that destination.
///
/// A changed event type has no effect here and is reported, and so is a late call of `next`.
public final class DestinationMiddleware {
    /// The destination's key in the settings.
    public let integrationKey: String
    /// The middleware, in order.
    public let middleware: [any Middleware]?

    /// Middleware for the destination with that key.
    public init(key: String, middleware: [any Middleware]) {
        integrationKey = key
        self.middleware = middleware
    }
}
