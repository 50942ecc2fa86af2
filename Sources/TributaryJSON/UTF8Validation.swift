/// Tells whether bytes are UTF-8 as Unicode 15 table 3-7 has it: no overlong forms, no surrogates.
enum UTF8Validation {
    static func isValid(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var iterator = bytes.makeIterator()
        while let first = iterator.next() {
            if first < 0x80 { continue }
            guard let (range, more) = continuation(after: first) else { return false }
            guard let second = iterator.next(), range.contains(second) else { return false }
            for _ in 0..<more {
                guard let next = iterator.next(), next & 0xC0 == 0x80 else { return false }
            }
        }
        return true
    }

    /// The range of the second byte and how many plain continuation bytes follow it.
    private static func continuation(after first: UInt8) -> (ClosedRange<UInt8>, Int)? {
        switch first {
        case 0xC2...0xDF: (0x80...0xBF, 0)
        case 0xE0: (0xA0...0xBF, 1)
        case 0xED: (0x80...0x9F, 1)
        case 0xE1...0xEC, 0xEE...0xEF: (0x80...0xBF, 1)
        case 0xF0: (0x90...0xBF, 2)
        case 0xF1...0xF3: (0x80...0xBF, 2)
        case 0xF4: (0x80...0x8F, 2)
        default: nil
        }
    }
}
