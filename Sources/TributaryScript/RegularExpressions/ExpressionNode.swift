/// A part of a regular expression, as far as its ways to match are concerned.
indirect enum ExpressionNode {
    /// One character of a set.
    case characters(ExpressionCharacters)
    case sequence([ExpressionNode])
    case choice([ExpressionNode])
    /// The bounds are those of the repetition; nil for no upper one.
    case repetition(ExpressionNode, least: Int, most: Int?)
    /// Anchors, and what looks ahead or behind.
    case nothing
}

extension ExpressionNode {
    /// How long the texts are that it can match with characters of a set alone: the shortest, and the longest up to a
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

    /// Longer than any text that matters.
    static let unlimited = 1_000_000

    /// The sets of all characters in it.
    var leaves: [ExpressionCharacters] {
        switch self {
        case .nothing: []
        case .characters(let set): [set]
        case .sequence(let parts), .choice(let parts): parts.flatMap(\.leaves)
        case .repetition(let body, _, _): body.leaves
        }
    }
}
