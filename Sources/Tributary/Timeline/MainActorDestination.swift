import Dispatch
import Foundation

/// A destination for an SDK that wants the main thread: the client calls all of its functions on the main actor.
///
/// ```swift
/// @MainActor
/// final class AcmeDestination: MainActorDestination {
///     nonisolated let key = "Acme"
///     func track(event: TrackEvent) -> TrackEvent? {
///         print("to Acme, on the main thread: \(event.event)")  // calls the SDK
///         return event
///     }
/// }
///
/// analytics.add(plugin: AcmeDestination())
/// ```
///
/// A queue of the destination calls the functions one after another, between other work of the main thread, and waits
/// for each. While the main thread is busy, only this destination waits. After `Configuration.destinationTimeout` the
/// client no longer waits for it. Do not conform to `DestinationPlugin` with `@preconcurrency` instead: that compiles,
/// and ends the process at the first call.
@MainActor
public protocol MainActorDestination: AnyObject, Sendable {
    /// The destination's name in settings, in `integrations` and in filters. Default: the name of its type.
    nonisolated var key: String { get }
    /// Called once, before all other calls. Default: nothing.
    func configure(analytics: Analytics)
    /// Called with each new settings document. Default: nothing.
    func update(settings: Settings, type: UpdateType)
    /// Sees each identify event; nil means that the destination did not accept it.
    func identify(event: IdentifyEvent) -> IdentifyEvent?
    /// Sees each track event; nil means that the destination did not accept it.
    func track(event: TrackEvent) -> TrackEvent?
    /// Sees each screen event; nil means that the destination did not accept it.
    func screen(event: ScreenEvent) -> ScreenEvent?
    /// Sees each group event; nil means that the destination did not accept it.
    func group(event: GroupEvent) -> GroupEvent?
    /// Sees each alias event; nil means that the destination did not accept it.
    func alias(event: AliasEvent) -> AliasEvent?
    /// Called after a reset of the user. Default: nothing.
    func reset()
    /// Called when the app flushes. Default: nothing.
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
    /// Adds a destination; the client calls its functions on the main actor.
    /// - Returns: the plugin that represents the destination in the timeline. Add plugins for this destination to that
    ///   one.
    @discardableResult
    public func add(plugin: any MainActorDestination) -> any DestinationPlugin {
        let plugin = MainActorPlugin(plugin)
        add(builtIn: plugin)
        return plugin
    }

    /// Removes a destination that the client calls on the main actor.
    public func remove(plugin: any MainActorDestination) {
        for entry in findAll(pluginType: MainActorPlugin.self) ?? [] where entry.destination === plugin {
            remove(plugin: entry as any Plugin)
        }
    }

    /// The first destination of that type that the client calls on the main actor.
    public func find<Found: MainActorDestination>(pluginType: Found.Type) -> Found? {
        (findAll(pluginType: MainActorPlugin.self) ?? []).lazy.compactMap { $0.destination as? Found }.first
    }
}
