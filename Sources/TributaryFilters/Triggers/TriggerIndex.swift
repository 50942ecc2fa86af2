/// Finds the conditions that may be true for an event. The cost does not grow with the number of other conditions.
///
/// Each event is examined once, place by place. The values there point to the conditions that may be true. All other
/// conditions are false, and no part of them is unknown.
final class TriggerIndex: Sendable {
    /// What the triggers need to know about one place.
    struct Asked: Sendable {
        let place: Int32
        var texts = false
        var lowercases = false
        var numbers = false
        /// One bit for each type that triggers look for.
        var kinds: UInt8 = 0
        /// The lengths of the pieces of text that triggers look for: the sum of some of 1, 2 and 4.
        var pieces: UInt8 = 0
        /// Positions in `lowerBounds`, by ascending number, and in `upperBounds`, by descending number.
        var lowerBounds: Range<Int32> = 0..<0
        var upperBounds: Range<Int32> = 0..<0
    }

    /// A bound that a value has to reach for a condition.
    struct Bound: Sendable {
        let number: Double
        let condition: Int32
    }

    private let places: [Asked]
    /// For each place its position in `places`; -1 for a place without triggers.
    private let positions: [Int32]
    /// Positions in `places` for which it matters that an event does not have the place.
    private let missing: [Int32]
    private let table: TriggerTable
    private let lowerBounds: [Bound]
    private let upperBounds: [Bound]
    /// The conditions that no trigger covers, one bit each.
    private let always: [UInt64]

    init(_ conditions: [Int32], of program: FilterProgram) {
        let builder = TriggerIndexBuilder(conditions, of: program)
        always = builder.always
        let places = builder.asked
        var positions: [Int32] = Array(repeating: -1, count: program.places.count)
        for (position, asked) in places.enumerated() { positions[Int(asked.place)] = Int32(position) }
        let undefined = TriggerKey.bit(of: .undefined)
        self.places = places
        self.positions = positions
        missing = places.indices.filter { places[$0].kinds & undefined != 0 }.map { Int32($0) }
        table = TriggerTable(builder.conditionsByKey)
        lowerBounds = builder.lowerBounds
        upperBounds = builder.upperBounds
    }

    /// Lends `body` memory for conditions, which `find` fills. The memory ends with the call.
    func withCandidates<Result>(_ body: (Candidates) -> Result) -> Result {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: always.count) { words in
            words.initialize(repeating: 0)
            return body(Candidates(words: words))
        }
    }

    /// Replaces the candidates by the conditions that may be true, or unknown, for the event that is being looked at.
    func find(_ candidates: Candidates, _ evaluator: FilterEvaluator) {
        for position in always.indices { candidates.words[position] = always[position] }
        for position in missing where evaluator.value(at: places[Int(position)].place).kind == .undefined {
            insert(TriggerKey.kind(places[Int(position)].place, .undefined), into: candidates)
        }
        for position in 0..<evaluator.foundCount {
            let (place, value) = evaluator.foundValue(position)
            let asked = positions[Int(place)]
            if asked >= 0 { find(places[Int(asked)], value, evaluator, candidates) }
        }
    }

    private func find(
        _ asked: Asked, _ value: FilterValue, _ evaluator: FilterEvaluator, _ candidates: Candidates
    ) {
        if asked.kinds & TriggerKey.bit(of: value.kind) != 0 {
            insert(TriggerKey.kind(asked.place, value.kind), into: candidates)
        }
        switch value.kind {
        case .text: findText(asked, evaluator, candidates)
        case .number: findNumber(asked, value.number, candidates)
        case .undefined, .null, .bool, .lowercase, .container: break
        }
    }

    private func insert(_ key: UInt64, into candidates: Candidates) {
        for position in table.conditions(of: key) { candidates.insert(table.lists[position]) }
    }

    private func findNumber(_ asked: Asked, _ number: Double, _ candidates: Candidates) {
        if asked.numbers { insert(TriggerKey.number(asked.place, number), into: candidates) }
        for position in asked.lowerBounds {
            guard lowerBounds[Int(position)].number <= number else { break }
            candidates.insert(lowerBounds[Int(position)].condition)
        }
        for position in asked.upperBounds {
            guard upperBounds[Int(position)].number >= number else { break }
            candidates.insert(upperBounds[Int(position)].condition)
        }
    }

    private func findText(_ asked: Asked, _ evaluator: FilterEvaluator, _ candidates: Candidates) {
        guard asked.texts || asked.lowercases || asked.pieces != 0 else { return }
        let text = evaluator.text(at: asked.place)
        if asked.texts { insert(TriggerKey.text(asked.place, TextHash.hash(text)), into: candidates) }
        if asked.lowercases {
            let hash = TextHash.hashOfLowercase(text)
            let key = hash.map { TriggerKey.lowercase(asked.place, $0) } ?? TriggerKey.beyondASCII(asked.place)
            insert(key, into: candidates)
        }
        if asked.pieces != 0 {
            text.withBytes { bytes in
                for length in TextPiece.lengths where asked.pieces & length != 0 {
                    findPieces(of: bytes, length, asked.place, candidates)
                }
            }
        }
    }

    private func findPieces(
        of bytes: UnsafeBufferPointer<UInt8>, _ length: UInt8, _ place: Int32, _ candidates: Candidates
    ) {
        guard bytes.count >= Int(length) else { return }
        for position in 0...(bytes.count - Int(length)) {
            let key = TriggerKey.piece(place, TextPiece(bytes, at: position, length: length))
            if table.mayHave(key) { insert(key, into: candidates) }
        }
    }
}
