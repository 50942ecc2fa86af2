package import TributaryJSON

/// A plugin of type `before` that sees events of all types in one form, and may make one into an event of another type,
/// which then goes on as such.
package protocol SourceStage: Plugin {
    /// Says what becomes of the event. On the executor.
    func route(_ event: JSONObject) -> RoutedEvent
}

/// The decision of a source stage about an event.
package enum RoutedEvent: Sendable {
    /// The event goes on like this.
    case passed(JSONObject)
    /// The event goes no further.
    case dropped(by: String)
    /// The stage has not decided yet, and says so by this when it has.
    case kept(PendingDecision)
}
