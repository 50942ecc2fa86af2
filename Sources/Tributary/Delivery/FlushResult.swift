/// How a flush ended.
public enum FlushResult: Sendable, Equatable {
    /// Everything that was tracked before it has reached the server or was dropped by a rule.
    case sent
    /// Some events still wait, and why.
    case partly(remaining: Int, reason: String)
    /// The time was over before it was done, and what held it up.
    case timedOut(remaining: Int, reason: String)
}
