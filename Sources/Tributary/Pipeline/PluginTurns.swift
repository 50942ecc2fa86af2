/// Keeps the calls of a plugin apart that stands in the timelines of several destinations.
struct PluginTurns {
    private var known: [ObjectIdentifier: (turns: Turns, places: Int)] = [:]

    /// The plugin's; nil when it stands in no destination's timeline.
    subscript(plugin: ObjectIdentifier) -> Turns? { known[plugin]?.turns }

    /// The plugin stands in one more place.
    mutating func take(_ plugin: ObjectIdentifier) -> Turns {
        let found = known[plugin] ?? (Turns(), 0)
        known[plugin] = (found.turns, found.places + 1)
        return found.turns
    }

    /// The plugin stands in one place less.
    mutating func giveBack(_ plugin: ObjectIdentifier) {
        guard let found = known[plugin] else { return }
        known[plugin] = found.places > 1 ? (found.turns, found.places - 1) : nil
    }
}
