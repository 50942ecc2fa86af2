/// A regular expression of a script that can take very long on a text that does not match.
package struct RiskyExpression: Sendable, Hashable {
    /// The expression in the script, with its slashes and flags.
    package let text: String
    package let line: Int
    /// Counted from 1, in units of UTF-16.
    package let column: Int
    package let risk: ExpressionRisk
    /// A text that takes too long; nil when none is known.
    package let slowText: String?

    /// The risky expressions of a script, in order; none when the script cannot be read. Patterns that a script builds
    /// from texts are not found.
    package static func all(in source: String) -> [RiskyExpression] {
        var source = source
        return source.withUTF8 { bytes in
            guard let found = try? GuardInsertion.regularExpressions(in: bytes) else { return [] }
            var visits = AnalyzedExpression.visitsOfScript
            var (line, lineStart, read) = (1, 0, 0)
            return found.compactMap { range in
                let text = String(decoding: bytes[range], as: UTF8.self)
                guard let (pattern, flags) = parts(ofLiteral: text) else { return nil }
                let expression = AnalyzedExpression(pattern: pattern, flags: flags, visits: &visits)
                guard expression.risk != .none else { return nil }
                for offset in read..<range.lowerBound where bytes[offset] == UInt8(ascii: "\n") {
                    (line, lineStart) = (line + 1, offset + 1)
                }
                read = range.lowerBound
                let column = String(decoding: bytes[lineStart..<read], as: UTF8.self).utf16.count + 1
                return RiskyExpression(
                    text: text, line: line, column: column, risk: expression.risk, slowText: expression.slowText)
            }
        }
    }

    /// How a literal may be used when nothing can stop the engine.
    /// - Parameter visits: the rest for all expressions of the script.
    static func use(ofLiteral text: String, visits: inout Int) -> ExpressionUse {
        guard let (pattern, flags) = parts(ofLiteral: text) else { return .anyText }
        return AnalyzedExpression(pattern: pattern, flags: flags, visits: &visits).use
    }

    private static func parts(ofLiteral text: String) -> (pattern: String, flags: String)? {
        guard let end = text.lastIndex(of: "/") else { return nil }
        return (String(text[..<end].dropFirst()), String(text[text.index(after: end)...]))
    }
}
