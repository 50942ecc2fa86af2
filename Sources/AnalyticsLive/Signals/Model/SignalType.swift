/// The kinds of signals.
public enum SignalType: String, Codable, Hashable, Sendable, CaseIterable {
    /// The user did something with a component: `InteractionSignal`.
    case interaction
    /// The user went to another screen: `NavigationSignal`.
    case navigation
    /// A request or its response: `NetworkSignal`.
    case network
    /// Data of the app was read or written: `LocalDataSignal`.
    case localData
    /// The app tracked an event: `InstrumentationSignal`.
    case instrumentation
    /// A type of the app.
    case userDefined
}
