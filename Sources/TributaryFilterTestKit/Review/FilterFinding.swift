/// A part of a rule that devices understand and that cannot have been meant, or probably was not.
public struct FilterFinding: Sendable, Hashable, CustomStringConvertible {
    /// How sure the review is.
    public enum Severity: String, Sendable, Hashable {
        /// The part has no effect, or another one than it says, whatever the event is.
        case error
        /// The part is probably a mistake, but there are events for which it is right.
        case warning
    }

    /// How sure the review is.
    public let severity: Severity
    /// The rule's position in the list.
    public let rule: Int
    /// The place inside the rule, for example `matchers[0].ir[1]`; empty for the rule as a whole.
    public let path: String
    /// The mistake and the right form, as a text for people.
    public let message: String

    /// Makes a finding about a place of a rule.
    public init(_ severity: Severity, rule: Int, path: String, _ message: String) {
        self.severity = severity
        self.rule = rule
        self.path = path
        self.message = message
    }

    /// The place and the message on one line.
    public var description: String { "rule \(rule)\(path.isEmpty ? "" : ", \(path)"): \(message)" }
}
