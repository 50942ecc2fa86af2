public import Tributary

/// Gets each signal, and does with it what it likes.
///
/// Threading: one call at a time, on a queue of the broadcaster's own, so that one that takes long holds up nobody else.
/// Signals that it is too far behind for are left out and counted in a diagnostic. It is called only while the client may
/// collect: while consent is pending signals wait in front of it, and without consent there are none.
public protocol SignalBroadcaster {
    /// The client that the signals belong to; set before the first signal. Best declared `weak`.
    var analytics: Analytics? { get set }
    /// Called for each signal.
    func added(signal: any RawSignal)
    /// Called after `relayCount` signals and every `relayInterval` seconds: what was collected should go now.
    func relay()
    /// Called when the user refuses their consent: what was collected and has not gone yet must not go. Default: nothing.
    func forget()
}

extension SignalBroadcaster {
    /// Nothing: it keeps no signals.
    public func forget() {}
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
