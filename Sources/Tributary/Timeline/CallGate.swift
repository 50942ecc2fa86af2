/// A plugin that decides whether calls without an event take effect.
package protocol CallGate: Plugin {
    /// Decides on a call, at once or later. Called on the executor, after the events that were tracked before the call.
    /// - Parameter decided: the plugin calls it once, on any thread, with whether the call takes effect.
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
    /// Continues a call when the gate allows it, or when there is no gate. Call it on the executor; the work runs
    /// there, too.
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
    /// The plugin that decides on calls.
    fileprivate var gate: (any CallGate)? { entries.lazy.compactMap { $0.plugin as? any CallGate }.first }
}
