/// The result of a destination's rules for one event.
///
/// The sum of `rules` over many events shows what each rule does. On copies of events it shows what a rule would have
/// done.
public struct FilterOutcome: Sendable, Hashable {
    /// The result for the event.
    public enum Result: String, Sendable, Hashable {
        /// The event goes on unchanged.
        case kept
        /// The event goes on with changes.
        case changed
        /// The event must not go to the destination.
        case dropped
    }

    /// The result for the event.
    public internal(set) var result: Result
    /// Positions in `routingRules` of the rules that changed or dropped the event, in ascending order.
    ///
    /// When the event was dropped, the last one dropped it. A rule that matched and changed nothing is not listed.
    public internal(set) var rules: [Int]
    /// Positions of the rules that could not do all their work on this event, in ascending order.
    ///
    /// Either the rule matched and could not write a value: then it does the rest of its work. Or the matcher's answer
    /// depended on a value that this event does not have: then the rule's removals are done.
    public internal(set) var failedRules: [Int]

    /// Makes an outcome. By default it is the outcome of an event that no rule applies to.
    public init(_ result: Result = .kept, rules: [Int] = [], failedRules: [Int] = []) {
        self.result = result
        self.rules = rules
        self.failedRules = failedRules
    }
}
