package import TributaryJSON

/// A plugin that stands for many others, such as the scripts of a bundle, in any place of the timeline.
///
/// Its plugins of a type run after the native plugins of that type, also in the timelines of destinations.
package protocol PluginHost: Plugin {
    /// What runs its plugins from now on; nil while there are none. Asked once for each event, which it then takes along
    /// to its end: after a destination that took long, the plugins are those that began with the event.
    var bundleVersion: (any BundleVersion)? { get }
}

/// The plugins behind a host at one moment. Only used on the client's executor.
package protocol BundleVersion: AnyObject {
    /// Who is named when an event is dropped and no plugin is.
    var name: String { get }

    /// Runs all of its plugins that stand there and want such events.
    /// - Parameter destination: the key of the destination in whose timeline this is; nil for the client's own.
    /// - Returns: nil, at no cost, when there are none.
    func run(_ json: JSONObject, eventType: String, at type: PluginType, destination: String?) -> HostedResult?

    /// Whether any of its plugins stands in that place of a destination's timeline.
    func stands(at type: PluginType, destination: String) -> Bool

    /// An event that it has seen is with destinations and comes back.
    func hold()
    /// An event for which it was held has come back for the last time.
    func release()
}

/// What the plugins of one place did to an event.
package struct HostedResult: Sendable {
    /// The event to go on with; nil when one of them dropped it.
    package let event: JSONObject?
    /// One step for each of them that saw the event.
    package let steps: [HostedStep]

    package init(event: JSONObject?, steps: [HostedStep]) {
        self.event = event
        self.steps = steps
    }
}

/// What one of the plugins behind a host did to an event.
package struct HostedStep: Sendable {
    /// The plugin's own name.
    package let plugin: String
    /// What became of the event.
    package let outcome: StageOutcome
    /// Anything to say besides, such as an error with its line.
    package let note: String?

    package init(plugin: String, outcome: StageOutcome, note: String? = nil) {
        self.plugin = plugin
        self.outcome = outcome
        self.note = note
    }
}

/// Decides for each destination what it may see, before the destination's own timeline runs.
package protocol DestinationGate: Plugin {
    /// The event that the destination may see, or nil for none.
    func pass(json: JSONObject, destination: String) -> GateDecision
}

/// What a gate says of one event and one destination.
package enum GateDecision: Sendable {
    /// The event as it is.
    case unchanged
    /// The event in another form, and the names of the rules that did it.
    case changed(JSONObject, by: [String])
    /// Not for this destination, the name of the rule that says so, and of those that had changed the event before.
    case dropped(by: String, changedBy: [String])
}
