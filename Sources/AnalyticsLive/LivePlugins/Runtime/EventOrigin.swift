import TributaryJSON

/// The origin in the context of a script's event.
enum EventOrigin {
    static let key = "__eventOrigin"
    private static let generationKey = "generation"
    private static let signalKey = "signal"

    private static let plugins: JSON = "js"
    private static let signals: JSON = "signals"

    /// The origin of an event that scripts make during a piece of work.
    static func json(of task: LivePluginTask, version: String) -> JSON {
        var origin: JSON = ["type": plugins, "version": .string(version)]
        if case .signal(let signal, _) = task {
            origin["type"] = signals
            // The signal's index on this device, by which both can be found.
            origin[signalKey] = signal["index"]
        }
        if task.generation > 0 { origin[generationKey] = .number(JSONNumber(task.generation + 1)) }
        return origin
    }

    /// Whether an event was made of a signal. Such an event makes no signal.
    static func isOfSignals(_ event: JSON) -> Bool { event["context"]?[key]?["type"] == signals }

    /// The number of steps from the app to an event.
    static func generation(of event: JSON) -> Int {
        guard let origin = event["context"]?[key], [plugins, signals].contains(origin["type"]) else { return 0 }
        return max(1, origin[generationKey]?.intValue ?? 1)
    }
}
