/// Plugins that were removed and have not got their last call, and the work that follows that call.
///
/// A plugin that is added again meanwhile begins after it has ended, so no plugin is used after its `shutdown()` in
/// between.
struct Departures {
    private struct Departure {
        /// The number of last calls that are still to come: one for each timeline that the plugin was removed from.
        var open = 0
        /// Adds the plugin again when it has ended.
        var returns: [(place: ObjectIdentifier, begin: @Sendable () -> Void)] = []
        /// The places that the plugin is being added to now, and whether it stays there.
        var entering: [ObjectIdentifier: Bool] = [:]

        var isOver: Bool { open <= 0 && returns.isEmpty && entering.isEmpty }
    }

    private var all: [ObjectIdentifier: Departure] = [:]

    /// Takes note of a removal: a last call is to come.
    mutating func begin(_ plugin: ObjectIdentifier) { all[plugin, default: Departure()].open += 1 }

    /// Keeps work that adds the plugin to a place until the plugin has ended.
    /// - Returns: nil when the plugin is not ending; otherwise whether this is the first request for that place.
    mutating func returns(
        _ plugin: ObjectIdentifier, to place: ObjectIdentifier, begin: @escaping @Sendable () -> Void
    ) -> Bool? {
        guard var departure = all[plugin] else { return nil }
        if let stays = departure.entering[place] {
            departure.entering[place] = true
            all[plugin] = departure
            return !stays
        }
        guard departure.open > 0 else { return nil }
        guard !departure.returns.contains(where: { $0.place == place }) else { return false }
        departure.returns.append((place, begin))
        all[plugin] = departure
        return true
    }

    /// Cancels the adding of the plugin to a place. If the adding is under way, the plugin is removed again afterwards.
    /// - Returns: whether the plugin was going to be added.
    mutating func staysAway(_ plugin: ObjectIdentifier, from place: ObjectIdentifier) -> Bool {
        guard var departure = all[plugin] else { return false }
        if let stays = departure.entering[place] {
            departure.entering[place] = false
            all[plugin] = departure
            return stays
        }
        guard let index = departure.returns.firstIndex(where: { $0.place == place }) else { return false }
        departure.returns.remove(at: index)
        all[plugin] = departure
        return true
    }

    /// Takes note of a last call.
    /// - Returns: the work to do now. Call `entered` afterwards.
    mutating func end(_ plugin: ObjectIdentifier) -> [@Sendable () -> Void] {
        guard var departure = all[plugin] else { return [] }
        departure.open -= 1
        guard departure.open <= 0 else {
            all[plugin] = departure
            return []
        }
        let returns = departure.returns
        departure.returns = []
        for entry in returns { departure.entering[entry.place] = true }
        all[plugin] = departure.isOver ? nil : departure
        return returns.map(\.begin)
    }

    /// Takes note that the work from `end` is done.
    /// - Returns: the places that the plugin was removed from meanwhile.
    mutating func entered(_ plugin: ObjectIdentifier) -> Set<ObjectIdentifier> {
        guard var departure = all[plugin] else { return [] }
        let left = departure.entering.filter { !$0.value }.keys
        departure.entering = [:]
        all[plugin] = departure.isOver ? nil : departure
        return Set(left)
    }
}
