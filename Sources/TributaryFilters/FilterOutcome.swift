/// What the rules of a destination did to one event.
///
/// Adding up `rules` over many events tells what each rule does, or, on a copy of the events, what it would have done.
public struct FilterOutcome: Sendable, Hashable {
    /// What became of the event.
    public enum Result: String, Sendable, Hashable {
        /// The event goes on as it came.
        case kept
        /// The event goes on with changes.
        case changed
        /// The event must not go to the destination.
        case dropped
    }

    /// What became of the event.
    public internal(set) var result: Result
    /// Positions in `routingRules` of the rules that changed or dropped the event, in ascending order.
    ///
    /// When the event was dropped, the last one dropped it. A rule that matched and changed nothing is not listed.
    public internal(set) var rules: [Int]
    /// Positions of the rules that could not do all their work on this event, in ascending order.
    ///
    /// Either the rule matched and something could not be written: that part is left out, the rest has been done. Or
    /// the matcher's answer hung on a value that this event does not have: what the rule takes away has been taken.
    public internal(set) var failedRules: [Int]

    /// An outcome; by default that of an event which no rule concerns.
    public init(_ result: Result = .kept, rules: [Int] = [], failedRules: [Int] = []) {
        self.result = result
        self.rules = rules
        self.failedRules = failedRules
    }
}
