/// Decides when waiting events are to be delivered.
///
/// After each event the client calls `updateState(event:)` and then `shouldFlush()`. When that returns true, the client
/// delivers as with `Analytics.flush()`, and calls `reset()`. It makes these calls one after another, in the order of
/// the events, on a queue that the policy has for itself. So a policy needs no locks, and a slow policy holds up
/// neither calls nor delivery. A policy that falls too far behind misses events, which a diagnostic reports once.
///
/// A policy may also call `analytics.flush()` at any time.
///
/// ```swift
/// /// Delivers after each completed order.
/// final class OrderPolicy: FlushPolicy {
///     weak var analytics: Analytics?
///     private var isOrdered = false
///
///     func configure(analytics: Analytics) { self.analytics = analytics }
///     func updateState(event: any RawEvent) {
///         if let track = event as? TrackEvent, track.event == "Order Completed" { isOrdered = true }
///     }
///     func shouldFlush() -> Bool { isOrdered }
///     func reset() { isOrdered = false }
/// }
///
/// analytics.add(flushPolicy: OrderPolicy())
/// ```
public protocol FlushPolicy: AnyObject {
    /// The client. Hold it weakly.
    var analytics: Analytics? { get set }
    /// Called once, before all other calls, on the thread that adds the policy.
    func configure(analytics: Analytics)
    /// Whether to deliver now.
    func shouldFlush() -> Bool
    /// Called after an event has gone through the timeline.
    func updateState(event: any RawEvent)
    /// Called when this policy has started a delivery.
    func reset()
}

extension FlushPolicy {
    public func configure(analytics: Analytics) { self.analytics = analytics }
}

/// A policy of the library: fast, safe from any thread, and called once for many events.
protocol CountedFlushPolicy: FlushPolicy, Sendable {
    /// Counts events that have gone through the timeline, and returns whether to deliver now. If so, the policy starts
    /// again.
    func isDue(after events: Int) -> Bool
}
