public import Tributary

/// Receives each signal.
///
/// ```swift
/// final class ScreenCounter: SignalBroadcaster {
///     weak var analytics: Analytics?
///     private var screens: Set<String> = []
///
///     func added(signal: any RawSignal) {
///         if let navigation = signal as? NavigationSignal { screens.insert(navigation.data.screen) }
///     }
///
///     func relay() { analytics?.track(name: "Screens Seen", properties: ["count": screens.count]) }
/// }
/// ```
///
/// Threading: one call at a time, on a queue of the broadcaster's own, so a slow broadcaster does not delay others.
/// When a broadcaster is too slow, signals are left out and a diagnostic counts them. A broadcaster is called only
/// while the client may collect: while consent is pending, signals wait; without consent there are none.
public protocol SignalBroadcaster {
    /// The client that the signals belong to; set before the first signal. Best declared `weak`.
    var analytics: Analytics? { get set }
    /// Called for each signal.
    func added(signal: any RawSignal)
    /// Called after `relayCount` signals and every `relayInterval` seconds: the broadcaster should send now what it has
    /// collected.
    func relay()
    /// Called when the user refuses consent: the broadcaster must not send what it has collected. Default: does
    /// nothing.
    func forget()
}

extension SignalBroadcaster {
    /// Does nothing, because this broadcaster keeps no signals.
    public func forget() {}
}

/// Gets each signal as a dictionary, as it goes on the wire.
public protocol SignalJSONBroadcaster: SignalBroadcaster {
    /// Called for each signal, after the typed form.
    func added(signal: [String: Any])
}

extension SignalJSONBroadcaster {
    /// Does nothing, because a broadcaster of dictionaries needs no typed signals.
    public func added(signal: any RawSignal) {}
}
