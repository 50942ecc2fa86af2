/// The reason why a matcher or a transformer is not valid, or could not do its work on an event.
public struct FilterError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of a failure. The number of kinds is bounded, so a kind can serve as a label.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// The label.
        public let description: String
        /// The rule does not have the form of a rule.
        public static let malformedRule = Reason(description: "malformed_rule")
        /// The matcher's type is missing or not one of `all` and `fql`.
        public static let unknownMatcher = Reason(description: "unknown_matcher")
        /// The matcher's IR is not JSON.
        public static let malformedIR = Reason(description: "malformed_ir")
        /// The IR names an operator that does not exist.
        public static let unknownOperator = Reason(description: "unknown_operator")
        /// An operand is missing, or not valid at its place.
        public static let badOperand = Reason(description: "bad_operand")
        /// The transformer's type is missing or unknown.
        public static let unknownTransformer = Reason(description: "unknown_transformer")
        /// The transformer's configuration is not valid.
        public static let badConfiguration = Reason(description: "bad_configuration")
        /// A length, a depth or a number exceeds `FilterLimits`.
        public static let limit = Reason(description: "limit")
        /// The event does not have the object that the transformer has to write to.
        public static let unwritable = Reason(description: "unwritable")
    }

    /// The kind of the failure.
    public let reason: Reason
    /// The place inside the matcher or transformer, for example `ir[1][2]`; empty for the whole.
    public let path: String
    /// The exact fault, as a text for people.
    public let detail: String

    /// An error with its place.
    public init(_ reason: Reason, at path: String, _ detail: String) {
        self.reason = reason
        self.path = path
        self.detail = detail
    }

    /// The place and the failure as a sentence.
    public var description: String { path.isEmpty ? detail : "\(path): \(detail)" }

    /// Shortens a text, so that a hostile one does not fill a log.
    static func shortened(_ text: String) -> String { text.count > 40 ? "\(text.prefix(40))…" : text }
}
