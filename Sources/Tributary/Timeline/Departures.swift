/// Plugins that were removed and have not got their last call yet, and what is to be done behind it.
///
/// A plugin that is added again meanwhile begins when it has ended, so that none is used after its `shutdown()`.
struct Departures {
    private struct Departure {
        /// Last calls that it has not got: one for each timeline that it was taken out of.
        var open = 0
        var returns: [(place: ObjectIdentifier, begin: @Sendable () -> Void)] = []
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
        guard !departure.returns.contains(where: { $0.place == place }) else { return false }
        departure.returns.append((place, begin))
        all[plugin] = departure
        return true
    }

    /// The plugin is not to be added to that place any more.
    /// - Returns: whether it was to be.
    mutating func staysAway(_ plugin: ObjectIdentifier, from place: ObjectIdentifier) -> Bool {
        guard var departure = all[plugin], let index = departure.returns.firstIndex(where: { $0.place == place })
        else { return false }
        departure.returns.remove(at: index)
        all[plugin] = departure
        return true
    }

    /// The plugin has got a last call.
    /// - Returns: what is to be done now.
    mutating func end(_ plugin: ObjectIdentifier) -> [@Sendable () -> Void] {
        guard var departure = all[plugin] else { return [] }
        departure.open -= 1
        guard departure.open <= 0 else {
            all[plugin] = departure
            return []
        }
        all[plugin] = nil
        return departure.returns.map(\.begin)
    }
}
