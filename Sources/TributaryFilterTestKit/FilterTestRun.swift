public import TributaryFilters
public import TributaryJSON

/// Shows what routing rules would do: runs them on events and counts, per rule and per destination.
///
/// Every event goes to every destination that a rule names, as it would on a device where all of them are enabled.
public struct FilterTestRun: Sendable {
    /// What one rule did.
    public struct RuleCount: Sendable, Hashable {
        /// The rule's position in the list.
        public let rule: Int
        /// The name that the workspace gave the rule.
        public let name: String?
        /// The destination that the rule names.
        public let destination: String
        /// Events that it dropped.
        public fileprivate(set) var dropped = 0
        /// Events that it changed, also those that a later rule dropped.
        public fileprivate(set) var changed = 0
        /// Events on which it could not do all its work.
        public fileprivate(set) var failed = 0
    }

    /// What all rules of one destination did together.
    public struct DestinationCount: Sendable, Hashable {
        /// The destination's key.
        public let destination: String
        /// Events that it would not have got.
        public fileprivate(set) var dropped = 0
        /// Events that it would have got with changes.
        public fileprivate(set) var changed = 0
    }

    /// What became of one event at one destination.
    public struct Result: Sendable, Hashable {
        /// The destination's key.
        public let destination: String
        /// The event as it came.
        public let before: JSON
        /// What the destination would have got; nil when the event was dropped.
        public let after: JSON?
        /// What the rules did, with their positions.
        public let outcome: FilterOutcome
    }

    /// What could not be understood in the rules, each once.
    public let problems: [FilterProblem]
    /// How many events have been tried.
    public private(set) var events = 0
    /// One entry for each rule that names a destination of the run, in the order of the list.
    public private(set) var rules: [RuleCount]
    /// One entry for each destination, in the order in which rules first name them.
    public private(set) var destinations: [DestinationCount]

    private let compiled: FilterRules
    /// Where a rule's entry is in `rules`.
    private let entries: [Int: Int]

    /// Compiles the rules.
    ///
    /// - Parameters:
    ///   - routingRules: the list of rules.
    ///   - destination: only this destination is tried; all that rules name unless set.
    ///   - limits: what is accepted at the most.
    ///   - random: gives a number from 0 up to 1, for `sample_event` without a path.
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

    /// Tries one event at every destination and counts; the results stand in the order of `destinations`.
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

    /// Events that the rule left as they were.
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
