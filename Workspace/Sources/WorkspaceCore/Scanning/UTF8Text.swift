/// Checks text beyond ASCII (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF).
enum UTF8Text {
    /// The end of the run of characters beyond ASCII that begins at `start`; nil when it is not valid UTF-8.
    static func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        var position = start
        while position < bytes.count, bytes[position] >= 0x80 {
            guard let length = length(of: bytes, at: position) else { return nil }
            position += length
        }
        return position
    }

    private static func length(of bytes: UnsafeBufferPointer<UInt8>, at position: Int) -> Int? {
        let first = bytes[position]
        let (length, second): (Int, ClosedRange<UInt8>)
        switch first {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xE1...0xEC, 0xEE, 0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return nil
        }
        guard position + length <= bytes.count, second.contains(bytes[position + 1]) else { return nil }
        for offset in 2..<max(length, 2) where bytes[position + offset] & 0xC0 != 0x80 { return nil }
        return length
    }
}
