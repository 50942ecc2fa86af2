/// One record in a segment; all numbers are little-endian.
///
///      0          4      5       6         8            12           16                 40
///     +----------+------+-------+---------+------------+------------+------------------+-----------+
///     | body     | kind | flags | low 16  | CRC-32C of | CRC-32C of | log, epoch,      | payload   |
///     | length   |      |       | bits of | the body   | the head   | sequence: 3 × 8, |           |
///     |          |      |       | sequence|            |            | only when tagged |           |
///     +----------+------+-------+---------+------------+------------+------------------+-----------+
///     |<------------------------ head ----------------------------->|<---------- body ------------>|
///
/// The head's checksum runs over the journal's epoch, the head with zeros in place of this checksum, and the whole
/// sequence. So a head that is accepted belongs to this journal and to this sequence, and its length can be trusted: a
/// damaged body costs one record. Bytes inside a payload cannot pass for a frame, because they cannot know the epoch.
/// A sealed frame, flag 2, has what the cipher made of the payload in the payload's place; it can be told from a damaged
/// one and passed over without the key. The low bits of the sequence are there to find the place again behind damage. Only the head depends on the sequence,
/// so everything else is made before the journal's lock is taken, but for the seal, which binds the sequence too.
///
/// A data record has a sequence of its own. A snapshot carries the sequence of the data record that follows it.
struct Frame: Sendable {
    /// The kinds of records.
    enum Kind: UInt8, Sendable {
        case data = 1
        case snapshot = 2
    }

    static let headSize = 16
    static let hasTag: UInt8 = 1
    static let isSealed: UInt8 = 2
    /// With enough room for the bytes that a cipher adds.
    static let largestBody = JournalLimits.payloadBytes + JournalTag.size + 1024

    /// The frame's bytes; complete only once it is sealed.
    private(set) var bytes: [UInt8]

    /// A frame that lacks its sequence.
    init(_ kind: Kind, tag: JournalTag? = nil, payload: UnsafeRawBufferPointer, isSealed: Bool = false) {
        bytes = []
        bytes.reserveCapacity(Self.headSize + JournalTag.size + payload.count)
        payload.withMemoryRebound(to: UInt8.self) {
            Self.add(kind, tag: tag, payload: $0, isSealed: isSealed, to: &bytes)
        }
    }

    /// Adds a plain frame that lacks its sequence to bytes that are to be written together.
    static func add(_ kind: Kind, tag: JournalTag?, payload: [UInt8], to bytes: inout [UInt8]) {
        payload.withUnsafeBufferPointer { add(kind, tag: tag, payload: $0, isSealed: false, to: &bytes) }
    }

    private static func add(
        _ kind: Kind, tag: JournalTag?, payload: UnsafeBufferPointer<UInt8>, isSealed: Bool, to bytes: inout [UInt8]
    ) {
        let start = bytes.count
        bytes.append(contentsOf: tag == nil ? blankHead : blankTaggedHead)
        bytes.append(contentsOf: payload)
        bytes.withUnsafeMutableBytes { raw in
            begin(UnsafeMutableRawBufferPointer(rebasing: raw[start...]), kind, tag: tag, isSealed: isSealed)
        }
    }

    private static let blankHead = [UInt8](repeating: 0, count: headSize)
    private static let blankTaggedHead = [UInt8](repeating: 0, count: headSize + JournalTag.size)

    /// Writes everything but the sequence before a payload that is in its place.
    private static func begin(_ raw: UnsafeMutableRawBufferPointer, _ kind: Kind, tag: JournalTag?, isSealed: Bool) {
        raw.store(UInt32(truncatingIfNeeded: raw.count - headSize), at: 0)
        raw.store(kind.rawValue, at: 4)
        raw.store((tag == nil ? 0 : hasTag) | (isSealed ? Self.isSealed : 0), at: 5)
        tag?.store(in: raw, at: headSize)
        raw.store(CRC32C.checksum(of: UnsafeRawBufferPointer(rebasing: raw[headSize...])), at: 8)
    }

    /// Gives the frame its sequence. `check` is the checksum of the journal's epoch.
    mutating func number(_ sequence: UInt64, check: CRC32C) {
        bytes.withUnsafeMutableBytes { Self.number($0, sequence, check: check) }
    }

    /// The same for a frame that begins there.
    @inline(__always)
    static func number(_ raw: UnsafeMutableRawBufferPointer, _ sequence: UInt64, check: CRC32C) {
        raw.store(UInt16(truncatingIfNeeded: sequence), at: 6)
        raw.store(FrameHead.check(UnsafeRawBufferPointer(raw), at: 0, sequence, check), at: 12)
    }

    /// The frame with that sequence; its payload is encrypted if the journal has a cipher.
    func finished(_ sequence: UInt64, tag: JournalTag? = nil, key: FrameKey) throws(JournalError) -> Frame {
        var frame = self
        if let seal = key.seal {
            let kind = Kind(rawValue: bytes[4]) ?? .data
            let start = Self.headSize + (tag == nil ? 0 : JournalTag.size)
            let context = key.context(kind, sequence, tag: tag)
            do {
                let sealed = try bytes.withUnsafeBytes { try seal.close($0.slice(start..<$0.count), context: context) }
                frame = sealed.withUnsafeBytes { Frame(kind, tag: tag, payload: $0, isSealed: true) }
            } catch {
                throw JournalError(.cipherFailed, "the payload cannot be sealed")
            }
        }
        frame.number(sequence, check: key.check)
        return frame
    }

    /// The bytes that a frame without a tag was made of.
    var untaggedPayload: [UInt8] { Array(bytes[Self.headSize...]) }
}
