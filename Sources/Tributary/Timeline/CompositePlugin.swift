package import TributaryJSON

/// A plugin that stands for several others, such as all scripts of one stage, and says what each of them did.
package protocol CompositePlugin: Plugin {
    /// Whether any of them wants events of that type; when not, the event passes at no cost.
    func handles(eventType: String) -> Bool
    /// Runs all of them; the event to go on with, or nil when one dropped it, and one step for each.
    func execute(json: JSONObject) -> (event: JSONObject?, steps: [CompositeStep])
}

/// What one of the plugins behind a composite did to an event.
package struct CompositeStep: Sendable {
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
    /// The event in another form, and which rules did it.
    case changed(JSONObject, note: String?)
    /// Not for this destination, and which rule says so.
    case dropped(note: String?)
}
