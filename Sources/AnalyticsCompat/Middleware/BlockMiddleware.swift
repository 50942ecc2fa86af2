/// The closure of a `BlockMiddleware`.
public typealias SEGMiddlewareBlock = @Sendable (_ context: Context, _ next: @escaping SEGMiddlewareNext) -> Void

/// A closure as middleware.
///
/// ```swift
/// let dropDebugEvents = BlockMiddleware { context, next in
///     if let track = context.payload as? TrackPayload, track.event.hasPrefix("Debug") { return }
///     next(context)
/// }
/// ```
public final class BlockMiddleware: Middleware, Sendable {
    /// The closure.
    public let block: SEGMiddlewareBlock

    /// Middleware that calls the closure.
    public init(block: @escaping SEGMiddlewareBlock) { self.block = block }

    public func context(_ context: Context, next: @escaping SEGMiddlewareNext) { block(context, next) }
}
