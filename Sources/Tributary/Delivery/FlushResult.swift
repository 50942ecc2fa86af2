/// How a flush ended.
///
/// ```swift
/// switch await analytics.flush(timeout: 5) {
/// case .sent: print("everything has arrived")
/// case .partly(let remaining, let reason), .timedOut(let remaining, let reason):
///     print("\(remaining) events wait: \(reason)")
/// }
/// ```
public enum FlushResult: Sendable, Equatable {
    /// Everything that was tracked before the flush has reached the server or was dropped by a rule.
    case sent
    /// Some events still wait, for this reason.
    case partly(remaining: Int, reason: String)
    /// The time was over first, for this reason.
    case timedOut(remaining: Int, reason: String)
}
