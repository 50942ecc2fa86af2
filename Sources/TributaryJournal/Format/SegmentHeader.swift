/// The beginning of every segment file; all numbers are little-endian.
///
///      0          8         10       12      16      24        32         40       64         68        72
///     +----------+---------+--------+-------+-------+---------+----------+--------+----------+---------+
///     | TJOURNAL | version | header | flags | epoch | first   | previous | last   | stored   | CRC-32C |
///     |          | 1       | size 72|       |       | sequence| segment  | tag    | at       | of all  |
///     |          |         |        |       |       |         |          | 3 × 8  |          | before  |
///     +----------+---------+--------+-------+-------+---------+----------+--------+----------+---------+
///
/// Flag 1: "last tag" is the tag of the newest tagged record before this segment. Flag 2: the first sequence does not
/// follow the last one of the previous segment, and nothing is missing between them. "Previous segment" is the first
/// sequence of the segment before, 0 for none: so a missing segment is noticed without reading the others. "Stored at"
/// is the time of the segment's beginning in seconds since 1970; 0 when unknown, as in the first files of this version.
///
/// Every later version keeps the first 32 bytes, and ends its header, of whatever size, with the checksum of everything
/// before. So a header of a newer version can be distinguished from a damaged one.
///
/// Version 2 is for segments with encrypted payloads: after "stored at" come 16 bytes that identify the key, then the
/// checksum. A program that knows only version 1 leaves such segments alone.
struct SegmentHeader: Sendable, Equatable {
    var epoch: UInt64
    var first: UInt64
    var previous: UInt64
    var lastTag: JournalTag?
    var followsGap: Bool
    /// Seconds since 1970; 0 when unknown.
    var storedAt: Int64

    /// Identifies the key of an encrypted segment.
    var keyCheck: [UInt8]?

    static let size = 72
    private static let sealedSize = size + keyCheckSize
    private static let keyCheckSize = 16
    static let magic = Array("TJOURNAL".utf8)
    private static let version: UInt16 = 1
    private static let sealedVersion: UInt16 = 2
    private static let lastTagFlag: UInt32 = 1
    private static let gapFlag: UInt32 = 2

    /// The size in the file.
    var byteCount: Int { keyCheck == nil ? Self.size : Self.sealedSize }

    func encoded() -> [UInt8] {
        var bytes = Self.magic
        bytes.reserveCapacity(byteCount)
        bytes.append(littleEndian: keyCheck == nil ? Self.version : Self.sealedVersion)
        bytes.append(littleEndian: UInt16(byteCount))
        bytes.append(littleEndian: (lastTag == nil ? 0 : Self.lastTagFlag) | (followsGap ? Self.gapFlag : 0))
        for number in [epoch, first, previous, lastTag?.log ?? 0, lastTag?.epoch ?? 0, lastTag?.sequence ?? 0] {
            bytes.append(littleEndian: number)
        }
        bytes.append(littleEndian: UInt32(exactly: storedAt) ?? 0)
        if let keyCheck {
            bytes += keyCheck.prefix(Self.keyCheckSize)
            bytes += repeatElement(0, count: max(Self.keyCheckSize - keyCheck.count, 0))
        }
        bytes.append(littleEndian: bytes.withUnsafeBytes { CRC32C.checksum(of: $0) })
        return bytes
    }

    /// The size of the header with this beginning. It is a guess when the beginning does not say it.
    static func announcedSize(_ bytes: [UInt8]) -> Int {
        guard bytes.count >= 12 else { return size }
        let (version, announced) = bytes.withUnsafeBytes {
            ($0.integer(at: 8, as: UInt16.self), Int($0.integer(at: 10, as: UInt16.self)))
        }
        return version == sealedVersion && announced == sealedSize ? sealedSize : size
    }

    /// The result of reading the beginning of a file.
    enum Reading: Sendable {
        case valid(SegmentHeader)
        case newer(epoch: UInt64, first: UInt64)
        case damaged
    }

    /// Reads the beginning of a file, up to `JournalLimits.headerBytes` of it.
    static func read(_ bytes: [UInt8]) -> Reading {
        bytes.withUnsafeBytes { raw in
            guard raw.count >= size, raw.starts(with: magic) else { return .damaged }
            let version = raw.integer(at: 8, as: UInt16.self)
            let headerSize = Int(raw.integer(at: 10, as: UInt16.self))
            let epoch = raw.integer(at: 16, as: UInt64.self)
            let first = raw.integer(at: 24, as: UInt64.self)
            guard headerSize >= 36, headerSize <= raw.count, (1...JournalLimits.sequence).contains(first),
                raw.integer(at: headerSize - 4, as: UInt32.self) == CRC32C.checksum(of: raw.slice(0..<headerSize - 4))
            else { return .damaged }
            if version > sealedVersion { return .newer(epoch: epoch, first: first) }
            guard (version, headerSize) == (self.version, size) || (version, headerSize) == (sealedVersion, sealedSize)
            else { return .damaged }
            return .valid(SegmentHeader(raw, epoch: epoch, first: first))
        }
    }

    private init(_ raw: UnsafeRawBufferPointer, epoch: UInt64, first: UInt64) {
        let flags = raw.integer(at: 12, as: UInt32.self)
        self.epoch = epoch
        self.first = first
        previous = raw.integer(at: 32, as: UInt64.self)
        lastTag = flags & Self.lastTagFlag == 0 ? nil : JournalTag(raw, at: 40)
        followsGap = flags & Self.gapFlag != 0
        storedAt = Int64(raw.integer(at: 64, as: UInt32.self))
        let isSealed = raw.integer(at: 8, as: UInt16.self) == Self.sealedVersion
        keyCheck = isSealed ? Array(raw[68..<68 + Self.keyCheckSize]) : nil
    }

    init(
        epoch: UInt64, first: UInt64, previous: UInt64, lastTag: JournalTag?, followsGap: Bool, storedAt: Int64 = 0
    ) {
        self.epoch = epoch
        self.first = first
        self.previous = previous
        self.lastTag = lastTag
        self.followsGap = followsGap
        self.storedAt = storedAt
    }
}
