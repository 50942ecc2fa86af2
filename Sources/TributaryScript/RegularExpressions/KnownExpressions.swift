/// The analyses of the expressions that an engine used lately. Used by one thread at a time, that of the engine's scripts.
final class KnownExpressions {
    private struct Key: Hashable {
        let pattern: String
        let flags: String
    }

    private var known: [Key: AnalyzedExpression] = [:]
    private static let most = 200

    func expression(_ pattern: String, _ flags: String) -> AnalyzedExpression {
        let key = Key(pattern: pattern, flags: flags)
        if let expression = known[key] { return expression }
        if known.count >= Self.most { known.removeAll() }
        let expression = AnalyzedExpression(pattern: pattern, flags: flags)
        known[key] = expression
        return expression
    }
}
