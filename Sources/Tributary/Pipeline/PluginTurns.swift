/// Prevents that two destinations call the same plugin at once, when it is in the timelines of both.
struct PluginTurns {
    private var known: [ObjectIdentifier: (turns: Turns, places: Int)] = [:]

    /// The turns of a plugin; nil when it is in no destination's timeline.
    subscript(plugin: ObjectIdentifier) -> Turns? { known[plugin]?.turns }

    /// Counts one more place of the plugin.
    mutating func take(_ plugin: ObjectIdentifier) -> Turns {
        let found = known[plugin] ?? (Turns(), 0)
        known[plugin] = (found.turns, found.places + 1)
        return found.turns
    }

    /// Counts one place less.
    mutating func giveBack(_ plugin: ObjectIdentifier) {
        guard let found = known[plugin] else { return }
        known[plugin] = found.places > 1 ? (found.turns, found.places - 1) : nil
    }
}
