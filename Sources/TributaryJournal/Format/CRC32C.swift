import CChecksum

/// The CRC-32C (Castagnoli) checksum of a stream of bytes, eight bytes a step: by the processor's own instruction where
/// it has one, else by tables.
struct CRC32C: Sendable {
    private static let hasInstruction = tributary_has_crc32c() != 0

    private var state: UInt32 = ~0
    private let usesInstruction: Bool

    /// A checksum of nothing yet.
    init() { usesInstruction = Self.hasInstruction }

    /// A checksum by tables on any processor; tests compare the other with it.
    init(byTables: Void) { usesInstruction = false }

    /// The checksum of the bytes so far.
    var value: UInt32 { ~state }

    /// Takes in the bytes of a buffer.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        if usesInstruction {
            if let base = bytes.baseAddress { state = tributary_crc32c(state, base, bytes.count) }
        } else {
            updateByTables(bytes)
        }
    }

    private mutating func updateByTables(_ bytes: UnsafeRawBufferPointer) {
        state = Self.tables.withUnsafeBufferPointer { tables in
            var state = state
            var offset = 0
            while bytes.count - offset >= 8 {
                state = Self.step(bytes.integer(at: offset, as: UInt64.self), state, tables)
                offset += 8
            }
            while offset < bytes.count {
                state = tables[Int(UInt8(truncatingIfNeeded: state) ^ bytes[offset])] ^ (state >> 8)
                offset += 1
            }
            return state
        }
    }

    /// Takes in the eight bytes of a number, lowest first.
    mutating func update(_ word: UInt64) {
        if usesInstruction {
            state = tributary_crc32c_word(state, word)
        } else {
            state = Self.tables.withUnsafeBufferPointer { Self.step(word, state, $0) }
        }
    }

    /// The checksum of those bytes alone.
    static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt32 {
        var check = CRC32C()
        check.update(bytes)
        return check.value
    }

    /// Slicing by 8: one look-up for each byte of the word, independent of each other, where the plain form
    /// has to wait for the one before.
    @inline(__always)
    private static func step(_ word: UInt64, _ state: UInt32, _ tables: UnsafeBufferPointer<UInt32>) -> UInt32 {
        let mixed = word ^ UInt64(state)
        let low =
            tables[1792 + Int(mixed & 0xFF)] ^ tables[1536 + Int((mixed >> 8) & 0xFF)]
            ^ tables[1280 + Int((mixed >> 16) & 0xFF)] ^ tables[1024 + Int((mixed >> 24) & 0xFF)]
        let high =
            tables[768 + Int((mixed >> 32) & 0xFF)] ^ tables[512 + Int((mixed >> 40) & 0xFF)]
            ^ tables[256 + Int((mixed >> 48) & 0xFF)] ^ tables[Int(mixed >> 56)]
        return low ^ high
    }

    /// Eight tables of 256 entries, one after the other: table n is the effect of a byte that n more bytes follow.
    private static let tables: [UInt32] = {
        let reversedPolynomial: UInt32 = 0x82F6_3B78
        var tables: [UInt32] = (0..<256).map { byte in
            (0..<8).reduce(UInt32(byte)) { value, _ in (value >> 1) ^ (value & 1 == 1 ? reversedPolynomial : 0) }
        }
        for index in 256..<2048 {
            let before = tables[index - 256]
            tables.append(tables[Int(before & 0xFF)] ^ (before >> 8))
        }
        return tables
    }()
}
