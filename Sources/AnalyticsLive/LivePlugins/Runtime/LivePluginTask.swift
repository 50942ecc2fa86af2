import TributaryJSON

/// What scripts are working on right now.
enum LivePluginTask {
    /// A bundle is being loaded.
    case load
    case event(JSON)
    case notice(LivePluginNotices)
    /// A signal, and how many steps the event that it was made of is away from the app.
    case signal(JSON, generation: Int)

    /// The event or signal that scripts were given.
    var material: JSON? {
        switch self {
        case .event(let json), .signal(let json, _): json
        case .load, .notice: nil
        }
    }

    /// How many steps the event is away from the app: 0 for the app's own, 1 for those that scripts made of them.
    var generation: Int {
        switch self {
        case .event(let event): EventOrigin.generation(of: event)
        case .signal(_, let generation): generation
        case .load, .notice: 0
        }
    }

    /// Whether a reset or a flush that scripts ask for now would only call them again.
    var isEcho: Bool {
        if case .notice(let notice) = self { return notice == .reset || notice == .flush }
        return false
    }
}

/// The origin that the context of a script's event holds.
enum EventOrigin {
    static let key = "__eventOrigin"
    private static let generationKey = "generation"
    private static let signalKey = "signal"

    private static let plugins: JSON = "js"
    private static let signals: JSON = "signals"

    /// The origin of an event that scripts make while they work on something.
    static func json(of task: LivePluginTask, version: String) -> JSON {
        var origin: JSON = ["type": plugins, "version": .string(version)]
        if case .signal(let signal, _) = task {
            origin["type"] = signals
            // The signal's number on this device, by which both can be found.
            origin[signalKey] = signal["index"]
        }
        if task.generation > 0 { origin[generationKey] = .number(JSONNumber(task.generation + 1)) }
        return origin
    }

    /// Whether an event was made of a signal, so that it makes none.
    static func isOfSignals(_ event: JSON) -> Bool { event["context"]?[key]?["type"] == signals }

    /// How many steps an event is away from the app.
    static func generation(of event: JSON) -> Int {
        guard let origin = event["context"]?[key], [plugins, signals].contains(origin["type"]) else { return 0 }
        return max(1, origin[generationKey]?.intValue ?? 1)
    }
}
