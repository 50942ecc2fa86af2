import TributaryJSON

/// What the JavaScript side says after a turn: ` 0u 1c`, then, when the event was changed, a new line and the event.
struct LivePluginAnswer {
    /// The plugins that had a turn, by their numbers.
    let turns: [(plugin: Int, letter: Character)]
    /// The event's text; nil when it is as it was.
    let event: Substring?

    init(_ text: String) {
        let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        event = parts.count > 1 ? parts[1] : nil
        turns = (parts.first ?? "").split(separator: " ").compactMap { turn in
            guard let letter = turn.last, let plugin = Int(turn.dropLast()) else { return nil }
            return (plugin, letter)
        }
    }

    /// A plugin returned null.
    var isDropped: Bool { turns.last?.letter == "d" }

    /// There is something to ask the JavaScript side about.
    var hasFaults: Bool { turns.contains { $0.letter == "f" } }

    /// One fault as the JavaScript side reports it; nil for what is none.
    static func fault(_ report: JSON, breach: String?) -> (plugin: Int, fault: LivePluginFault)? {
        guard let plugin = report["id"]?.intValue else { return nil }
        let message = report["message"]?.stringValue ?? ""
        return (
            plugin,
            LivePluginFault(
                message: message.isEmpty ? breach ?? "unknown" : message, line: report["line"]?.intValue,
                file: report["file"]?.stringValue, isSwitchedOff: report["isOff"]?.boolValue ?? false)
        )
    }
}
