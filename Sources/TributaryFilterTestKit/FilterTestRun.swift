public import TributaryFilters
public import TributaryJSON

/// Shows what routing rules would do: runs them on events, and counts for each rule and each destination.
///
/// Every event goes to every destination that a rule names, like on a device where all of them are enabled.
public struct FilterTestRun: Sendable {
    /// The counts of one rule.
    public struct RuleCount: Sendable, Hashable {
        /// The rule's position in the list.
        public let rule: Int
        /// The name that the workspace gave the rule.
        public let name: String?
        /// The destination that the rule names.
        public let destination: String
        /// Events that it dropped.
        public fileprivate(set) var dropped = 0
        /// Events that it changed. A later rule may have dropped the event.
        public fileprivate(set) var changed = 0
        /// Events on which it could not do all its work.
        public fileprivate(set) var failed = 0
    }

    /// The counts of all rules of one destination together.
    public struct DestinationCount: Sendable, Hashable {
        /// The destination's key.
        public let destination: String
        /// Events that it would not get.
        public fileprivate(set) var dropped = 0
        /// Events that it would get with changes.
        public fileprivate(set) var changed = 0
    }

    /// The result for one event at one destination.
    public struct Result: Sendable, Hashable {
        /// The destination's key.
        public let destination: String
        /// The event as it came.
        public let before: JSON
        /// The event that the destination would get; nil when the event was dropped.
        public let after: JSON?
        /// The effects of the rules, with their positions.
        public let outcome: FilterOutcome
    }

    /// The invalid parts of the rules, each once.
    public let problems: [FilterProblem]
    /// The number of events so far.
    public private(set) var events = 0
    /// One entry for each rule that names a destination of the run, in the order of the list.
    public private(set) var rules: [RuleCount]
    /// One entry for each destination, in the order in which rules first name them.
    public private(set) var destinations: [DestinationCount]

    private let compiled: FilterRules
    /// The index of a rule's entry in `rules`.
    private let entries: [Int: Int]

    /// Compiles the rules.
    ///
    /// - Parameters:
    ///   - routingRules: the list of rules.
    ///   - destination: the only destination to try; nil tries all that rules name.
    ///   - limits: the limits of the rules.
    ///   - random: gives a number from 0 up to, not including, 1, for `sample_event` without a path.
    public init(
        routingRules: JSON, destination: String? = nil, limits: FilterLimits = FilterLimits(),
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        compiled = FilterRules(routingRules: routingRules, limits: limits, random: random)
        problems = compiled.problems
        rules = (routingRules.elements ?? []).enumerated().compactMap { position, rule in
            guard let key = rule["destinationName"]?.stringValue, !key.isEmpty, key == destination ?? key else {
                return nil
            }
            return RuleCount(rule: position, name: rule["name"]?.stringValue, destination: key)
        }
        entries = Dictionary(rules.enumerated().map { ($0.element.rule, $0.offset) }, uniquingKeysWith: { $1 })
        var known: Set<String> = []
        destinations = rules.filter { known.insert($0.destination).inserted }
            .map { DestinationCount(destination: $0.destination) }
    }

    /// Tries one event at every destination, and counts. The results are in the order of `destinations`.
    public mutating func run(_ event: JSON) -> [Result] {
        events += 1
        return destinations.indices.map { position in
            var after = event
            let destination = destinations[position].destination
            let outcome = compiled.apply(to: &after, destination: destination)
            count(outcome, at: position)
            let isDropped = outcome.result == .dropped
            return Result(destination: destination, before: event, after: isDropped ? nil : after, outcome: outcome)
        }
    }

    /// The number of events that the rule did not change.
    public func untouched(by rule: RuleCount) -> Int { events - rule.dropped - rule.changed }

    private mutating func count(_ outcome: FilterOutcome, at position: Int) {
        switch outcome.result {
        case .kept: break
        case .changed: destinations[position].changed += 1
        case .dropped: destinations[position].dropped += 1
        }
        for (index, rule) in outcome.rules.enumerated() {
            guard let entry = entries[rule] else { continue }
            let hasDropped = outcome.result == .dropped && index == outcome.rules.count - 1
            if hasDropped { rules[entry].dropped += 1 } else { rules[entry].changed += 1 }
        }
        for rule in outcome.failedRules { entries[rule].map { rules[$0].failed += 1 } }
    }
}
