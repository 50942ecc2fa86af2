/// The head of a frame, with a correct checksum.
struct FrameHead {
    let kind: Frame.Kind
    let hasTag: Bool
    let isSealed: Bool
    let sequence: UInt64
    let bodySize: Int
    let bodyCheck: UInt32

    /// The size of head and body.
    var frameSize: Int { Frame.headSize + bodySize }

    /// The head at that offset; nil when there is none.
    ///
    /// The caller has checked that 16 bytes are there. Sequences from `expected` on are possible. `lost` is the largest
    /// number of records that can have been in the skipped bytes.
    init?(_ bytes: UnsafeRawBufferPointer, at offset: Int, expected: UInt64, lost: Int, key: FrameKey) {
        let flags = bytes[offset + 5]
        let size = Int(bytes.integer(at: offset, as: UInt32.self))
        guard let kind = Frame.Kind(rawValue: bytes[offset + 4]), flags & ~(Frame.hasTag | Frame.isSealed) == 0,
            size <= Frame.largestBody, flags & Frame.hasTag == 0 || size >= JournalTag.size,
            let sequence = Self.sequence(bytes, at: offset, expected: expected, lost: lost, key: key.check)
        else { return nil }
        self.kind = kind
        self.hasTag = flags & Frame.hasTag != 0
        self.isSealed = flags & Frame.isSealed != 0
        self.sequence = sequence
        self.bodySize = size
        self.bodyCheck = bytes.integer(at: offset + 8, as: UInt32.self)
    }

    /// The sequence with these low bits that the checksum confirms.
    private static func sequence(
        _ bytes: UnsafeRawBufferPointer, at offset: Int, expected: UInt64, lost: Int, key: CRC32C
    ) -> UInt64? {
        let low = bytes.integer(at: offset + 6, as: UInt16.self)
        let stored = bytes.integer(at: offset + 12, as: UInt32.self)
        var candidate = expected + UInt64(low &- UInt16(truncatingIfNeeded: expected))
        for _ in 0...(lost >> 16) {
            if check(bytes, at: offset, candidate, key) == stored { return candidate }
            candidate += 1 << 16
        }
        return nil
    }

    /// The checksum of a head. It covers the epoch, which `key` already includes, the head's first 12 bytes, four zeros
    /// in place of the checksum, and the sequence.
    @inline(__always)
    static func check(_ bytes: UnsafeRawBufferPointer, at offset: Int, _ sequence: UInt64, _ key: CRC32C) -> UInt32 {
        var check = key
        check.update(bytes.integer(at: offset, as: UInt64.self))
        check.update(UInt64(bytes.integer(at: offset + 8, as: UInt32.self)))
        check.update(sequence)
        return check.value
    }
}
