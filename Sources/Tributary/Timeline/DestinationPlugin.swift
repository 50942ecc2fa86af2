/// Sends events to a service: a device-mode destination with a timeline of its own.
///
/// Plugins in its timeline change only the events of this destination. An event goes through the filters for `key`, the
/// before and enrichment plugins of the destination, the function for the event's type, and the after plugins of the
/// destination.
///
/// ```swift
/// final class ChartsDestination: DestinationPlugin {
///     let type = PluginType.destination
///     let key = "Charts"
///     let timeline = Timeline()
///     weak var analytics: Analytics?
///
///     func track(event: TrackEvent) -> TrackEvent? {
///         print("to Charts: \(event.event)")
///         return event
///     }
/// }
/// ```
public protocol DestinationPlugin: EventPlugin {
    /// The destination's name in settings, in `integrations` and in filters. Default: the plugin's name.
    var key: String { get }
    /// The plugins of this destination.
    var timeline: Timeline { get }
}

extension DestinationPlugin {
    public var key: String { name }

    /// Adds a plugin to this destination's timeline. It changes only the events that this destination gets.
    @discardableResult
    public func add(plugin: any Plugin) -> any Plugin {
        if let analytics {
            analytics.add(plugin: plugin, to: timeline)
        } else {
            timeline.register(plugin)  // it is configured together with the destination
        }
        return plugin
    }

    /// Adds a closure that sees every event among this destination's enrichment plugins. It changes or drops only the
    /// events that this destination gets.
    @discardableResult
    public func add(enrichment: @escaping EnrichmentClosure) -> any Plugin {
        add(plugin: ClosureEnrichment(closure: enrichment))
    }

    /// Removes a plugin from this destination's timeline. It gets `shutdown()` after the event that it may be seeing.
    public func remove(plugin: any Plugin) {
        if let analytics {
            analytics.remove(plugin: plugin, from: timeline)
        } else {
            timeline.remove(plugin)  // it was never configured, so there is nothing to shut down
        }
    }

    /// The first plugin of that type in this destination's timeline.
    public func find<Found: Plugin>(pluginType: Found.Type) -> Found? { timeline.find(pluginType) }

    /// All plugins of that type in this destination's timeline. Never nil; optional because code for analytics-swift
    /// expects that.
    public func findAll<Found: Plugin>(pluginType: Found.Type) -> [Found]? { timeline.findAll(pluginType) }

    /// Visits every plugin of this destination's timeline.
    public func apply(closure: (any Plugin) -> Void) { timeline.apply(closure) }
}
