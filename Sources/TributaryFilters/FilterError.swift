/// Why a matcher or a transformer could not be understood, or could not do its work on an event.
public struct FilterError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The family of a failure: bounded, so it can serve as a label.
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
        /// An operand is missing or has no meaning where it stands.
        public static let badOperand = Reason(description: "bad_operand")
        /// The transformer's type is missing or unknown.
        public static let unknownTransformer = Reason(description: "unknown_transformer")
        /// The transformer's configuration has no meaning.
        public static let badConfiguration = Reason(description: "bad_configuration")
        /// Something is longer, deeper or more than `FilterLimits` allows.
        public static let limit = Reason(description: "limit")
        /// The event has nothing at a place where the transformer has to write.
        public static let unwritable = Reason(description: "unwritable")
    }

    /// The family of the failure.
    public let reason: Reason
    /// Where inside the matcher or transformer, for example `ir[1][2]`; empty for the whole.
    public let path: String
    /// What exactly was wrong, for a person to read.
    public let detail: String

    /// An error with its place.
    public init(_ reason: Reason, at path: String, _ detail: String) {
        self.reason = reason
        self.path = path
        self.detail = detail
    }

    /// The place and the failure as a sentence.
    public var description: String { path.isEmpty ? detail : "\(path): \(detail)" }

    /// Keeps a hostile text from filling a log.
    static func shortened(_ text: String) -> String { text.count > 40 ? "\(text.prefix(40))…" : text }
}
