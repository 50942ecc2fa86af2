/// How the number of ways through an automaton grows with the length of a text that does not match.
///
/// The criteria are those of Weber and Seidl. A state that one text leads back to in two ways makes the growth
/// exponential. Two states p and q, where one text leads from p to p, from p to q and from q to q, add one to the degree
/// of a polynomial; a chain of such pairs adds one for each.
///
/// States behind which the expression has matched for sure are left once only, so they multiply nothing.
struct ExpressionAmbiguity {
    enum Growth: Equatable {
        /// A text leads to a state in one way at most.
        case one
        /// In a number of ways that depends on the pattern and not on the text.
        case finite
        /// In a number of ways that grows with this power of the length, at least 1.
        case polynomial(Int)
        case exponential
        /// The automaton is too large to be looked at in the time for it.
        case unknown
    }

    /// A text that is slow: `prefix`, then `pump` many times, and then something that does not match.
    struct Witness: Equatable {
        let prefix: String
        let pump: String
    }

    /// For tries that begin at one place.
    private(set) var growth = Growth.one
    /// Whether the search makes a try of linear time from many places of the same text.
    private(set) var isTriedAgainFromWithin = false
    private(set) var witness: Witness?

    private let automaton: ExpressionAutomaton
    private let inner: StateGroups
    private let all: StateGroups
    private var visitsLeft: Int

    private struct OutOfTime: Error {}

    /// - Parameter visits: how many edges may be looked at.
    init(_ automaton: ExpressionAutomaton, visits: inout Int) {
        self.automaton = automaton
        all = StateGroups(automaton, includingFinal: true)
        inner = StateGroups(automaton, includingFinal: false)
        visitsLeft = visits
        do {
            try look()
        } catch {
            growth = .unknown
        }
        visits = visitsLeft
    }

    private mutating func look() throws(OutOfTime) {
        isTriedAgainFromWithin = try repeatsFromStart()
        if let found = try repetition(withinGroups: true) {
            growth = .exponential
            return witness = found
        }
        let degree = try degree()
        guard degree == 0 else { return growth = .polynomial(degree) }
        let isAmbiguous = try repetition(withinGroups: false) != nil
        if isAmbiguous || automaton.hasManyWaysAtOnce { growth = .finite }
    }

    private mutating func visit(_ count: Int = 1) throws(OutOfTime) {
        visitsLeft -= count
        guard visitsLeft > 0 else { throw OutOfTime() }
    }

    // MARK: Two ways to one state

    private struct Pair: Hashable {
        let one: Int
        let other: Int

        init(_ one: Int, _ other: Int) { (self.one, self.other) = (min(one, other), max(one, other)) }
    }

    /// Looks for a text that leads from a state to another one in two ways.
    /// - Parameter withinGroups: whether the second state has to lead back to the first.
    private mutating func repetition(withinGroups: Bool) throws(OutOfTime) -> Witness? {
        var origins: [Pair: (from: Pair?, source: Int, characters: ExpressionCharacters)] = [:]
        var waiting: [Pair] = []
        for source in automaton.edges.indices {
            let isInLoop = inner.isLoop(inner.group[source])
            if withinGroups, !isInLoop { continue }
            let next = automaton.edges[source].filter { edge in
                !automaton.isFinal[edge.to] && (!withinGroups || inner.group[edge.to] == inner.group[source])
            }
            for (index, edge) in next.enumerated() {
                if edge.ways > 1 {
                    return try witness(
                        source, [automaton.sets[edge.to]], edge.to, withinGroups)
                }
                for other in next[(index + 1)...] {
                    try visit()
                    let both = automaton.sets[edge.to].intersection(automaton.sets[other.to])
                    guard !both.isEmpty else { continue }
                    let pair = Pair(edge.to, other.to)
                    if origins[pair] == nil {
                        origins[pair] = (nil, source, both)
                        waiting.append(pair)
                    }
                }
            }
        }
        while let pair = waiting.popLast() {
            for edge in automaton.edges[pair.one] where !automaton.isFinal[edge.to] {
                if withinGroups, inner.group[edge.to] != inner.group[pair.one] { continue }
                for other in automaton.edges[pair.other] where !automaton.isFinal[other.to] {
                    try visit()
                    if withinGroups, inner.group[other.to] != inner.group[pair.one] { continue }
                    let both = automaton.sets[edge.to].intersection(automaton.sets[other.to])
                    guard !both.isEmpty else { continue }
                    if edge.to == other.to {
                        var text = [both]
                        var (step, source) = (Optional(pair), 0)
                        while let current = step, let origin = origins[current] {
                            text.append(origin.characters)
                            (step, source) = (origin.from, origin.source)
                        }
                        return try witness(source, text.reversed(), edge.to, withinGroups)
                    }
                    let next = Pair(edge.to, other.to)
                    if origins[next] == nil {
                        origins[next] = (pair, origins[pair]?.source ?? 0, both)
                        waiting.append(next)
                    }
                }
            }
        }
        return nil
    }

    private mutating func witness(
        _ source: Int, _ text: [ExpressionCharacters], _ end: Int, _ isLoop: Bool
    ) throws(OutOfTime) -> Witness {
        let back = isLoop ? try way(from: end, to: source) : []
        return Witness(prefix: Self.text(try way(from: 0, to: source)), pump: Self.text(text + back))
    }

    /// A text with a character of each set.
    private static func text(_ sets: [ExpressionCharacters]) -> String { String(sets.compactMap(\.example)) }

    /// The shortest way from one state to another, as the characters of each step.
    private mutating func way(from start: Int, to end: Int) throws(OutOfTime) -> [ExpressionCharacters] {
        guard start != end else { return [] }
        var origins: [Int: (from: Int, characters: ExpressionCharacters)] = [:]
        var waiting = [start]
        var place = 0
        while place < waiting.count {
            let state = waiting[place]
            place += 1
            for edge in automaton.edges[state] where origins[edge.to] == nil {
                try visit()
                guard !automaton.sets[edge.to].isEmpty else { continue }
                origins[edge.to] = (state, automaton.sets[edge.to])
                if edge.to == end {
                    var text: [ExpressionCharacters] = []
                    var current = end
                    repeat {
                        guard let origin = origins[current] else { break }
                        text.append(origin.characters)
                        current = origin.from
                    } while current != start
                    return text.reversed()
                }
                waiting.append(edge.to)
            }
        }
        return []
    }

    // MARK: Chains of loops

    private struct Triple: Hashable {
        let first: Int
        let middle: Int
        let last: Int
    }

    /// The length of the longest chain.
    private mutating func degree() throws(OutOfTime) -> Int {
        // Groups are numbered so that each way leads to a smaller number.
        var degrees = [Int](repeating: 0, count: inner.states.count)
        var longest = 0
        for target in inner.states.indices.reversed() {
            if inner.isLoop(target) {
                if degrees[target] == 0, let found = try chainFromFinal(to: target) {
                    degrees[target] = 1
                    if longest == 0 { (longest, witness) = (1, found) }
                }
                for source in inner.states.indices where source > target && inner.isLoop(source) {
                    let degree = degrees[source] + 1
                    guard degree > degrees[target],
                        let found = try chain(inner.states[source], target, in: inner, passesFinal: false)
                    else { continue }
                    degrees[target] = degree
                    if degree > longest { (longest, witness) = (degree, found) }
                }
            }
            for state in inner.states[target] where !automaton.isFinal[state] {
                for edge in automaton.edges[state] where !automaton.isFinal[edge.to] {
                    let next = inner.group[edge.to]
                    degrees[next] = max(degrees[next], degrees[target])
                }
            }
        }
        return longest
    }

    /// A state that has matched for sure is passed once at each place, and tries the rest from each.
    private mutating func chainFromFinal(to target: Int) throws(OutOfTime) -> Witness? {
        for group in all.states.indices where all.isLoop(group) {
            let finals = all.states[group].filter { automaton.isFinal[$0] }
            if let found = try chain(finals, target, in: all, passesFinal: true) { return found }
        }
        return nil
    }

    /// Looks for a text that leads from a state back to it, from it to a state of the group, and from that back to it.
    private mutating func chain(
        _ starts: [Int], _ target: Int, in groups: StateGroups, passesFinal: Bool
    ) throws(OutOfTime) -> Witness? {
        for start in starts {
            for end in inner.states[target] where start != end {
                guard let pump = try pump(start, end, in: groups, passesFinal) else { continue }
                return Witness(prefix: Self.text(try way(from: 0, to: start)), pump: Self.text(pump))
            }
        }
        return nil
    }

    private mutating func pump(
        _ start: Int, _ end: Int, in groups: StateGroups, _ passesFinal: Bool
    ) throws(OutOfTime) -> [ExpressionCharacters]? {
        let goal = Triple(first: start, middle: end, last: end)
        let begin = Triple(first: start, middle: start, last: end)
        var origins: [Triple: (from: Triple, characters: ExpressionCharacters)] = [:]
        var waiting = [begin]
        var place = 0
        while place < waiting.count {
            let triple = waiting[place]
            place += 1
            for first in automaton.edges[triple.first] where groups.group[first.to] == groups.group[start] {
                for last in automaton.edges[triple.last] where inner.group[last.to] == inner.group[end] {
                    try visit()
                    let outer = automaton.sets[first.to].intersection(automaton.sets[last.to])
                    guard !outer.isEmpty else { continue }
                    for middle in automaton.edges[triple.middle] {
                        try visit()
                        if automaton.isFinal[middle.to], !passesFinal { continue }
                        let common = outer.intersection(automaton.sets[middle.to])
                        guard !common.isEmpty else { continue }
                        let next = Triple(first: first.to, middle: middle.to, last: last.to)
                        guard origins[next] == nil else { continue }
                        origins[next] = (triple, common)
                        guard next == goal else {
                            waiting.append(next)
                            continue
                        }
                        var text: [ExpressionCharacters] = []
                        var current = goal
                        repeat {
                            guard let origin = origins[current] else { break }
                            text.append(origin.characters)
                            current = origin.from
                        } while current != begin
                        return text.reversed()
                    }
                }
            }
        }
        return nil
    }

    /// Whether a text leads from the beginning of the search into a loop, again from each of its places.
    private mutating func repeatsFromStart() throws(OutOfTime) -> Bool {
        for group in inner.states.indices where inner.isLoop(group) {
            for end in inner.states[group] where try repeatsFromStart(to: end) { return true }
        }
        return false
    }

    private mutating func repeatsFromStart(to end: Int) throws(OutOfTime) -> Bool {
        var seen: Set<SearchPair> = []
        var waiting = [SearchPair(middle: 0, last: end)]
        while let pair = waiting.popLast() {
            for last in automaton.edges[pair.last] where inner.group[last.to] == inner.group[end] {
                var next = automaton.edges[pair.middle]
                if pair.middle == 0 { next = next.filter { !$0.isAtStart } }
                for middle in next {
                    try visit()
                    guard automaton.sets[last.to].meets(automaton.sets[middle.to]) else { continue }
                    let reached = SearchPair(middle: middle.to, last: last.to)
                    if middle.to == end, last.to == end { return true }
                    if seen.insert(reached).inserted { waiting.append(reached) }
                }
                if pair.middle == 0, seen.insert(SearchPair(middle: 0, last: last.to)).inserted {
                    waiting.append(SearchPair(middle: 0, last: last.to))
                }
            }
        }
        return false
    }

    private struct SearchPair: Hashable {
        let middle: Int
        let last: Int
    }
}

/// The states of an automaton in groups, inside of which each state leads to each other.
struct StateGroups {
    /// The group of each state. Each way leads to a smaller number, or stays.
    private(set) var group: [Int]
    private(set) var states: [[Int]] = []
    private var hasLoop: [Bool] = []

    /// - Parameter includingFinal: whether the states count behind which the expression has matched for sure. Else each of
    ///   them is a group of its own.
    init(_ automaton: ExpressionAutomaton, includingFinal: Bool) {
        let count = automaton.sets.count
        group = [Int](repeating: -1, count: count)
        let next = automaton.edges.indices.map { state in
            includingFinal || !automaton.isFinal[state]
                ? automaton.edges[state].map(\.to).filter { includingFinal || !automaton.isFinal[$0] } : []
        }
        // Tarjan's algorithm, with a stack of its own.
        var index = [Int](repeating: -1, count: count)
        var low = index
        var open: [Int] = []
        var isOpen = [Bool](repeating: false, count: count)
        var number = 0
        for root in 0..<count where index[root] < 0 {
            var calls: [(state: Int, edge: Int)] = [(root, 0)]
            while let (state, edge) = calls.last {
                if edge == 0, index[state] < 0 {
                    (index[state], low[state]) = (number, number)
                    number += 1
                    open.append(state)
                    isOpen[state] = true
                }
                if edge < next[state].count {
                    calls[calls.count - 1].edge += 1
                    let target = next[state][edge]
                    if index[target] < 0 {
                        calls.append((target, 0))
                    } else if isOpen[target] {
                        low[state] = min(low[state], index[target])
                    }
                    continue
                }
                calls.removeLast()
                if let caller = calls.last?.state { low[caller] = min(low[caller], low[state]) }
                guard low[state] == index[state] else { continue }
                var members: [Int] = []
                repeat {
                    let member = open.removeLast()
                    isOpen[member] = false
                    group[member] = states.count
                    members.append(member)
                } while members.last != state
                hasLoop.append(members.count > 1 || next[state].contains(state))
                states.append(members)
            }
        }
    }

    /// Whether its states lead back to themselves.
    func isLoop(_ group: Int) -> Bool { hasLoop[group] }
}
