/// Where in the timeline a plugin stands.
public enum PluginType: Int, Sendable, CaseIterable {
    /// Before anything else has looked at the event.
    case before
    /// The first level of processing: adds, changes, drops.
    case enrichment
    /// Takes events to where they are used.
    case destination
    /// After everything else, when destinations have dealt with the event or are stuck: for clean-up; it changes nothing
    /// that is sent. An event whose destinations are quick overtakes one that a slow destination still has.
    case after
    /// Not part of the timeline; found and called by name, such as a logger.
    case utility
}

/// Whether a plugin sees settings for the first time.
public enum UpdateType: Sendable {
    /// The first settings that this plugin sees.
    case initial
    /// Settings that came later.
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
/// may be optional in both; it is never nil. Returning nil drops the event. In the form with a `BaseEvent` a plugin may
/// return an event of another type, such as a track event for a screen. The new event continues in its place, and takes
/// missing ids, time and context from the first.
///
/// All calls but `configure` come one after another and never on the main thread, so a plugin needs no locks. They come
/// on the client's serial executor; those of a destination and of the plugins in its timeline come on the destination's
/// own queue. `configure` is called once on the thread that adds the plugin, before everything else. When the plugin
/// was removed and its `shutdown()` is still to come, `configure` follows it, on the thread of `shutdown()`.
public protocol Plugin: AnyObject {
    /// Where the plugin stands; read once when it is added.
    var type: PluginType { get }
    /// The client that the plugin was added to. Best declared `weak`.
    var analytics: Analytics? { get set }
    /// Names the plugin in diagnostics. Default: the name of its type.
    var name: String { get }

    /// Called once, on the adding thread. Default: sets `analytics`. Events may be tracked from here.
    func configure(analytics: Analytics)
    /// Called with each new settings document. Default: calls `update(settings:)`.
    func update(settings: Settings, type: UpdateType)
    /// The short form, for plugins to which first and later settings are the same. Default: nothing.
    func update(settings: Settings)
    /// Returns the event to go on with, changed or not, or nil to drop it. Default: calls the next form.
    func execute<Event: RawEvent>(event: Event?) -> Event?
    /// The same with an event that is not optional. Default: calls the next form.
    func execute<Event: RawEvent>(event: Event) -> Event?
    /// The same for an event of any type. Default: calls the next form.
    func execute(event: BaseEvent?) -> BaseEvent?
    /// The same with an event that is not optional. Default: the event as it is.
    func execute(event: BaseEvent) -> BaseEvent?
    /// Called when the plugin was removed or the client shuts down. Default: nothing.
    func shutdown()
}

extension Plugin {
    public var name: String { String(describing: Self.self) }
    public func configure(analytics: Analytics) { self.analytics = analytics }
    public func update(settings: Settings, type: UpdateType) { update(settings: settings) }
    public func update(settings: Settings) {}
    // Disfavoured, so that a direct call of a plugin, such as in a test, reaches the form that the plugin has.
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

/// A plugin that keeps the start of processing waiting, until it calls `resumeEventProcessing(plugin:)`.
///
/// Events wait on disk meanwhile. Processing begins without it after `Configuration.waitingTimeout` seconds.
public protocol WaitingPlugin: Plugin {}

/// A plugin outside the timeline, such as a logger: found and called by the app, never run for an event.
public protocol UtilityPlugin: EventPlugin {}

extension UtilityPlugin {
    public var type: PluginType { .utility }
}

/// A plugin with a version.
public protocol VersionedPlugin {
    /// The version, as people write it.
    static func version() -> String
}
