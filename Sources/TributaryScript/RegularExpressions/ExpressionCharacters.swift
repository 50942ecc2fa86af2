/// A set of characters: each ASCII character by itself, and all others together.
struct ExpressionCharacters: Equatable, Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0
    private var hasOthers = false

    static let none = ExpressionCharacters()
    static let all: ExpressionCharacters = {
        var all = ExpressionCharacters()
        (all.low, all.high, all.hasOthers) = (.max, .max, true)
        return all
    }()

    init() {}

    init(_ character: UInt32) { insert(character) }

    init(_ range: ClosedRange<UInt32>) {
        for character in range.lowerBound...max(range.lowerBound, min(range.upperBound, 127)) { insert(character) }
        if range.upperBound > 127 { hasOthers = true }
    }

    init(_ text: StaticString) {
        for byte in UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount) { insert(UInt32(byte)) }
    }

    private mutating func insert(_ character: UInt32) {
        switch character {
        case 0..<64: low |= 1 << character
        case 64..<128: high |= 1 << (character - 64)
        default: hasOthers = true
        }
    }

    func union(_ other: ExpressionCharacters) -> ExpressionCharacters {
        var union = self
        union.low |= other.low
        union.high |= other.high
        union.hasOthers = hasOthers || other.hasOthers
        return union
    }

    /// The complement. Characters beyond ASCII are in both sets, because the set may contain only some of them.
    var inverted: ExpressionCharacters {
        var inverted = self
        inverted.low = ~low
        inverted.high = ~high
        inverted.hasOthers = true
        return inverted
    }

    func meets(_ other: ExpressionCharacters) -> Bool {
        low & other.low != 0 || high & other.high != 0 || hasOthers && other.hasOthers
    }

    /// The set with both cases of each letter.
    var anyCase: ExpressionCharacters {
        var folded = self
        let letters: UInt64 = 0x07FF_FFFE
        folded.high |= (high & letters) << 32 | (high >> 32) & letters
        return folded
    }

    static let digits = ExpressionCharacters(48...57)
    static let word = digits.union(ExpressionCharacters(65...90)).union(ExpressionCharacters(97...122))
        .union(ExpressionCharacters(95))
    static let space = ExpressionCharacters(" \t\n\r\u{0B}\u{0C}").union(ExpressionCharacters(0xA0))
    static let lineEnds = ExpressionCharacters("\n\r")
}

extension ExpressionCharacters {
    /// Whether a character is in the set: of UTF-16, or of Unicode.
    func contains(_ character: UInt32) -> Bool {
        switch character {
        case 0..<64: low >> character & 1 != 0
        case 64..<128: high >> (character - 64) & 1 != 0
        default: hasOthers
        }
    }

    func intersection(_ other: ExpressionCharacters) -> ExpressionCharacters {
        var both = self
        (both.low, both.high, both.hasOthers) = (low & other.low, high & other.high, hasOthers && other.hasOthers)
        return both
    }

    var isEmpty: Bool { low == 0 && high == 0 && !hasOthers }

    /// A character of the set that people can read, if there is one; nil for the empty set.
    var example: Character? {
        let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        let candidates = letters + " -_.,:;/!?\"'()[]{}<>@#$%^&*+=|~`\\\t\n\r\0é"
        return candidates.unicodeScalars.first { contains($0.value) }.map(Character.init)
            ?? (0..<128).first { contains($0) }.flatMap(Unicode.Scalar.init).map(Character.init)
    }
}
