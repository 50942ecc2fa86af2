/// Says of most messages that are not in a file that they are not (a blocked Bloom filter).
///
/// A key is looked for in one block of 64 bytes, so it costs one access to memory, or one read of the file. With 12 bits
/// a key, about one in 200 keys that are not in the file passes.
struct MessageFilter: Sendable {
    static let blockBytes = 64
    private static let wordsInBlock = 8
    private static let bitsPerKey = 12
    /// Bits of a block that a key sets; each takes 9 bits of the digest.
    private static let probes = 7

    private var words: [UInt64]

    /// - Parameter count: the most keys that are inserted.
    init(count: Int) {
        words = Array(repeating: 0, count: Self.blocks(for: count) * Self.wordsInBlock)
    }

    /// Reads the blocks of a file.
    init(_ bytes: [UInt8]) {
        words = bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / 8).map {
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self))
            }
        }
    }

    static func blocks(for count: Int) -> Int { max(1, (count * bitsPerKey + 511) / 512) }

    var byteCount: Int { words.count * 8 }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        for word in words { withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) } }
        return bytes
    }

    mutating func insert(_ key: MessageKey) {
        let start = Self.block(of: key, in: words.count / Self.wordsInBlock) * Self.wordsInBlock
        Self.forEachBit(of: key) { word, bit in
            words[start + word] |= bit
            return true
        }
    }

    /// False when the key was certainly not inserted.
    func mayContain(_ key: MessageKey) -> Bool {
        let start = Self.block(of: key, in: words.count / Self.wordsInBlock) * Self.wordsInBlock
        return Self.forEachBit(of: key) { word, bit in words[start + word] & bit != 0 }
    }

    /// The block that a key is looked for in.
    static func block(of key: MessageKey, in count: Int) -> Int {
        Int(key.low.multipliedFullWidth(by: UInt64(count)).high)
    }

    /// The same question of a block that was read from a file.
    static func mayContain(_ key: MessageKey, inBlock bytes: UnsafeRawBufferPointer) -> Bool {
        forEachBit(of: key) { word, bit in
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)) & bit != 0
        }
    }

    /// - Returns: false as soon as `body` does.
    @discardableResult
    private static func forEachBit(of key: MessageKey, _ body: (_ word: Int, _ bit: UInt64) -> Bool) -> Bool {
        var bits = key.high
        for _ in 0..<probes {
            guard body(Int(bits >> 6 & 7), 1 << (bits & 63)) else { return false }
            bits >>= 9
        }
        return true
    }
}
