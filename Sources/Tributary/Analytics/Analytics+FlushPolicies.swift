public import Foundation

extension Analytics {
    /// The flush policies, in the order in which they were added.
    public var flushPolicies: [any FlushPolicy] { flushing.all }

    /// Adds a policy. The client configures it at once on this thread; then it sees events. The count of a
    /// `CountBasedFlushPolicy` applies to all policies of this type, as if `flushAt` were set. The same holds for the
    /// interval.
    public func add(flushPolicy: any FlushPolicy) {
        flushPolicy.configure(analytics: self)
        let others = flushPolicies.filter { $0 !== flushPolicy }
        flushing.add(flushPolicy) { [weak self] in self?.deliver() }
        if let policy = flushPolicy as? CountBasedFlushPolicy {
            let count = policy.named ?? others.lazy.compactMap { ($0 as? CountBasedFlushPolicy)?.desiredCount }.first
            flushAt = count ?? values.flushAt
        } else if let policy = flushPolicy as? IntervalBasedFlushPolicy {
            let known = others.lazy.compactMap { ($0 as? IntervalBasedFlushPolicy)?.desiredInterval }.first
            flushInterval = policy.named ?? known ?? values.flushInterval
        }
    }

    /// Removes a policy. At most the event that it sees right now still reaches it.
    public func remove(flushPolicy: any FlushPolicy) { flushing.remove { $0 === flushPolicy } }

    /// Removes all policies of that type.
    public func remove<Policy: FlushPolicy>(flushPolicy: Policy.Type) { flushing.remove { $0 is Policy } }

    /// Removes all policies. Afterwards only `flush()` and the next start deliver events.
    public func removeAllFlushPolicies() { flushing.remove { _ in true } }

    /// The first policy of that type.
    public func find<Policy: FlushPolicy>(flushPolicy: Policy.Type) -> Policy? {
        flushing.all.lazy.compactMap { $0 as? Policy }.first
    }

    /// The number of events that starts a delivery; 0 when no policy counts events. Setting it changes every counting
    /// policy, and adds one if there is none.
    public var flushAt: Int {
        get { find(flushPolicy: CountBasedFlushPolicy.self)?.desiredCount ?? 0 }
        set {
            let policies = flushPolicies.compactMap { $0 as? CountBasedFlushPolicy }
            guard !policies.isEmpty else { return add(flushPolicy: CountBasedFlushPolicy(count: newValue)) }
            for policy in policies { policy.desiredCount = newValue }
        }
    }

    /// Seconds after which waiting events are delivered; 0 when no policy has an interval. Setting it changes every
    /// policy with an interval, and adds one if there is none.
    public var flushInterval: TimeInterval {
        get { find(flushPolicy: IntervalBasedFlushPolicy.self)?.desiredInterval ?? 0 }
        set {
            let policies = flushPolicies.compactMap { $0 as? IntervalBasedFlushPolicy }
            guard !policies.isEmpty else { return add(flushPolicy: IntervalBasedFlushPolicy(interval: newValue)) }
            for policy in policies where policy.desiredInterval != newValue { policy.desiredInterval = newValue }
        }
    }

    /// Sends the processed events, and flushes destinations. For flush policies.
    func deliver() { pipeline.executor.perform { [weak self] in self?.deliverOnExecutor() } }

    /// As `deliver()`, for a caller on the executor.
    func deliverOnExecutor() {
        flushing.delivered()
        pipeline.commit()
        visitEventPlugins { $0.flush() }
        for eventQueue in [eventQueue] + adoption.queues { eventQueue.uploader.demand() }
    }

    /// The policies that the configuration names.
    func addConfiguredFlushPolicies() {
        let configured = values.flushPolicies?.map(\.value)
        let standard: [any FlushPolicy] = [
            CountBasedFlushPolicy(count: values.flushAt), IntervalBasedFlushPolicy(interval: values.flushInterval),
        ]
        for policy in configured ?? standard { add(flushPolicy: policy) }
    }
}
