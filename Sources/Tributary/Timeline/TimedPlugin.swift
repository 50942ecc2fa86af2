/// A plugin of the library that needs to know when an event was tracked. The event's own timestamp does not say that: the
/// app may have given another one, for instance for an event of yesterday.
protocol TimedPlugin: Plugin {
    /// Does what `execute(event:)` does.
    /// - Parameter trackedAt: the time of the call that tracked the event, in milliseconds since 1970.
    func execute<Event: RawEvent>(event: Event, trackedAt: Int64) -> Event?
}
