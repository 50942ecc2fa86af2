/// Acts on events of chosen types: implement only the functions of the types that matter.
///
/// Each function returns the event to go on with, or nil to drop it; by default events pass unchanged.
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
    /// Called when the user was reset. Default: nothing.
    func reset()
    /// Called when the app asks for delivery. Default: nothing.
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

    public func execute<Event: RawEvent>(event: Event?) -> Event? {
        guard let event = executeDocumentForm(event) else { return nil }
        return dispatch(event)
    }

    /// Calls the function of the event's type.
    func dispatch<Event: RawEvent>(_ event: Event) -> Event? {
        switch event {
        case let event as TrackEvent: track(event: event) as? Event
        case let event as IdentifyEvent: identify(event: event) as? Event
        case let event as ScreenEvent: screen(event: event) as? Event
        case let event as GroupEvent: group(event: event) as? Event
        case let event as AliasEvent: alias(event: event) as? Event
        default: event
        }
    }
}
