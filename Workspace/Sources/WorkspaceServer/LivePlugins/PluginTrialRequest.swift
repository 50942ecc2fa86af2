public import TributaryJSON

/// What the server asks the process that tries a bundle.
public struct PluginTrialRequest: Sendable {
    /// The text of the bundle.
    public let source: String
    /// The events on which the bundle is run, in the order in which they are given to it.
    public let events: [JSON]

    /// The limits of the text of a request.
    public static let limits = JSONLimits(depth: Limits.depth + 2, bytes: 2 * Limits.trialBytes)

    init(source: String, events: [JSON]) {
        self.source = source
        self.events = events
    }

    /// Reads a request; nil when it has no source or no list of events.
    public init?(_ json: JSON) {
        guard let source = json["source"]?.stringValue, let events = json["events"]?.elements else { return nil }
        self.init(source: source, events: events)
    }

    var json: JSON { ["source": .string(source), "events": .array(events)] }
}
