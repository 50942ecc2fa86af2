import TributaryJSON

/// The present work of scripts.
enum LivePluginTask {
    /// A bundle is being loaded.
    case load
    case event(JSON)
    case notice(LivePluginNotices)
    /// A signal, and the number of steps from the app to the event that it was made of.
    case signal(JSON, generation: Int)

    /// The event or signal that scripts got.
    var material: JSON? {
        switch self {
        case .event(let json), .signal(let json, _): json
        case .load, .notice: nil
        }
    }

    /// The number of steps from the app: 0 for the app's own events, 1 for events that scripts made because of them.
    var generation: Int {
        switch self {
        case .event(let event): EventOrigin.generation(of: event)
        case .signal(_, let generation): generation
        case .load, .notice: 0
        }
    }

    /// Whether a reset or a flush by scripts would now only call them again.
    var isEcho: Bool {
        if case .notice(let notice) = self { return notice == .reset || notice == .flush }
        return false
    }
}
