/// A plugin that decides whether calls that carry no event take effect.
package protocol CallGate: Plugin {
    /// Decides on a call, at once or later. On the executor, behind the events that were tracked before the call.
    /// - Parameter decided: to be called once, on any thread, with whether the call takes effect.
    func decide(_ call: GatedCall, _ decided: @escaping @Sendable (Bool) -> Void)
}

/// A call that a gate decides on.
package enum GatedCall: Sendable {
    /// A reset, with the user before it and after it.
    case reset(from: UserInfo, to: UserInfo)
    /// A flush.
    case flush
}

extension Analytics {
    /// Goes on with a call when the gate, if there is one, lets it pass. To be called on the executor, which then does
    /// the work, too.
    func pass(
        _ call: GatedCall, _ work: @escaping @Sendable () -> Void, otherwise: @escaping @Sendable () -> Void = {}
    ) {
        guard let gate = timeline.gate else { return work() }
        gate.decide(call) { [pipeline] isAllowed in
            pipeline.executor.performNow(isAllowed ? work : otherwise)
        }
    }
}

extension Timeline {
    /// The one that decides on calls.
    fileprivate var gate: (any CallGate)? { entries.lazy.compactMap { $0.plugin as? any CallGate }.first }
}
