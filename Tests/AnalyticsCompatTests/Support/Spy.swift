import AnalyticsCompat
import TestSupport

/// Middleware that notes what it sees, and does what a test says.
///
/// Unchecked because the notes are behind the lock and the rest is constant.
final class Spy: Middleware, @unchecked Sendable {
    private let notes = LockBox<[Context]>([])
    private let body: (Context, @escaping SEGMiddlewareNext) -> Void

    init(_ body: @escaping (Context, @escaping SEGMiddlewareNext) -> Void = { context, next in next(context) }) {
        self.body = body
    }

    /// Copies of what it was given, in order.
    var seen: [Context] { notes.withLock { $0 } }
    var types: [EventType] { seen.map(\.eventType) }
    var names: [String] { seen.compactMap { ($0.payload as? TrackPayload)?.event } }

    func context(_ context: Context, next: @escaping SEGMiddlewareNext) {
        notes.withLock { $0.append(context.copy()) }
        body(context, next)
    }
}
