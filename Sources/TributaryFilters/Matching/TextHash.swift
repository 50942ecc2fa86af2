/// The hash of a text. Different texts almost always have different hashes; a caller that must be certain compares the
/// texts.
enum TextHash {
    private static let seed: UInt64 = 0x9E37_79B9_7F4A_7C15
    private static let multiplier: UInt64 = 0xD6E8_FEB8_6659_FD93

    static func hash(_ text: String) -> UInt64 { text.withBytes { hash($0) } }

    static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 { fold(bytes) { $0 } }

    /// The hash of the lower case of a text; nil beyond ASCII, where a lower case depends on more than single letters.
    static func hashOfLowercase(_ text: String) -> UInt64? {
        text.withBytes { bytes in
            var seen: UInt64 = 0
            let hash = fold(bytes) { word in
                seen |= word
                return lowercase(word)
            }
            return seen & 0x8080_8080_8080_8080 == 0 ? hash : nil
        }
    }

    /// Changes each bit of the number with each bit of the other.
    static func mix(_ number: UInt64, _ other: UInt64) -> UInt64 {
        let mixed = (number ^ other) &* multiplier
        return mixed ^ (mixed >> 32)
    }

    /// Takes eight bytes at a time; the last step takes the rest.
    private static func fold(_ bytes: UnsafeBufferPointer<UInt8>, _ change: (UInt64) -> UInt64) -> UInt64 {
        let raw = UnsafeRawBufferPointer(bytes)
        var hash = seed ^ UInt64(raw.count)
        var position = 0
        while position + 8 <= raw.count {
            let word = raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            hash = mix(hash, change(UInt64(littleEndian: word)))
            position += 8
        }
        var rest: UInt64 = 0
        while position < raw.count {
            rest = rest << 8 | UInt64(raw[position])
            position += 1
        }
        return mix(mix(hash, change(rest)), seed)
    }

    /// Turns capitals among eight ASCII bytes into small letters.
    private static func lowercase(_ word: UInt64) -> UInt64 {
        let fromA = word &+ 0x3F3F_3F3F_3F3F_3F3F
        let beyondZ = word &+ 0x2525_2525_2525_2525
        return word | ((fromA & ~beyondZ & 0x8080_8080_8080_8080) >> 2)
    }
}
