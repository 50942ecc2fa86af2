import Dispatch
import Foundation

/// A destination whose SDK wants the main thread: all of its functions are called on the main actor.
///
/// ```swift
/// @MainActor
/// final class AcmeDestination: MainActorDestination {
///     nonisolated let key = "Acme"
///     func update(settings: Settings, type: UpdateType) { Acme.start(settings.integrationSettings(forKey: key)) }
///     func track(event: TrackEvent) -> TrackEvent? {
///         Acme.log(event.event)
///         return event
///     }
/// }
///
/// analytics.add(plugin: AcmeDestination())
/// ```
///
/// It is called between other work of the main thread, one call after another, from a queue of its own that waits
/// meanwhile. While the main thread is busy, only this destination waits; after `Configuration.destinationTimeout`
/// nobody waits for it any more. Do not conform to `DestinationPlugin` with `@preconcurrency` instead: that compiles, and
/// ends the process at the first call.
@MainActor
public protocol MainActorDestination: AnyObject, Sendable {
    /// The destination's name in settings, in `integrations` and in filters. Default: the name of its type.
    nonisolated var key: String { get }
    /// Called once, before everything else. Default: nothing.
    func configure(analytics: Analytics)
    /// Called with each new settings document. Default: nothing.
    func update(settings: Settings, type: UpdateType)
    /// Sees each identify event; nil says that it was not taken.
    func identify(event: IdentifyEvent) -> IdentifyEvent?
    /// Sees each track event; nil says that it was not taken.
    func track(event: TrackEvent) -> TrackEvent?
    /// Sees each screen event; nil says that it was not taken.
    func screen(event: ScreenEvent) -> ScreenEvent?
    /// Sees each group event; nil says that it was not taken.
    func group(event: GroupEvent) -> GroupEvent?
    /// Sees each alias event; nil says that it was not taken.
    func alias(event: AliasEvent) -> AliasEvent?
    /// Called when the user was reset. Default: nothing.
    func reset()
    /// Called when the app asks for delivery. Default: nothing.
    func flush()
    /// Called when the destination was removed or the client shuts down. Default: nothing.
    func shutdown()
}

extension MainActorDestination {
    public nonisolated var key: String { String(describing: Self.self) }
    public func configure(analytics: Analytics) {}
    public func update(settings: Settings, type: UpdateType) {}
    public func identify(event: IdentifyEvent) -> IdentifyEvent? { event }
    public func track(event: TrackEvent) -> TrackEvent? { event }
    public func screen(event: ScreenEvent) -> ScreenEvent? { event }
    public func group(event: GroupEvent) -> GroupEvent? { event }
    public func alias(event: AliasEvent) -> AliasEvent? { event }
    public func reset() {}
    public func flush() {}
    public func shutdown() {}
}

extension Analytics {
    /// Adds a destination whose functions are called on the main actor.
    /// - Returns: the plugin that stands for it in the timeline; add plugins for this destination only to that one.
    @discardableResult
    public func add(plugin: any MainActorDestination) -> any DestinationPlugin {
        let plugin = MainActorPlugin(plugin)
        add(builtIn: plugin)
        return plugin
    }

    /// Removes a destination whose functions are called on the main actor.
    public func remove(plugin: any MainActorDestination) {
        for entry in findAll(pluginType: MainActorPlugin.self) ?? [] where entry.destination === plugin {
            remove(plugin: entry as any Plugin)
        }
    }

    /// The first destination of that type whose functions are called on the main actor.
    public func find<Found: MainActorDestination>(pluginType: Found.Type) -> Found? {
        (findAll(pluginType: MainActorPlugin.self) ?? []).lazy.compactMap { $0.destination as? Found }.first
    }
}
