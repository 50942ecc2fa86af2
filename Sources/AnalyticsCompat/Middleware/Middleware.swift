/// Goes on with the next middleware; nil drops what the context holds.
public typealias SEGMiddlewareNext = @Sendable (Context?) -> Void

/// Sees each call of a client, and lets it pass, changes it or drops it.
///
/// Middleware is called on the client's executor, one call after another and never on the main thread, so it needs no
/// locks. `next` may be called later and on any thread: the call then goes on when it comes. Not calling it drops; a
/// second call of it is ignored and reported.
public protocol Middleware: AnyObject {
    /// Deals with a call, and says by `next` how it goes on.
    func context(_ context: Context, next: @escaping SEGMiddlewareNext)
}
