/// Plugins that were removed and have not got their last call yet, and what is to be done behind it.
///
/// A plugin that is added again meanwhile begins when it has ended, so that none is used after its `shutdown()`.
struct Departures {
    private struct Departure {
        /// Last calls that it has not got: one for each timeline that it was taken out of.
        var open = 0
        /// What adds it again when it has ended.
        var returns: [(place: ObjectIdentifier, begin: @Sendable () -> Void)] = []
        /// The places that it is being added to right now, and whether it is to stay there.
        var entering: [ObjectIdentifier: Bool] = [:]

        var isOver: Bool { open <= 0 && returns.isEmpty && entering.isEmpty }
    }

    private var all: [ObjectIdentifier: Departure] = [:]

    /// A plugin was removed; it has a last call to come.
    mutating func begin(_ plugin: ObjectIdentifier) { all[plugin, default: Departure()].open += 1 }

    /// Keeps what adds the plugin to a place again until it has ended.
    /// - Returns: nil when it is not about to end; else whether it is the first to ask for that place.
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

    /// The plugin is not to be added to that place any more; where it is being added, it is taken out again behind that.
    /// - Returns: whether it was to be.
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

    /// The plugin has got a last call.
    /// - Returns: what is to be done now; `entered` is called behind it.
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

    /// What `end` gave has been done.
    /// - Returns: the places that the plugin was meanwhile removed from.
    mutating func entered(_ plugin: ObjectIdentifier) -> Set<ObjectIdentifier> {
        guard var departure = all[plugin] else { return [] }
        let left = departure.entering.filter { !$0.value }.keys
        departure.entering = [:]
        all[plugin] = departure.isOver ? nil : departure
        return Set(left)
    }
}
