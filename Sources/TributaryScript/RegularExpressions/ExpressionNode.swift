/// A part of a regular expression, as far as it affects the ways to match.
indirect enum ExpressionNode: Sendable {
    /// One character of a set.
    case characters(ExpressionCharacters)
    case sequence([ExpressionNode])
    case choice([ExpressionNode])
    /// A repetition with its bounds; nil means no upper bound.
    case repetition(ExpressionNode, least: Int, most: Int?)
    /// The beginning of the text.
    case start
    /// A condition without a length, such as the end of the text or of a word.
    case assertion
    /// A look at the following text. The next node matches that text again.
    case lookahead(ExpressionNode)
    case lookbehind(ExpressionNode)
    /// The text that a group matched, or nothing.
    case reference(Int)
}

extension ExpressionNode {
    /// Any text.
    static let anything = ExpressionNode.repetition(.characters(.all), least: 0, most: nil)

    /// The node with something in the place of each reference.
    func replacingReferences(_ replacement: (Int) -> ExpressionNode) -> ExpressionNode {
        switch self {
        case .characters, .start, .assertion: self
        case .sequence(let parts): .sequence(parts.map { $0.replacingReferences(replacement) })
        case .choice(let parts): .choice(parts.map { $0.replacingReferences(replacement) })
        case .repetition(let body, let least, let most):
            .repetition(body.replacingReferences(replacement), least: least, most: most)
        case .lookahead(let body): .lookahead(body.replacingReferences(replacement))
        case .lookbehind(let body): .lookbehind(body.replacingReferences(replacement))
        case .reference(let number): replacement(number)
        }
    }

    /// The characters that match by themselves, as far as they are known exactly.
    var singleCharacters: ExpressionCharacters? {
        switch self {
        case .characters(let set): return set.meets(ExpressionCharacters(0x80)) ? nil : set
        case .sequence(let parts): return parts.count == 1 ? parts[0].singleCharacters : nil
        case .choice(let parts):
            let found = parts.compactMap(\.singleCharacters)
            return found.isEmpty ? nil : found.reduce(.none) { $0.union($1) }
        default: return nil
        }
    }

    /// A node that is one character, without some characters.
    func without(_ set: ExpressionCharacters) -> ExpressionNode {
        if case .characters(let own) = self { return .characters(own.intersection(set.inverted)) }
        return self
    }

    /// The same from the end to the beginning, as a matcher goes through what it looks behind at.
    var reversed: ExpressionNode {
        switch self {
        case .sequence(let parts): .sequence(parts.reversed().map(\.reversed))
        case .choice(let parts): .choice(parts.map(\.reversed))
        case .repetition(let body, let least, let most): .repetition(body.reversed, least: least, most: most)
        default: self
        }
    }

    /// The most ways to match, and the most steps for them, on any text; infinite for an endless repetition.
    var bound: (ways: Double, steps: Double) {
        switch self {
        case .start, .assertion: (1, 1)
        case .characters: (1, 1)
        case .sequence(let parts):
            parts.reduce((1, 0)) { ($0.0 * $1.bound.ways, $0.1 + $0.0 * $1.bound.steps) }
        case .choice(let parts): parts.reduce((0, 0)) { ($0.0 + $1.bound.ways, $0.1 + $1.bound.steps) }
        case .repetition(let body, _, let most):
            most.map { $0 <= 32 } ?? false
                ? (0..<(most ?? 0)).reduce((1, 0)) { so, _ in
                    (1 + so.0 * body.bound.ways, body.bound.steps * (1 + so.1))
                } : (.infinity, .infinity)
        case .lookahead(let body), .lookbehind(let body): (1, body.bound.steps)
        case .reference: (.infinity, .infinity)
        }
    }
}
