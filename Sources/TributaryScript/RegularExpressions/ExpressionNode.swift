/// A part of a regular expression, as far as it affects the ways to match.
indirect enum ExpressionNode {
    /// One character of a set.
    case characters(ExpressionCharacters)
    case sequence([ExpressionNode])
    case choice([ExpressionNode])
    /// A repetition with its bounds; nil means no upper bound.
    case repetition(ExpressionNode, least: Int, most: Int?)
    /// Anchors, lookahead and lookbehind.
    case nothing
}

extension ExpressionNode {
    /// The lengths of the texts that it can match with characters of a set alone: the shortest, and the longest up to a
    /// limit. Nil when it needs another character.
    func lengths(within set: ExpressionCharacters) -> ClosedRange<Int>? {
        switch self {
        case .nothing: return 0...0
        case .characters(let own): return own.meets(set) ? 1...1 : nil
        case .sequence(let parts):
            var sum = 0...0
            for part in parts {
                guard let lengths = part.lengths(within: set) else { return nil }
                sum = Self.limited(sum.lowerBound + lengths.lowerBound, sum.upperBound + lengths.upperBound)
            }
            return sum
        case .choice(let parts):
            let found = parts.compactMap { $0.lengths(within: set) }
            guard let least = found.map(\.lowerBound).min(), let most = found.map(\.upperBound).max() else {
                return nil
            }
            return least...most
        case .repetition(let body, let least, let most):
            guard let lengths = body.lengths(within: set) else { return least == 0 ? 0...0 : nil }
            return Self.limited(lengths.lowerBound * least, lengths.upperBound * (most ?? Self.unlimited))
        }
    }

    private static func limited(_ least: Int, _ most: Int) -> ClosedRange<Int> {
        min(least, unlimited)...max(min(least, unlimited), min(most, unlimited))
    }

    /// Longer than any relevant text.
    static let unlimited = 1_000_000

    /// The sets of all its characters.
    var leaves: [ExpressionCharacters] {
        switch self {
        case .nothing: []
        case .characters(let set): [set]
        case .sequence(let parts), .choice(let parts): parts.flatMap(\.leaves)
        case .repetition(let body, _, _): body.leaves
        }
    }
}
