import TributaryJSON

/// A signal of `AnalyticsLive`, as the inspector shows it: after the app's rules of privacy, as scripts get it.
public struct InspectedSignal: Sendable, Equatable, Identifiable {
    /// The number of the signal since the inspector was made, from 1.
    public let id: Int
    /// The kind of signal, such as `navigation` or `interaction`.
    public let type: String
    /// The time, as the signal has it.
    public let timestamp: String
    /// The data as JSON text, at most `InspectorLimits.letters` characters.
    public let data: String

    init(_ signal: JSON, number: Int) {
        id = number
        type = InspectorLimits.shortened(signal["type"]?.stringValue ?? "unknown")
        timestamp = InspectorLimits.shortened(signal["timestamp"]?.stringValue ?? "")
        data = InspectorLimits.shortened(signal["data"].map { $0.toString() } ?? "")
    }
}
