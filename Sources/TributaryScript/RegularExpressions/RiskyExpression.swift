/// A regular expression of a script that can take very long on a text that does not match.
package struct RiskyExpression: Sendable, Hashable {
    /// The expression in the script, with its slashes and flags.
    package let text: String
    package let line: Int
    package let risk: ExpressionRisk

    /// The risky expressions of a script, in order; none when the script cannot be read. Patterns that a script builds
    /// from texts are not found.
    package static func all(in source: String) -> [RiskyExpression] {
        var source = source
        return source.withUTF8 { bytes in
            guard let found = try? GuardInsertion.regularExpressions(in: bytes) else { return [] }
            return found.compactMap { range in
                let text = String(decoding: bytes[range], as: UTF8.self)
                guard let (pattern, flags) = parts(ofLiteral: text) else { return nil }
                let risk = ExpressionRisk.of(pattern: pattern, flags: flags)
                guard risk != .none else { return nil }
                let line = bytes[..<range.lowerBound].reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
                return RiskyExpression(text: text, line: line, risk: risk)
            }
        }
    }

    /// How a literal may be used when nothing can stop the engine.
    static func use(ofLiteral text: String) -> ExpressionUse {
        guard let (pattern, flags) = parts(ofLiteral: text) else { return .anyText }
        return ExpressionRisk.use(pattern: pattern, flags: flags)
    }

    private static func parts(ofLiteral text: String) -> (pattern: String, flags: String)? {
        guard let end = text.lastIndex(of: "/") else { return nil }
        return (String(text[..<end].dropFirst()), String(text[text.index(after: end)...]))
    }
}
