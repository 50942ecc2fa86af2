/// Whether the user allows the app to collect data.
///
/// ```swift
/// let configuration = Configuration(writeKey: "KEY").consent(.pending)  // until the user decides
/// let client = Analytics(configuration: configuration)
/// client.setConsent(.granted, categories: ["Advertising": false])
/// ```
public enum ConsentState: String, Sendable, CaseIterable {
    /// The user allows it: events are processed and sent.
    case granted
    /// The user refused: nothing is collected.
    case denied
    /// The user has not decided: events wait on the device, and no plugin, destination, script or server gets them.
    case pending
}
