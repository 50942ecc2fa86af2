import Synchronization
import WorkspaceCore

/// The destinations that stored events name, by source, so that a check that is repeated while a person types reads only the
/// events that are new. All members may be used from any thread.
final class NamedDestinations: Sendable {
    private struct Known {
        var through = Int64.min
        var names: Set<String> = []
    }

    private let known = Mutex<[Int64: Known]>([:])

    /// The number of the newest event of a source that was read.
    func through(_ source: Int64) -> Int64 { known.withLock { $0[source]?.through ?? .min } }

    /// Takes up what newer events name.
    /// - Returns: all that is known, at most `Limits.dryRunKnownDestinations`.
    func add(_ names: Set<String>, through: Int64, of source: Int64) -> Set<String> {
        known.withLock { known in
            var all = known[source] ?? Known()
            all.through = max(all.through, through)
            for name in names where all.names.count < Limits.dryRunKnownDestinations { all.names.insert(name) }
            known[source] = all
            return all.names
        }
    }
}
