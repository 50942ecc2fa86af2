/// A plugin with a function for each type of event. Implement only the functions that you need.
///
/// Each function returns the event that goes on, or nil to drop the event. By default events pass unchanged.
///
/// ```swift
/// final class NoTests: EventPlugin {
///     let type = PluginType.before
///     weak var analytics: Analytics?
///
///     func track(event: TrackEvent) -> TrackEvent? { event.event.hasPrefix("Test") ? nil : event }
/// }
/// ```
public protocol EventPlugin: Plugin {
    /// Sees each identify event.
    func identify(event: IdentifyEvent) -> IdentifyEvent?
    /// Sees each track event.
    func track(event: TrackEvent) -> TrackEvent?
    /// Sees each screen event.
    func screen(event: ScreenEvent) -> ScreenEvent?
    /// Sees each group event.
    func group(event: GroupEvent) -> GroupEvent?
    /// Sees each alias event.
    func alias(event: AliasEvent) -> AliasEvent?
    /// Called after a reset of the user. Default: nothing.
    func reset()
    /// Called when the app flushes. Default: nothing.
    func flush()
}

extension EventPlugin {
    public func identify(event: IdentifyEvent) -> IdentifyEvent? { event }
    public func track(event: TrackEvent) -> TrackEvent? { event }
    public func screen(event: ScreenEvent) -> ScreenEvent? { event }
    public func group(event: GroupEvent) -> GroupEvent? { event }
    public func alias(event: AliasEvent) -> AliasEvent? { event }
    public func reset() {}
    public func flush() {}

    public func execute<Event: RawEvent>(event: Event) -> Event? {
        let untyped: BaseEvent? = event
        guard let result = execute(event: untyped) else { return nil }
        if let result: Event = result.typed() { return result.shown(to: self) }
        let shown: BaseEvent? = result.shown(to: self)
        return shown.map { ExecutorKey.typed($0, insteadOf: event) }
    }
}
