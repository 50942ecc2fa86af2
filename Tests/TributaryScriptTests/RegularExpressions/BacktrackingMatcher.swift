@testable import TributaryScript

/// A matcher that goes back and tries again, as engines do. It counts the characters that it compares.
struct BacktrackingMatcher {
    let text: [UInt32]
    private(set) var steps = 0
    private static let mostSteps = 200_000

    init(text: [UInt32]) { self.text = text }

    /// Looks for a match from one place after the other.
    mutating func search(_ node: ExpressionNode) {
        for start in 0...text.count where steps < Self.mostSteps {
            if match(node, at: start, { _, _ in true }) { return }
        }
    }

    private typealias Rest = (inout BacktrackingMatcher, Int) -> Bool

    private mutating func match(_ node: ExpressionNode, at place: Int, _ rest: Rest) -> Bool {
        guard steps < Self.mostSteps else { return true }
        switch node {
        case .characters(let set):
            steps += 1
            return place < text.count && set.contains(text[place]) && rest(&self, place + 1)
        case .sequence(let parts): return sequence(parts[...], at: place, rest)
        case .choice(let parts):
            for part in parts where match(part, at: place, rest) { return true }
            return false
        case .repetition(let body, let least, let most): return turns(body, least, most, 0, at: place, rest)
        case .start: return place == 0 && rest(&self, place)
        case .assertion: return place == text.count && rest(&self, place)
        case .lookahead(let body): return match(body, at: place, { _, _ in true }) && rest(&self, place)
        case .lookbehind, .reference: return rest(&self, place)
        }
    }

    private mutating func sequence(_ parts: ArraySlice<ExpressionNode>, at place: Int, _ rest: Rest) -> Bool {
        guard let first = parts.first else { return rest(&self, place) }
        return match(first, at: place) { $0.sequence(parts.dropFirst(), at: $1, rest) }
    }

    private mutating func turns(
        _ body: ExpressionNode, _ least: Int, _ most: Int?, _ done: Int, at place: Int, _ rest: Rest
    ) -> Bool {
        if most.map({ done < $0 }) ?? true {
            let matched = match(body, at: place) { matcher, end in
                // A turn without a character is no turn, unless it is demanded.
                if end == place, done >= least { return false }
                return matcher.turns(body, least, most, done + 1, at: end, rest)
            }
            if matched { return true }
        }
        return done >= least && rest(&self, place)
    }
}

/// Patterns by chance, the same for the same seed.
struct ExpressionChance {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func below(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }

    mutating func pattern(depth: Int) -> String {
        let parts = (0..<(1 + below(3))).map { _ in atom(depth) + quantifier() }
        let text = parts.joined()
        return below(8) == 0 ? text + "$" : below(12) == 0 ? "^" + text : text
    }

    private mutating func atom(_ depth: Int) -> String {
        switch depth > 0 ? below(8) : below(4) {
        case 0: return "a"
        case 1: return "b"
        case 2: return "[ab]"
        case 3: return "."
        case 4: return "(\(pattern(depth: depth - 1))|\(pattern(depth: depth - 1)))"
        case 5: return "(?=\(pattern(depth: depth - 1)))"
        default: return "(?:\(pattern(depth: depth - 1)))"
        }
    }

    private mutating func quantifier() -> String {
        ["", "", "", "*", "+", "?", "{2}", "{1,3}", "*?", "{2,}"][below(10)]
    }
}
