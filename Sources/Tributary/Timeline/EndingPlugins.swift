/// Plugins that were removed and have not got their last call, and the work that follows that call.
///
/// A plugin that is added again meanwhile begins after it has ended, so no plugin is used after its `shutdown()` in
/// between.
struct EndingPlugins {
    private struct Ending {
        /// The number of last calls that are still to come: one for each timeline that the plugin was removed from.
        var open = 0
        /// Adds the plugin again when it has ended.
        var returns: [(place: ObjectIdentifier, begin: @Sendable () -> Void)] = []
        /// The places that the plugin is being added to now, and whether it stays there.
        var entering: [ObjectIdentifier: Bool] = [:]

        var isOver: Bool { open <= 0 && returns.isEmpty && entering.isEmpty }
    }

    private var all: [ObjectIdentifier: Ending] = [:]

    func contains(_ plugin: ObjectIdentifier) -> Bool { all[plugin] != nil }

    /// Takes note of a removal: a last call is to come.
    mutating func begin(_ plugin: ObjectIdentifier) { all[plugin, default: Ending()].open += 1 }

    /// Keeps work that adds the plugin to a place until the plugin has ended.
    /// - Returns: nil when the plugin is not ending; otherwise whether this is the first request for that place.
    mutating func returns(
        _ plugin: ObjectIdentifier, to place: ObjectIdentifier, begin: @escaping @Sendable () -> Void
    ) -> Bool? {
        guard var ending = all[plugin] else { return nil }
        if let stays = ending.entering[place] {
            ending.entering[place] = true
            all[plugin] = ending
            return !stays
        }
        guard ending.open > 0 else { return nil }
        guard !ending.returns.contains(where: { $0.place == place }) else { return false }
        ending.returns.append((place, begin))
        all[plugin] = ending
        return true
    }

    /// Cancels the adding of the plugin to a place. If the adding is under way, the plugin is removed again afterwards.
    /// - Returns: whether the plugin was going to be added.
    mutating func staysAway(_ plugin: ObjectIdentifier, from place: ObjectIdentifier) -> Bool {
        guard var ending = all[plugin] else { return false }
        if let stays = ending.entering[place] {
            ending.entering[place] = false
            all[plugin] = ending
            return stays
        }
        guard let index = ending.returns.firstIndex(where: { $0.place == place }) else { return false }
        ending.returns.remove(at: index)
        all[plugin] = ending
        return true
    }

    /// Takes note of a last call.
    /// - Returns: the work to do now. Call `entered` afterwards.
    mutating func end(_ plugin: ObjectIdentifier) -> [@Sendable () -> Void] {
        guard var ending = all[plugin] else { return [] }
        ending.open -= 1
        guard ending.open <= 0 else {
            all[plugin] = ending
            return []
        }
        let returns = ending.returns
        ending.returns = []
        for entry in returns { ending.entering[entry.place] = true }
        all[plugin] = ending.isOver ? nil : ending
        return returns.map(\.begin)
    }

    /// Takes note that the work from `end` is done.
    /// - Returns: the places that the plugin was removed from meanwhile.
    mutating func entered(_ plugin: ObjectIdentifier) -> Set<ObjectIdentifier> {
        guard var ending = all[plugin] else { return [] }
        let left = ending.entering.filter { !$0.value }.keys
        ending.entering = [:]
        all[plugin] = ending.isOver ? nil : ending
        return Set(left)
    }
}
