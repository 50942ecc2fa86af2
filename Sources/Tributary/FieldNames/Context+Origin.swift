import TributaryJSON

/// The plugin that puts library, app, device and system into the context of each event, under the field's name.
///
/// Every client has this plugin as its first: `analytics.find(pluginType: Context.self)`.
public typealias Context = ContextPlugin

extension ContextPlugin {
    /// Adds the origin of an event to its `context.__eventOrigin`.
    /// - Parameter data: the members to add, such as `["type": "Session Replay"]`.
    /// - Returns: nil only when `event` is nil.
    public static func insertOrigin(event: (any RawEvent)?, data: [String: Any]) -> (any RawEvent)? {
        guard var event else { return nil }
        var leftOut: [LeftOutValue] = []
        guard let members = JSON.converted(data, leftOut: &leftOut)?.objectValue else { return event }
        var context = event.context?.objectValue ?? [:]
        var origin = context["__eventOrigin"]?.objectValue ?? [:]
        for (key, value) in members { origin[key] = value }
        context["__eventOrigin"] = .object(origin)
        event.context = .object(context)
        return event
    }
}
