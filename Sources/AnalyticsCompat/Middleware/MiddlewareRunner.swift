/// Runs contexts through a list of middleware, on the caller's thread.
///
/// Clients do this themselves. This type is for tests of middleware, and for middleware that is composed of other
/// middleware.
public final class MiddlewareRunner {
    /// The middleware, in order.
    public let middlewares: [any Middleware]

    /// A runner for that middleware.
    public init(middleware: [any Middleware]) { middlewares = middleware }

    /// Runs a context through the middleware.
    /// - Parameter callback: called at the end, with whether the context was dropped and the middleware that did not
    ///   see it.
    /// - Returns: the context of the last `next` that was called before its middleware returned. Without one, the
    ///   context that the middleware got.
    @discardableResult
    public func run(
        _ context: Context, callback: (@Sendable (_ earlyExit: Bool, _ remaining: [any Middleware]) -> Void)? = nil
    ) -> Context {
        guard let first = middlewares.first else {
            callback?(false, [])
            return context
        }
        let rest = Rest(middleware: Array(middlewares.dropFirst()))
        let result = LockBox<Context>(context)
        first.context(context) { next in
            guard rest.isFirst else { return }
            guard let next else { return callback?(true, rest.middleware) ?? () }
            let end = MiddlewareRunner(middleware: rest.middleware).run(next, callback: callback)
            result.withLock { $0 = end }
        }
        return result.withLock { $0 }
    }
}

/// The remaining middleware, which runs only once.
///
/// Unchecked because the list is constant, and only the first call of `next` calls its members.
private final class Rest: @unchecked Sendable {
    let middleware: [any Middleware]
    private let isAsked = LockBox(false)

    init(middleware: [any Middleware]) { self.middleware = middleware }

    var isFirst: Bool {
        !isAsked.exchange(true)
    }
}
