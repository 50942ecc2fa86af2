package import TributaryJSON

/// A plugin that runs other plugins in the timeline, such as the scripts of a bundle.
///
/// Its plugins of a type run after the native plugins of that type, also in the timelines of destinations.
package protocol PluginHost: Plugin {
    /// The version of the bundle for new events; nil while there is none. The timeline reads it once for each event.
    /// The event keeps this version to its end, also when another version replaces it meanwhile.
    var bundleVersion: (any BundleVersion)? { get }
}

/// One version of the plugins that a host runs. Only used on the client's executor.
package protocol BundleVersion: AnyObject {
    /// The name for the counters when a dropped event has no plugin to name.
    var name: String { get }
    /// The number under which the workspace deployed it; nil for one that came with the app.
    var deployedVersion: Int? { get }

    /// Runs the plugins that are registered for a place and a type of event.
    /// - Parameter destination: the key of the destination that has this timeline; nil for the client's timeline.
    /// - Returns: nil, without any cost, when there are no such plugins.
    func run(_ json: JSONObject, eventType: String, at type: PluginType, destination: String?) -> HostedResult?

    /// Whether a plugin is registered for that place of a destination's timeline.
    func stands(at type: PluginType, destination: String) -> Bool

    /// Keeps this version, because destinations have an event that it has processed and will need it again.
    func hold()
    /// Ends one `hold`, because the event no longer needs this version.
    func release()
}

/// The result of the plugins at one place.
package struct HostedResult: Sendable {
    /// The event that goes on; nil when a plugin dropped it.
    package let event: JSONObject?
    /// A step for each plugin that saw the event.
    package let steps: [HostedStep]

    package init(event: JSONObject?, steps: [HostedStep]) {
        self.event = event
        self.steps = steps
    }
}

/// Decides what each destination gets, before the destination's own timeline runs.
package protocol DestinationGate: Plugin {
    /// Decides on an event for a destination.
    func pass(json: JSONObject, destination: String) -> GateDecision
}

/// A gate's decision about one event and one destination.
package enum GateDecision: Sendable {
    /// The destination gets the event unchanged.
    case unchanged
    /// The destination gets a changed event. The names are those of the rules that changed it.
    case changed(JSONObject, by: [String])
    /// The destination does not get the event. The names are those of the rule that dropped it, and of the rules that
    /// had changed it before.
    case dropped(by: String, changedBy: [String])
}
