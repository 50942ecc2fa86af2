package import TributaryJSON

/// A plugin that runs other plugins, such as the scripts of a bundle, at any place of the timeline.
///
/// Its plugins of a type run after the native plugins of that type, also in the timelines of destinations.
package protocol PluginHost: Plugin {
    /// The version of the bundle that processes new events; nil while there is none. The timeline asks once for each event.
    /// The event keeps this version to its end, also when another version replaces it meanwhile.
    var bundleVersion: (any BundleVersion)? { get }
}

/// One version of the plugins that a host runs. Only used on the client's executor.
package protocol BundleVersion: AnyObject {
    /// The name for the counters when an event is dropped and no plugin can be named.
    var name: String { get }

    /// Runs those of its plugins that are registered for this place and this type of event.
    /// - Parameter destination: the key of the destination in whose timeline this is; nil for the client's own.
    /// - Returns: nil, at no cost, when there are none.
    func run(_ json: JSONObject, eventType: String, at type: PluginType, destination: String?) -> HostedResult?

    /// Whether any of its plugins is registered for that place of a destination's timeline.
    func stands(at type: PluginType, destination: String) -> Bool

    /// Keeps this version: an event that it has processed is now with destinations, and will need it again.
    func hold()
    /// Ends one `hold`: the event needs this version no more.
    func release()
}

/// The result of the plugins of one place.
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

/// Decides for each destination what it may see, before the destination's own timeline runs.
package protocol DestinationGate: Plugin {
    /// The event that the destination may see, or nil for none.
    func pass(json: JSONObject, destination: String) -> GateDecision
}

/// A gate's decision about one event and one destination.
package enum GateDecision: Sendable {
    /// The event as it is.
    case unchanged
    /// The event in another form, and the names of the rules that did it.
    case changed(JSONObject, by: [String])
    /// Not for this destination, the name of the rule that says so, and of those that had changed the event before.
    case dropped(by: String, changedBy: [String])
}
