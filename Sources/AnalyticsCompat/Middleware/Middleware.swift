/// Continues with the next middleware; nil drops the context.
public typealias SEGMiddlewareNext = @Sendable (Context?) -> Void

/// Receives each call of a client, and passes it on, changes it or drops it.
///
/// ```swift
/// final class DropTests: Middleware {
///     func context(_ context: Context, next: @escaping SEGMiddlewareNext) {
///         if let track = context.payload as? TrackPayload, track.event.hasPrefix("Test") { return }
///         next(context)
///     }
/// }
/// ```
///
/// Middleware is called on the client's executor, one call after another and never on the main thread, so it needs no
/// locks. It may call `next` later and on any thread; the call then continues at that time. Middleware that does not
/// call `next` drops the call. A second call of `next` is ignored and reported.
public protocol Middleware: AnyObject {
    /// Handles a call, and calls `next` to pass it on.
    func context(_ context: Context, next: @escaping SEGMiddlewareNext)
}
