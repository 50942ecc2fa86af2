/// How long a regular expression can take on a text that does not match, because there are many ways to try.
package enum ExpressionRisk: Sendable, Hashable {
    /// The time grows linearly with the length.
    case none
    /// The time grows with a power of the length.
    case polynomial
    /// The time doubles with every few characters.
    case exponential

    /// The risk of a pattern.
    package static func of(pattern: some StringProtocol, flags: some StringProtocol) -> ExpressionRisk {
        guard let node = ExpressionParser.node(of: pattern, flags: flags) else { return .none }
        if hasAmbiguousRepetition(node) { return .exponential }
        return hasAdjacentRepetitions(node) ? .polynomial : .none
    }

    /// Repetitions with at least this bound count as endless.
    private static let many = 10

    // MARK: Exponential

    /// Whether there is a repetition whose body can match a text as one piece and as several.
    private static func hasAmbiguousRepetition(_ node: ExpressionNode) -> Bool {
        switch node {
        case .nothing, .characters: false
        case .sequence(let parts), .choice(let parts): parts.contains(where: hasAmbiguousRepetition)
        case .repetition(let body, _, let most):
            (most ?? many) >= many && body.leaves.contains { isAmbiguous(body, $0) } || hasAmbiguousRepetition(body)
        }
    }

    private static func isAmbiguous(_ body: ExpressionNode, _ set: ExpressionCharacters) -> Bool {
        guard !body.isDecidedByItsFirstCharacter else { return false }
        guard let lengths = body.lengths(within: set), lengths.upperBound > 0 else { return false }
        // A text is one piece of the longest length, or two of the shortest. Pieces without length are not repeated.
        return lengths.upperBound >= 2 * max(lengths.lowerBound, 1) || hasEqualChoices(body, set)
    }

    /// Whether two alternatives can match the same text.
    private static func hasEqualChoices(_ node: ExpressionNode, _ set: ExpressionCharacters) -> Bool {
        guard case .choice(let parts) = node.unwrapped else { return false }
        let lengths = parts.compactMap { $0.lengths(within: set) }.filter { $0.upperBound > 0 }
        return lengths.indices.contains { first in
            lengths.indices.contains { $0 > first && lengths[$0].overlaps(lengths[first]) }
        }
    }

    // MARK: Polynomial

    /// Whether two endless repetitions can divide a text between them in many ways.
    private static func hasAdjacentRepetitions(_ node: ExpressionNode) -> Bool {
        switch node {
        case .nothing, .characters: false
        case .choice(let parts): parts.contains(where: hasAdjacentRepetitions)
        case .repetition(let body, _, _): hasAdjacentRepetitions(body)
        case .sequence(let parts):
            parts.contains(where: hasAdjacentRepetitions) || parts.indices.contains { meetsAnother($0, in: parts) }
        }
    }

    private static func meetsAnother(_ index: Int, in parts: [ExpressionNode]) -> Bool {
        guard case .repetition(let body, _, nil) = parts[index] else { return false }
        return body.leaves.contains { set in
            for part in parts[(index + 1)...] {
                guard let lengths = part.lengths(within: set) else { return false }
                if lengths.upperBound >= ExpressionNode.unlimited { return true }
            }
            return false
        }
    }
}

extension ExpressionNode {
    /// Whether the first character decides which alternative matches, and the alternative decides the length.
    fileprivate var isDecidedByItsFirstCharacter: Bool {
        guard case .choice(let parts) = unwrapped else { return false }
        let hasFixedLengths = parts.allSatisfy { part in
            part.lengths(within: .all).map { $0.lowerBound == $0.upperBound && $0.lowerBound > 0 } ?? false
        }
        let firsts = parts.map(\.first)
        return hasFixedLengths
            && firsts.indices.allSatisfy { first in !firsts[(first + 1)...].contains { $0.meets(firsts[first]) } }
    }

    /// The characters with which a matching text can begin.
    private var first: ExpressionCharacters {
        switch self {
        case .nothing: return .none
        case .characters(let set): return set
        case .choice(let parts): return parts.reduce(.none) { $0.union($1.first) }
        case .repetition(let body, _, _): return body.first
        case .sequence(let parts):
            var first = ExpressionCharacters.none
            for part in parts {
                first = first.union(part.first)
                if part.lengths(within: .all)?.lowerBound != 0 { break }
            }
            return first
        }
    }

    /// The node inside of sequences with one element.
    fileprivate var unwrapped: ExpressionNode {
        if case .sequence(let parts) = self, parts.count == 1 { return parts[0].unwrapped }
        return self
    }
}
