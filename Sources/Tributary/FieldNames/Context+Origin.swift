import TributaryJSON

/// The plugin that puts library, app, device and system into the context of each event, as code of the field names it.
///
/// A client has one from its start, first of all plugins: `analytics.find(pluginType: Context.self)`.
public typealias Context = ContextPlugin

extension ContextPlugin {
    /// The event with what it comes from in `context.__eventOrigin`, added to what is there.
    /// - Parameter data: what to say of it, such as `["type": "Session Replay"]`.
    /// - Returns: nil only when there is no event.
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
