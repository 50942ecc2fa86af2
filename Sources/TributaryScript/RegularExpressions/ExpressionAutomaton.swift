/// The ways of a regular expression to go through a text: one state for each character of the pattern, and the ways from
/// one to the next.
///
/// A matcher that goes back and tries again takes at most as many steps as there are ways through the automaton. Where
/// the automaton is not exact, it adds ways and removes none.
struct ExpressionAutomaton {
    struct Edge {
        let to: Int
        /// In how many ways the pattern gets there, all without a character in between.
        var ways: Double
        /// Whether only at the beginning of the text.
        var isAtStart = false
    }

    /// The characters with which a state is entered. The first state is the beginning, and is never entered.
    private(set) var sets: [ExpressionCharacters] = [.none]
    private(set) var edges: [[Edge]] = [[]]
    /// Whether the whole expression matches once the state was entered, whatever follows.
    private(set) var isFinal: [Bool] = [false]
    /// Steps of the matcher for each step in the automaton.
    private(set) var weight = 1.0
    /// Steps that are added for each character of the whole text, because it looks behind at a text of any length.
    private(set) var weightOfCharacter = 0.0
    /// In how many ways it matches nothing.
    private(set) var emptyWays = 0.0

    static let mostStates = 32_000
    static let mostEdges = 100_000
    /// Repetitions that allow more turns count as endless. Repetitions that demand more turns demand this many.
    private static let mostTurns = 16
    private static let mostDemanded = 32

    /// A part of the expression while the automaton is built.
    private struct Part {
        var first: [Edge] = []
        var last: [Last] = []
        /// In how many ways it matches nothing.
        var empty = 0.0
        /// Whether one of these ways cannot fail, and whether all of them are at the beginning of the text only.
        var isSurelyEmpty = false
        var isEmptyAtStart = false
    }

    private struct Last {
        let state: Int
        var ways: Double
        /// Whether the part has then matched for sure.
        var isSure: Bool
    }

    private struct TooLarge: Error {}
    private var edgeCount = 0

    /// Nil for an expression that is too large, or looks behind in very many ways.
    init?(_ node: ExpressionNode) {
        do {
            let whole = try build(node)
            edges[0] = try add(whole.first, to: [])
            emptyWays = whole.empty
            for last in whole.last where last.isSure { isFinal[last.state] = true }
        } catch {
            return nil
        }
    }

    private mutating func build(_ node: ExpressionNode) throws(TooLarge) -> Part {
        switch node {
        case .characters(let set): return try character(set)
        case .start: return Part(empty: 1, isEmptyAtStart: true)
        case .assertion: return Part(empty: 1)
        case .reference: return try build(.anything)
        case .lookahead(let body):
            // Its ways end there, and the rest of the expression begins before it.
            let body = try build(body)
            weight = max(weight, body.empty)
            return Part(first: body.first, empty: 1)
        case .lookbehind(let body):
            try lookBehind(body)
            return Part(empty: 1)
        case .choice(let parts):
            var choice = Part(isEmptyAtStart: true)
            for part in parts {
                let part = try build(part)
                choice.first += part.first
                choice.last += part.last
                choice.isSurelyEmpty = choice.isSurelyEmpty || part.isSurelyEmpty
                if part.empty > 0, !part.isEmptyAtStart { choice.isEmptyAtStart = false }
                choice.empty += part.empty
            }
            return choice
        case .sequence(let parts):
            var sequence = Part(empty: 1, isSurelyEmpty: true)
            for part in parts { sequence = try joined(sequence, try build(part)) }
            return sequence
        case .repetition(let body, let least, let most): return try repetition(body, least, most)
        }
    }

    private mutating func lookBehind(_ body: ExpressionNode) throws(TooLarge) {
        let steps = body.bound.steps
        guard steps > 1_000 else { return weight += steps }
        var visits = 20_000
        guard let reversed = ExpressionAutomaton(body.reversed),
            ExpressionAmbiguity(reversed, visits: &visits).growth == .one
        else { throw TooLarge() }
        weightOfCharacter += Double(reversed.sets.count) * (reversed.weight + 1)
    }

    private mutating func character(_ set: ExpressionCharacters) throws(TooLarge) -> Part {
        guard sets.count < Self.mostStates else { throw TooLarge() }
        sets.append(set)
        edges.append([])
        isFinal.append(false)
        return Part(
            first: [Edge(to: sets.count - 1, ways: 1)], last: [Last(state: sets.count - 1, ways: 1, isSure: true)])
    }

    private mutating func joined(_ one: Part, _ next: Part) throws(TooLarge) -> Part {
        try connect(one.last, next.first)
        var joined = Part(first: one.first, last: next.last, empty: one.empty * next.empty)
        if one.empty > 0 {
            joined.first += next.first.map {
                Edge(to: $0.to, ways: $0.ways * one.empty, isAtStart: $0.isAtStart || one.isEmptyAtStart)
            }
        }
        if next.empty > 0 {
            joined.last += one.last.map {
                Last(state: $0.state, ways: $0.ways * next.empty, isSure: $0.isSure && next.isSurelyEmpty)
            }
        }
        joined.isSurelyEmpty = one.isSurelyEmpty && next.isSurelyEmpty
        joined.isEmptyAtStart = joined.empty > 0 && (one.isEmptyAtStart || next.isEmptyAtStart)
        return joined
    }

    private mutating func repetition(_ body: ExpressionNode, _ least: Int, _ most: Int?) throws(TooLarge) -> Part {
        guard most != 0 else { return Part(empty: 1, isSurelyEmpty: true) }
        let demanded = min(least, Self.mostDemanded)
        var whole = Part(empty: 1, isSurelyEmpty: true)
        for _ in 0..<max(0, demanded - 1) { whole = try joined(whole, try build(body)) }
        guard let most, most - least <= Self.mostTurns, least == demanded else {
            var turn = try build(body)
            try connect(turn.last, turn.first)
            weight = max(weight, turn.empty)
            if demanded == 0 { (turn.empty, turn.isSurelyEmpty, turn.isEmptyAtStart) = (1, true, false) }
            whole = try joined(whole, turn)
            // With fewer turns than the pattern demands, nothing has matched for sure.
            if least != demanded { for index in whole.last.indices { whole.last[index].isSure = false } }
            return whole
        }
        if demanded > 0 { whole = try joined(whole, try build(body)) }
        // The innermost turn is the last one: a(a(a)?)?
        var optional: Part?
        for _ in 0..<(most - least) {
            var turn = try build(body)
            weight = max(weight, turn.empty)
            if let inner = optional { turn = try joined(turn, inner) }
            (turn.empty, turn.isSurelyEmpty, turn.isEmptyAtStart) = (1, true, false)
            optional = turn
        }
        return try optional.map { optional throws(TooLarge) in try joined(whole, optional) } ?? whole
    }

    private mutating func connect(_ last: [Last], _ first: [Edge]) throws(TooLarge) {
        for last in last {
            let added = first.map { Edge(to: $0.to, ways: $0.ways * last.ways) }
            edges[last.state] = try add(added, to: edges[last.state])
        }
    }

    /// Edges to one state become one edge.
    private mutating func add(_ more: [Edge], to edges: [Edge]) throws(TooLarge) -> [Edge] {
        guard !more.isEmpty else { return edges }
        edgeCount += more.count
        guard edgeCount <= Self.mostEdges else { throw TooLarge() }
        var edges = edges
        var places: [Int: Int] = [:]
        for (place, edge) in edges.enumerated() { places[edge.to] = place }
        for edge in more {
            if let place = places[edge.to] {
                edges[place].ways += edge.ways
                edges[place].isAtStart = edges[place].isAtStart && edge.isAtStart
            } else {
                places[edge.to] = edges.count
                edges.append(edge)
            }
        }
        return edges
    }
}

extension ExpressionAutomaton {
    /// Whether one character, or none, already has many ways.
    var hasManyWaysAtOnce: Bool {
        let many = 16.0
        return weightOfCharacter > 0 || emptyWays > many || weight > many
            || edges.contains { $0.contains { $0.ways > many } }
    }

    /// The most steps that the search in a text takes, or one try of it, from a place on; nil for more than a limit.
    /// - Parameters:
    ///   - characters: those of the text from that place on, of UTF-16 or of Unicode as the expression counts them.
    ///   - length: of the whole text.
    ///   - isOneTry: whether only a match that begins at that place is looked for.
    func steps(
        in characters: some Sequence<UInt32>, length: Int, isAtStart: Bool, isOneTry: Bool, limit: Double
    ) -> Double? {
        let weight = weight + weightOfCharacter * Double(length)
        var steps = 0.0
        var counts = [Double](repeating: 0, count: sets.count)
        var next = counts
        var active = [0]
        var isFirst = isAtStart
        counts[0] = 1
        for character in characters {
            var reached: [Int] = []
            for state in active {
                let count = counts[state]
                counts[state] = 0
                for edge in edges[state] {
                    if edge.isAtStart, state == 0, !isFirst { continue }
                    let ways = count * edge.ways
                    steps += ways
                    guard sets[edge.to].contains(character) else { continue }
                    if next[edge.to] == 0 { reached.append(edge.to) }
                    next[edge.to] = isFinal[edge.to] ? 1 : next[edge.to] + ways
                }
                // The search goes on at the next place even when nothing can begin here.
                steps += count + (state == 0 ? emptyWays : 0)
            }
            guard steps * weight <= limit else { return nil }
            isFirst = false
            swap(&counts, &next)
            active = reached
            if isOneTry {
                if active.isEmpty { break }
            } else {
                active.append(0)
                counts[0] = 1
            }
        }
        for state in active { steps += counts[state] * edges[state].reduce(1 + emptyWays) { $0 + $1.ways } }
        return steps * weight <= limit ? steps * weight : nil
    }
}
