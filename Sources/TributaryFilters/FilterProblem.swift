/// An invalid part of the routing rules, and its consequence.
public struct FilterProblem: Sendable, Hashable, CustomStringConvertible {
    /// The rule's position in `routingRules`; nil for the list as a whole.
    public let rule: Int?
    /// The destination of the rule; nil when it is unknown.
    public let destination: String?
    /// The place inside the rule, for example `matchers[0].ir[1]`; empty for the rule as a whole.
    public let path: String
    /// The kind of the problem.
    public let reason: FilterError.Reason
    /// The fault and its consequence, as a text for people.
    public let message: String

    /// The place and the message on one line.
    public var description: String {
        var place = rule.map { "routingRules[\($0)]" } ?? "routingRules"
        if !path.isEmpty { place += ".\(path)" }
        if let destination { place += " (\(destination))" }
        return "\(place): \(message)"
    }
}
