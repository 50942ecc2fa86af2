import Foundation

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
        if node.growth > 1 { return .exponential }
        return node.neighbours(isChecked: false) > 1 ? .polynomial : .none
    }

    /// How a pattern may be used when nothing can stop the engine.
    static func use(pattern: String, flags: String) -> ExpressionUse {
        guard let node = ExpressionParser.node(of: pattern, flags: flags) else { return .anyText }
        if node.growth > 1 { return .texts(atMost: max(1, Int(log(exponentialSteps) / log(node.growth)))) }
        let isTriedOnce = node.isAlwaysAnchored(by: pattern) && !flags.contains("m")
        let neighbours = node.neighbours(isChecked: false)
        guard neighbours > 1 else {
            return !isTriedOnce && node.isTriedAgainFromWithin ? .stepByStep : .anyText
        }
        // A factorial of a larger number is no Double.
        let degree = Double(min(neighbours + (isTriedOnce ? 0 : 1), 100))
        return .texts(atMost: Int(pow(polynomialSteps * tgamma(degree + 1), 1 / degree)))
    }

    /// One way of an exponential expression takes about half a microsecond, one step of a polynomial expression 10 ns.
    private static let exponentialSteps = 65_536.0
    private static let polynomialSteps = 8_388_608.0
}

// MARK: Exponential

extension ExpressionNode {
    /// Repetitions with at least this bound count as endless.
    private static let many = 10

    /// The factor by which one more character multiplies the ways to match a text; at least 1.
    ///
    /// A repetition is ambiguous when its body can match a text as one piece and as several, or as two alternatives.
    fileprivate var growth: Double {
        switch self {
        case .nothing, .characters: 1
        case .sequence(let parts), .choice(let parts): parts.map(\.growth).max() ?? 1
        case .repetition(let body, _, let most):
            (most ?? Self.many) >= Self.many
                ? body.growth * (body.leaves.map { body.growth(repeatedWithin: $0) }.max() ?? 1) : body.growth
        }
    }

    private func growth(repeatedWithin set: ExpressionCharacters) -> Double {
        guard !isDecidedByItsFirstCharacter else { return 1 }
        guard let lengths = lengths(within: set), lengths.upperBound > 0 else { return 1 }
        let shortest = max(lengths.lowerBound, 1)
        // A text is one piece of the longest length, or two of the shortest. Pieces without length are not repeated.
        let ofPieces = lengths.upperBound >= 2 * shortest ? Self.growth(ofPieces: shortest...lengths.upperBound) : 1
        return max(ofPieces, pow(Double(equalChoices(set)), 1 / Double(shortest)))
    }

    /// The number x for which the sum of x to the power of minus each length is 1.
    private static func growth(ofPieces lengths: ClosedRange<Int>) -> Double {
        var (low, high) = (1.0, 2.0)
        for _ in 0..<20 {
            let middle = (low + high) / 2
            let first = pow(middle, -Double(lengths.lowerBound))
            let rest = pow(middle, -Double(lengths.upperBound) - 1)
            if (first - rest) / (1 - 1 / middle) > 1 { low = middle } else { high = middle }
        }
        return high
    }

    /// How many alternatives can match the same text; 1 when no two can.
    private func equalChoices(_ set: ExpressionCharacters) -> Int {
        guard case .choice(let parts) = unwrapped else { return 1 }
        let lengths = parts.compactMap { $0.lengths(within: set) }.filter { $0.upperBound > 0 }
        return lengths.map { one in lengths.filter { $0.overlaps(one) }.count }.max() ?? 1
    }
}

// MARK: Polynomial

extension ExpressionNode {
    /// How many endless repetitions can share a text between them in many ways; 1 when no two can.
    /// - Parameter isChecked: whether something after the node can fail to match. Otherwise the first way is the last.
    fileprivate func neighbours(isChecked: Bool) -> Int {
        switch self {
        case .nothing, .characters: 1
        case .choice(let parts): parts.map { $0.neighbours(isChecked: isChecked) }.max() ?? 1
        case .repetition(let body, _, let most): body.neighbours(isChecked: isChecked && most != 0)
        case .sequence(let parts):
            parts.indices.map { index in
                let isChecked = isChecked || parts[(index + 1)...].contains(where: \.canFail)
                return max(
                    parts[index].neighbours(isChecked: isChecked),
                    isChecked ? Self.neighbours(of: index, in: parts) : 1)
            }.max() ?? 1
        }
    }

    private static func neighbours(of index: Int, in parts: [ExpressionNode]) -> Int {
        guard case .repetition(let body, _, nil) = parts[index] else { return 1 }
        return body.leaves.map { set in
            var count = 1
            for part in parts[(index + 1)...] {
                guard let lengths = part.lengths(within: set) else { return count }
                if lengths.upperBound >= ExpressionNode.unlimited { count += 1 }
            }
            return count
        }.max() ?? 1
    }

    /// Whether there are texts that it does not match.
    private var canFail: Bool {
        switch self {
        case .nothing, .characters: true
        case .sequence(let parts): parts.contains(where: \.canFail)
        case .choice(let parts): parts.allSatisfy(\.canFail)
        case .repetition(let body, let least, let most): most == 0 || least > 0 && body.canFail
        }
    }
}

// MARK: Quadratic

extension ExpressionNode {
    /// Whether an endless repetition can run through a text and fail behind it, again from each character of that text.
    fileprivate var isTriedAgainFromWithin: Bool { isTriedAgainFromWithin(after: [], isChecked: false) }

    /// - Parameters:
    ///   - before: the nodes before this one, from the beginning of the expression.
    ///   - isChecked: whether something after the node can fail to match.
    private func isTriedAgainFromWithin(after before: [ExpressionNode], isChecked: Bool) -> Bool {
        switch self {
        case .nothing, .characters: return false
        case .choice(let parts):
            return parts.contains { $0.isTriedAgainFromWithin(after: before, isChecked: isChecked) }
        case .sequence(let parts):
            return parts.indices.contains { index in
                parts[index].isTriedAgainFromWithin(
                    after: before + parts[..<index],
                    isChecked: isChecked || parts[(index + 1)...].contains(where: \.canFail))
            }
        case .repetition(let body, _, let most):
            if most == nil, isChecked,
                body.leaves.contains(where: { set in before.allSatisfy { $0.lengths(within: set) != nil } })
            {
                return true
            }
            return body.isTriedAgainFromWithin(after: before, isChecked: isChecked && most != 0)
        }
    }

    /// Whether the expression can match at the beginning of a text only.
    fileprivate func isAlwaysAnchored(by pattern: String) -> Bool {
        if case .choice = self { return false }
        return pattern.hasPrefix("^")
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
