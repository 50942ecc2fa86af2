/// Finds the end of plain characters inside of a JSON string, eight bytes at a time.
enum PlainText {
    /// The first place from `start` on of a quote, a backslash, a control character or a byte that is not ASCII; the end
    /// when there is none.
    static func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let raw = UnsafeRawBufferPointer(bytes)
        var position = start
        while position + 8 <= bytes.count {
            let marks = marks(UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)))
            if marks != 0 { return position + marks.trailingZeroBitCount >> 3 }
            position += 8
        }
        while position < bytes.count, isPlain(bytes[position]) { position += 1 }
        return position
    }

    static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// Sets the highest bit of bytes that are not plain. The lowest mark is exact; a borrow may set wrong ones above it.
    private static func marks(_ word: UInt64) -> UInt64 {
        let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let backslashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
        return (word &- ones &* 0x20 | word | (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes)
            & highBits
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080
}
