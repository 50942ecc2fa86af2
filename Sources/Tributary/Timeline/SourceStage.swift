package import TributaryJSON

/// A plugin of type `before` that sees events of all types as JSON. It may turn an event into one of another type,
/// which then goes on as that type.
package protocol SourceStage: Plugin {
    /// Decides on an event. On the executor.
    func route(_ event: JSONObject) -> RoutedEvent
}

/// The decision of a source stage about an event.
package enum RoutedEvent: Sendable {
    /// The event goes on in this form.
    case passed(JSONObject)
    /// The event goes no further.
    case dropped(by: String)
    /// The stage will decide later, with this value.
    case kept(PendingDecision)
}
