import TributaryJSON

/// What scripts are working on right now.
enum LivePluginTask {
    /// A bundle is being loaded.
    case load
    case event(JSON)
    case notice(LivePluginNotices)

    var event: JSON? {
        if case .event(let event) = self { return event }
        return nil
    }

    /// How many steps the event is away from the app: 0 for the app's own, 1 for those that scripts made of them.
    var generation: Int { event.map(EventOrigin.generation) ?? 0 }

    /// Whether a reset or a flush that scripts ask for now would only call them again.
    var isEcho: Bool {
        if case .notice(let notice) = self { return notice == .reset || notice == .flush }
        return false
    }
}

/// What stands in the context of events that scripts made.
enum EventOrigin {
    static let key = "__eventOrigin"
    private static let generationKey = "generation"

    /// The origin of an event that is made because of one of that generation.
    static func json(version: String, after generation: Int) -> JSON {
        var origin: JSON = ["type": "js", "version": .string(version)]
        if generation > 0 { origin[generationKey] = .number(JSONNumber(generation + 1)) }
        return origin
    }

    /// How many steps an event is away from the app.
    static func generation(of event: JSON) -> Int {
        guard let origin = event["context"]?[key], origin["type"] == "js" else { return 0 }
        return max(1, origin[generationKey]?.intValue ?? 1)
    }
}
