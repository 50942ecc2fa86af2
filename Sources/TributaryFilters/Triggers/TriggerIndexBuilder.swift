/// Chooses the triggers of each condition, and collects them for an index.
struct TriggerIndexBuilder {
    /// A piece of a text that triggers look for at a place.
    private struct PlacedPiece: Hashable {
        let place: Int32
        let piece: TextPiece
    }

    /// The conditions that have to be evaluated for each event, one bit each.
    private(set) var always: [UInt64]
    private(set) var conditionsByKey: [UInt64: [Int32]] = [:]
    private(set) var lowerBounds: [TriggerIndex.Bound] = []
    private(set) var upperBounds: [TriggerIndex.Bound] = []
    private var askedByPlace: [Int32: TriggerIndex.Asked] = [:]
    private var lowerByPlace: [Int32: [TriggerIndex.Bound]] = [:]
    private var upperByPlace: [Int32: [TriggerIndex.Bound]] = [:]
    /// The number of conditions for each trigger, which shows how often it would lead there in vain.
    private var uses: [Trigger: Int] = [:]
    private var pieceUses: [PlacedPiece: Int] = [:]

    init(_ conditions: [Int32], of program: FilterProgram) {
        always = Array(repeating: 0, count: (conditions.count + 63) / 64)
        let finder = CoverFinder(program: program)
        let covers = conditions.map { finder.cover(of: $0) }
        for cover in covers { cover.forEachTrigger { count($0) } }
        for (position, cover) in covers.enumerated() {
            if case .nothing = cover {
                always[position >> 6] |= 1 &<< UInt64(position & 63)
            } else {
                add(cover, for: Int32(position))
            }
        }
        collectBounds()
    }

    /// The facts that triggers need, in the order of the places.
    var asked: [TriggerIndex.Asked] { askedByPlace.values.sorted { $0.place < $1.place } }

    // MARK: Choosing

    private mutating func count(_ trigger: Trigger) {
        uses[trigger.shared, default: 0] += 1
        guard case .contains(let place, let bytes) = trigger else { return }
        for piece in TextPiece.all(of: bytes) { pieceUses[PlacedPiece(place: place, piece: piece), default: 0] += 1 }
    }

    /// Adds the triggers of the cheapest choice.
    private mutating func add(_ cover: Cover, for condition: Int32) {
        switch cover {
        case .nothing: break
        case .trigger(let trigger): add(trigger, for: condition)
        case .all(let covers): for cover in covers { add(cover, for: condition) }
        case .each(let covers):
            // Of equal covers the last one, because rules begin with what many have in common, such as the type.
            if let best = covers.reversed().min(by: { cost(of: $0) < cost(of: $1) }) { add(best, for: condition) }
        }
    }

    /// The approximate cost of a cover.
    private func cost(of cover: Cover) -> Int {
        switch cover {
        case .nothing: 0
        case .trigger(let trigger): (uses[trigger.shared] ?? 0) + trigger.effort
        case .all(let covers): covers.reduce(0) { $0 + cost(of: $1) }
        case .each(let covers): covers.map { cost(of: $0) }.min() ?? 0
        }
    }

    // MARK: Adding

    private mutating func add(_ trigger: Trigger, for condition: Int32) {
        let place = trigger.place
        var asked = askedByPlace[place] ?? TriggerIndex.Asked(place: place)
        switch trigger {
        case .kind(_, let kind):
            asked.kinds |= TriggerKey.bit(of: kind)
            add(condition, under: TriggerKey.kind(place, kind))
        case .number(_, let number):
            asked.numbers = true
            add(condition, under: TriggerKey.number(place, number))
        case .text(_, let hash):
            asked.texts = true
            add(condition, under: TriggerKey.text(place, hash))
        case .lowercase(_, let hash):
            asked.lowercases = true
            add(condition, under: TriggerKey.lowercase(place, hash))
            add(condition, under: TriggerKey.beyondASCII(place))
        case .contains(_, let bytes):
            guard let piece = rarestPiece(of: bytes, place) else { return }
            asked.pieces |= piece.length
            add(condition, under: TriggerKey.piece(place, piece))
        case .atLeast(_, let number):
            lowerByPlace[place, default: []].append(TriggerIndex.Bound(number: number, condition: condition))
        case .atMost(_, let number):
            upperByPlace[place, default: []].append(TriggerIndex.Bound(number: number, condition: condition))
        }
        askedByPlace[place] = asked
    }

    private mutating func add(_ condition: Int32, under key: UInt64) {
        conditionsByKey[key, default: []].append(condition)
    }

    private func rarestPiece(of bytes: [UInt8], _ place: Int32) -> TextPiece? {
        TextPiece.all(of: bytes).min {
            pieceUses[PlacedPiece(place: place, piece: $0)] ?? 0 < pieceUses[PlacedPiece(place: place, piece: $1)] ?? 0
        }
    }

    private mutating func collectBounds() {
        for (place, bounds) in lowerByPlace {
            let start = Int32(lowerBounds.count)
            lowerBounds += bounds.sorted { $0.number < $1.number }
            askedByPlace[place]?.lowerBounds = start..<Int32(lowerBounds.count)
        }
        for (place, bounds) in upperByPlace {
            let start = Int32(upperBounds.count)
            upperBounds += bounds.sorted { $0.number > $1.number }
            askedByPlace[place]?.upperBounds = start..<Int32(upperBounds.count)
        }
    }
}

extension Trigger {
    /// The common form of all triggers that one value may set off together.
    fileprivate var shared: Trigger {
        switch self {
        case .atLeast(let place, _): .atLeast(place, 0)
        case .atMost(let place, _): .atMost(place, 0)
        case .kind, .number, .text, .lowercase, .contains: self
        }
    }

    /// The cost of testing a trigger, and how likely it holds.
    fileprivate var effort: Int {
        switch self {
        case .text, .number: 1
        case .lowercase, .contains: 2
        case .kind, .atLeast, .atMost: 4
        }
    }
}
