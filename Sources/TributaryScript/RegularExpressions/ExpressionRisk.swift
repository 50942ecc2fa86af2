/// How long a regular expression can take on a text that does not match, because there are many ways to try.
package enum ExpressionRisk: Sendable, Hashable {
    /// The time grows linearly with the length.
    case none
    /// The time grows with a power of the length.
    case polynomial
    /// The time doubles with every few characters.
    case exponential
    /// The expression is too large, or of a kind that is not analyzed.
    case unknown

    /// The risk of a pattern.
    package static func of(pattern: some StringProtocol, flags: some StringProtocol) -> ExpressionRisk {
        AnalyzedExpression(pattern: String(pattern), flags: String(flags)).risk
    }

    /// How a pattern may be used when nothing can stop the engine.
    static func use(pattern: String, flags: String) -> ExpressionUse {
        AnalyzedExpression(pattern: pattern, flags: flags).use
    }
}
