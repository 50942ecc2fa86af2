/// How a flush ended.
///
/// ```swift
/// switch await analytics.flush(timeout: 5) {
/// case .sent: print("everything has arrived")
/// case .dropped(let reasons): print("lost for good: \(reasons)")
/// case .partly(let remaining, let reason), .timedOut(let remaining, let reason):
///     print("\(remaining) events wait: \(reason)")
/// }
/// ```
public enum FlushResult: Sendable, Equatable {
    /// Every event that was tracked before the flush was confirmed by a server, or the app itself kept it back: with a
    /// plugin, a filter, settings or a purge, or because the user refused.
    case sent
    /// Nothing waits, but events since the last such answer did not arrive and will not. Their numbers by reason, with the
    /// names of `EventCounters.lost`; `dead_lettered` counts the events that the server refused.
    case dropped(reasons: [String: Int])
    /// Some events still wait, for this reason. Dropped events are in the answer of a later flush.
    case partly(remaining: Int, reason: String)
    /// The time was over first, for this reason.
    case timedOut(remaining: Int, reason: String)
}
