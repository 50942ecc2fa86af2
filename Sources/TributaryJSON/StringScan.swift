/// Finds the bytes of a string that need an escape or a check in a JSON text, eight at a time.
enum StringScan {
    /// The first place from `start` on of a quote, a backslash or a control character; the end when there is none.
    ///
    /// - Parameter seen: collects the bits of all bytes before that place; afterwards it shows whether they were all
    ///   ASCII.
    static func special(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, seen: inout UInt64) -> Int {
        let raw = UnsafeRawBufferPointer(bytes)
        var position = start
        while position + 8 <= bytes.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            let marks = specialMarks(word)
            if marks != 0 {
                let bits = marks.trailingZeroBitCount & ~7
                seen |= word & (1 << bits - 1)
                return position + bits >> 3
            }
            seen |= word
            position += 8
        }
        while position < bytes.count, !isSpecial(bytes[position]) {
            seen |= UInt64(bytes[position])
            position += 1
        }
        return position
    }

    /// Whether all collected bytes are ASCII.
    static func isASCII(_ seen: UInt64) -> Bool { seen & highBits == 0 }

    static func isSpecial(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Whether one of the eight bytes is special, whatever their order.
    static func hasSpecial(_ word: UInt64) -> Bool { specialMarks(word) != 0 }

    /// Sets the highest bit of special bytes. The lowest mark is exact; a borrow may set wrong marks above it.
    private static func specialMarks(_ word: UInt64) -> UInt64 {
        let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let backslashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
        let found = (word &- ones &* 0x20) & ~word | (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
        return found & highBits
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080
}
