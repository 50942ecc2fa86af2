/// Middleware of one destination: it sees and changes only the events of that destination.
///
/// A changed event type has no effect here and is reported; a call of `next` that comes late has none either.
public final class DestinationMiddleware {
    /// The destination's key in the settings.
    public let integrationKey: String
    /// The middleware, in order.
    public let middleware: [any Middleware]?

    /// Middleware of the destination with that key.
    public init(key: String, middleware: [any Middleware]) {
        integrationKey = key
        self.middleware = middleware
    }
}
