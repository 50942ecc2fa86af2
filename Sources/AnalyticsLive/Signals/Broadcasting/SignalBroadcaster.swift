public import Tributary

/// Gets each signal, and does with it what it likes.
///
/// Threading: one call at a time, on a queue of the broadcaster's own, so that one that takes long holds up nobody else.
/// Signals that it is too far behind for are left out and counted in a diagnostic.
public protocol SignalBroadcaster {
    /// The client that the signals belong to; set before the first signal. Best declared `weak`.
    var analytics: Analytics? { get set }
    /// Called for each signal.
    func added(signal: any RawSignal)
    /// Called after `relayCount` signals and every `relayInterval` seconds: what was collected should go now.
    func relay()
}

/// Gets each signal as a dictionary, as it goes on the wire.
public protocol SignalJSONBroadcaster: SignalBroadcaster {
    /// Called for each signal, after the typed form.
    func added(signal: [String: Any])
}

extension SignalJSONBroadcaster {
    /// Nothing: a broadcaster of dictionaries needs no typed signals.
    public func added(signal: any RawSignal) {}
}
