/// Numbers as JavaScript writes them.
extension JSON {
    /// Whether JavaScript would write every number in this value as it is written here, so that no number has to be
    /// restored.
    ///
    /// Fast, but not complete: it is false for some numbers that JavaScript would write the same, such as very small
    /// ones.
    package var hasOnlyPlainNumbers: Bool {
        switch self {
        case .null, .bool, .string: true
        case .number(let number): number.isPlain
        case .array(let elements): elements.withUnsafeBufferPointer { $0.allSatisfy(\.hasOnlyPlainNumbers) }
        case .object(let object): object.withMembers { $0.allSatisfy { $0.value.hasOnlyPlainNumbers } }
        }
    }
}

extension JSONNumber {
    /// Whether JavaScript writes the number as it is written here.
    package var isPlain: Bool {
        switch storage {
        case .signed(let value): value.magnitude <= Self.exactUpTo
        case .unsigned: false
        case .double(let value): Self.plainDoubles.contains(value.magnitude) || value.bitPattern == 0
        case .spelling(let text): text.utf8.withContiguousStorageIfAvailable(Self.isPlain) ?? false
        }
    }

    /// 2^53: every whole number up to it is a double.
    private static let exactUpTo: UInt64 = 1 << 53
    /// Outside of this range, languages begin to write exponents.
    private static let plainDoubles = 0.001..<1e15

    /// Whether a number's text has a fraction, no zero at its end, no exponent, and not more digits than a double
    /// keeps. Then it is the shortest text of its double.
    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let text = UnsafeBufferPointer(rebasing: text.dropFirst(text.first == UInt8(ascii: "-") ? 1 : 0))
        guard text.count <= digitsOfADouble + 1, text.last != UInt8(ascii: "0") else { return false }
        var hasFraction = false
        for byte in text {
            if byte == UInt8(ascii: ".") { hasFraction = true } else if byte &- UInt8(ascii: "0") > 9 { return false }
        }
        return hasFraction && !isSmall(text)
    }

    /// Whether it begins with `0.000`.
    private static func isSmall(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.count > 4 && text[0] == UInt8(ascii: "0") && text[2...4].allSatisfy { $0 == UInt8(ascii: "0") }
    }

    private static let digitsOfADouble = 15
}
