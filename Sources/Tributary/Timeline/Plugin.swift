/// The place of a plugin in the timeline.
public enum PluginType: Int, Sendable, CaseIterable {
    /// Before all other plugins.
    case before
    /// The first level of processing: plugins that add, change or drop.
    case enrichment
    /// Destinations, which send events to services.
    case destination
    /// After all other plugins, when destinations have finished with the event or are stuck. For clean-up; changes here
    /// are not sent. An event with fast destinations overtakes an event that a slow destination still has.
    case after
    /// Outside of the timeline: the app finds and calls the plugin, such as a logger.
    case utility
}

/// Whether a plugin gets settings for the first time.
public enum UpdateType: Sendable {
    /// The first settings that this plugin sees.
    case initial
    /// Later settings.
    case refresh
}

/// Acts on every event that goes through the timeline.
///
/// ```swift
/// final class AppStage: Plugin {
///     let type = PluginType.enrichment
///     weak var analytics: Analytics?
///
///     func execute(event: BaseEvent) -> BaseEvent? {
///         var event = event
///         event.json["context"]?["stage"] = "beta"
///         return event
///     }
/// }
/// ```
///
/// Implement one `execute(event:)`: with a `BaseEvent`, or generic when the plugin keeps the event's type. The event
/// may be optional in both; it is never nil. Returning nil drops the event. In the form with a `BaseEvent`, a plugin
/// may return an event of another type, such as a track event for a screen. The new event continues in its place, and
/// takes missing ids, time and context from the first.
///
/// All calls except `configure` come one after another and never on the main thread, so a plugin needs no locks. They
/// come on the client's serial executor. Destinations and the plugins in their timelines are called on the
/// destination's own queue. `configure` is called once on the thread that adds the plugin, before all other calls. When
/// a plugin is added again before its `shutdown()`, `configure` follows that call on the same thread.
public protocol Plugin: AnyObject {
    /// The place of the plugin. It is read once, when the plugin is added.
    var type: PluginType { get }
    /// The client that the plugin was added to. Declare it `weak`.
    var analytics: Analytics? { get set }
    /// The name of the plugin in diagnostics. Default: the name of its type.
    var name: String { get }

    /// Called once, on the thread that adds the plugin. Default: sets `analytics`. Events may be tracked from here on.
    func configure(analytics: Analytics)
    /// Called with each new settings document. Default: calls `update(settings:)`.
    func update(settings: Settings, type: UpdateType)
    /// The short form, for plugins that treat first and later settings alike. Default: nothing.
    func update(settings: Settings)
    /// Returns the event that goes on, changed or not, or nil to drop it. Default: calls the next form.
    func execute<Event: RawEvent>(event: Event?) -> Event?
    /// The same with an event that is not optional. Default: calls the next form.
    func execute<Event: RawEvent>(event: Event) -> Event?
    /// The same for an event of any type. Default: calls the next form.
    func execute(event: BaseEvent?) -> BaseEvent?
    /// The same with an event that is not optional. Default: the event as it is.
    func execute(event: BaseEvent) -> BaseEvent?
    /// Called when the plugin was removed or the client has ended. Default: nothing.
    func shutdown()
}

extension Plugin {
    public var name: String { String(describing: Self.self) }
    public func configure(analytics: Analytics) { self.analytics = analytics }
    public func update(settings: Settings, type: UpdateType) { update(settings: settings) }
    public func update(settings: Settings) {}
    // Disfavoured, so that a direct call, for instance in a test, calls the form that the plugin implements.
    @_disfavoredOverload public func execute(event: BaseEvent) -> BaseEvent? { event }
    @_disfavoredOverload public func execute(event: BaseEvent?) -> BaseEvent? {
        guard let event else { return nil }
        let certain: BaseEvent = event
        return execute(event: certain)
    }
    public func execute<Event: RawEvent>(event: Event) -> Event? {
        let untyped: BaseEvent? = event
        return execute(event: untyped).map { ExecutorKey.typed($0, insteadOf: event) }
    }
    public func execute<Event: RawEvent>(event: Event?) -> Event? {
        guard let event else { return nil }
        let certain: Event = event
        return execute(event: certain)
    }
    public func shutdown() {}
}

/// A plugin that holds processing until it calls `resumeEventProcessing(plugin:)`: at the start of the client, or when it is
/// added later.
///
/// Events wait on disk meanwhile. After `Configuration.waitingTimeout` seconds processing goes on in any case.
public protocol WaitingPlugin: Plugin {}

/// A plugin outside of the timeline, such as a logger. The app finds and calls it; no event runs through it.
public protocol UtilityPlugin: EventPlugin {}

extension UtilityPlugin {
    public var type: PluginType { .utility }
}

/// A plugin with a version.
public protocol VersionedPlugin {
    /// The version as a text.
    static func version() -> String
}
