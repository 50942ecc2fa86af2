public import TributaryJSON

/// The destination filters of a workspace, compiled once and applied to many events.
///
/// A rule applies to the destination that it names. Rules without a destination are for the server. Each rule pairs
/// matchers with lists of transformers, and each pair sees the event as the pair before left it.
///
/// An invalid rule never lets data through that it was written to hold back. `problems` lists it:
///
/// - An unreadable or missing matcher counts as matching every event. Its `drop`, `drop_properties`,
///   `allow_properties` and `sample_event` act on every event. Its `map_properties` writes nothing, but removes what it
///   would have overwritten or moved away, because values are also overwritten to hide them.
/// - An unreadable or unknown transformer drops the events that its matcher matches. A single unreadable entry of
///   `map_properties` removes the value at its path.
/// - A missing list counts as one unreadable element. A rule that is not an object, or whose destination is not a text,
///   applies to no destination and is only reported.
///
/// A value of this type may be used from many threads at once.
///
/// ```swift
/// import TributaryJSON
/// let rules = FilterRules(routingRules: [[
///     "destinationName": "Amplitude", "transformers": [[["type": "drop"]]],
///     "matchers": [["type": "fql", "ir": #"["=", "event", {"value": "Scrolled"}]"#]],
/// ]])
/// var event: JSON = ["type": "track", "event": "Scrolled"]
/// print(rules.problems.isEmpty, rules.apply(to: &event, destination: "Amplitude").result)    // true dropped
/// ```
public struct FilterRules: Sendable {
    /// All invalid parts, in the order of the rules, each once.
    public let problems: [FilterProblem]

    private let rules: [String: DestinationRules]
    private let random: @Sendable () -> Double

    /// Compiles `settings.middlewareSettings.routingRules`; null stands for no rules.
    ///
    /// - Parameters:
    ///   - routingRules: the list of rules.
    ///   - limits: the limits of the rules.
    ///   - random: gives a number from 0 up to, not including, 1, for `sample_event` without a path. Default: the
    ///     system's generator.
    public init(
        routingRules: JSON, limits: FilterLimits = FilterLimits(),
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        var collection = RuleCollection(limits: limits)
        collection.add(routingRules)
        problems = collection.problems
        rules = collection.rules
        self.random = random
    }

    /// Whether a rule applies to this destination. Costs one lookup in a dictionary.
    public func hasRules(for destination: String) -> Bool { rules[destination] != nil }

    /// Applies the rules of a destination in their order, changing the event in place.
    ///
    /// A dropped event stays as it was before the dropping rule. Without rules for the destination, this costs one
    /// lookup in a dictionary.
    public func apply(to event: inout JSON, destination: String) -> FilterOutcome {
        rules[destination]?.apply(to: &event, random: random) ?? FilterOutcome()
    }
}
