/// A regular expression with what its automaton says about its time.
struct AnalyzedExpression {
    private let automaton: ExpressionAutomaton?
    private let ambiguity: ExpressionAmbiguity?
    private let countsUnicode: Bool

    /// Ways in the automaton that may be looked at for one expression, and for all expressions of a script.
    static let visits = 60_000
    static let visitsOfScript = 3_000_000
    /// Steps of the engine that one try of an expression may take. One takes 10 to 100 ns.
    static let mostSteps = 1_048_576.0

    init(pattern: String, flags: String) {
        var visits = Self.visits
        self.init(pattern: pattern, flags: flags, visits: &visits)
    }

    /// - Parameter visits: how many ways may be looked at; without any left, the ways through each text are counted.
    init(pattern: String, flags: String, visits: inout Int) {
        automaton = ExpressionParser.node(of: pattern, flags: flags).flatMap(ExpressionAutomaton.init)
        countsUnicode = flags.contains("u") || flags.contains("v")
        var own = min(visits, Self.visits)
        let given = own
        ambiguity = automaton.map { ExpressionAmbiguity($0, visits: &own) }
        visits -= given - max(0, own)
    }

    var risk: ExpressionRisk {
        switch ambiguity?.growth {
        case .one, .finite: .none
        case .polynomial: .polynomial
        case .exponential: .exponential
        case .unknown, nil: .unknown
        }
    }

    var use: ExpressionUse {
        guard let ambiguity else { return .refused }
        switch ambiguity.growth {
        case .one: return ambiguity.isTriedAgainFromWithin ? .stepByStep : .anyText
        case .finite, .polynomial, .exponential, .unknown: return .counted
        }
    }

    /// The most steps that a search takes, or one try of it.
    /// - Parameters:
    ///   - start: the place in the text where it begins, in units of UTF-16.
    ///   - isOneTry: whether only a match that begins there is looked for.
    /// - Returns: nil for too many.
    func steps(in text: String, from start: Int, isOneTry: Bool) -> Double? {
        guard let automaton else { return nil }
        let isAtStart = start <= 0
        guard countsUnicode else {
            let units = text.utf16.lazy.dropFirst(start).map(UInt32.init)
            return automaton.steps(
                in: units, length: text.utf16.count, isAtStart: isAtStart, isOneTry: isOneTry, limit: Self.mostSteps)
        }
        let rest = text.utf16.index(text.utf16.startIndex, offsetBy: start, limitedBy: text.utf16.endIndex)
        let scalars = text.unicodeScalars[(rest ?? text.utf16.endIndex)...].lazy.map(\.value)
        return automaton.steps(
            in: scalars, length: text.utf16.count, isAtStart: isAtStart, isOneTry: isOneTry, limit: Self.mostSteps)
    }

    /// A text on which one try takes too many steps; nil when none is known.
    var slowText: String? {
        guard let witness = ambiguity?.witness, !witness.pump.isEmpty else { return nil }
        let end = automaton?.sets.contains { $0.contains(0x21) } == true ? "\u{1}" : "!"
        var turns = 1
        while turns < 100_000 {
            let text = witness.prefix + String(repeating: witness.pump, count: turns) + end
            if steps(in: text, from: 0, isOneTry: true) == nil { return text }
            turns += max(1, turns / 8)
        }
        return nil
    }
}
