/// Decides when waiting events are to be delivered.
///
/// After each event the client calls `updateState(event:)` and then `shouldFlush()`; when that is true, events are
/// delivered as by `Analytics.flush()`, and `reset()` is called. All three are called one after another on a queue that
/// the policy has for itself, in the order of the events, so a policy needs no locks, and a slow one holds up neither
/// calls nor delivery. One that falls too far behind is not shown every event, which is told once.
///
/// A policy may as well call `analytics.flush()` whenever it likes.
public protocol FlushPolicy: AnyObject {
    /// The client; to be held weakly.
    var analytics: Analytics? { get set }
    /// Called once, on the thread that adds the policy, before anything else.
    func configure(analytics: Analytics)
    /// Whether events are to be delivered now.
    func shouldFlush() -> Bool
    /// An event has gone through the timeline.
    func updateState(event: any RawEvent)
    /// Delivery was asked for because of this policy.
    func reset()
}

extension FlushPolicy {
    public func configure(analytics: Analytics) { self.analytics = analytics }
}

/// A policy of the library: quick, safe from any thread, and asked once for many events.
protocol CountedFlushPolicy: FlushPolicy, Sendable {
    /// Events have gone through the timeline; returns whether to deliver now. If so, the policy starts over.
    func isDue(after events: Int) -> Bool
}
