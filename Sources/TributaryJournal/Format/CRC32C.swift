import CTributaryChecksum

/// The CRC-32C (Castagnoli) checksum of a stream of bytes, eight bytes in a step. It uses the processor's instruction
/// if there is one, otherwise tables.
struct CRC32C: Sendable {
    private static let hasInstruction = tributary_has_crc32c() != 0

    private var state: UInt32 = ~0
    private let usesInstruction: Bool

    /// The checksum of no bytes.
    init() { usesInstruction = Self.hasInstruction }

    /// A checksum with tables on any processor. Tests compare the other one with it.
    init(byTables: Void) { usesInstruction = false }

    /// The checksum of the bytes so far.
    var value: UInt32 { ~state }

    /// Adds the bytes of a buffer.
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

    /// Adds the eight bytes of a number, lowest first.
    mutating func update(_ word: UInt64) {
        if usesInstruction {
            state = tributary_crc32c_word(state, word)
        } else {
            state = Self.tables.withUnsafeBufferPointer { Self.step(word, state, $0) }
        }
    }

    /// The checksum of these bytes alone.
    static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt32 {
        var check = CRC32C()
        check.update(bytes)
        return check.value
    }

    /// Slicing by 8: one lookup for each byte of the word. The lookups are independent, while in the plain form each
    /// one waits for its predecessor.
    @inline(__always)
    private static func step(_ word: UInt64, _ state: UInt32, _ tables: UnsafeBufferPointer<UInt32>) -> UInt32 {
        let mixed = word ^ UInt64(state)
        // One lookup a line, because the compiler takes a second to check the types of eight in one expression.
        let first: UInt32 = tables[1792 + Int(mixed & 0xFF)]
        let second: UInt32 = tables[1536 + Int((mixed >> 8) & 0xFF)]
        let third: UInt32 = tables[1280 + Int((mixed >> 16) & 0xFF)]
        let fourth: UInt32 = tables[1024 + Int((mixed >> 24) & 0xFF)]
        let fifth: UInt32 = tables[768 + Int((mixed >> 32) & 0xFF)]
        let sixth: UInt32 = tables[512 + Int((mixed >> 40) & 0xFF)]
        let seventh: UInt32 = tables[256 + Int((mixed >> 48) & 0xFF)]
        let eighth: UInt32 = tables[Int(mixed >> 56)]
        return ((first ^ second) ^ (third ^ fourth)) ^ ((fifth ^ sixth) ^ (seventh ^ eighth))
    }

    /// Eight tables of 256 entries, one after the other. Table n is the effect of a byte that is followed by n more
    /// bytes.
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
