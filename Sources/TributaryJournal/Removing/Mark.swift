/// The watermark and the caller's data beside it: the file `mark`; all numbers are little-endian.
///
///      0          8         10     12       16      24          32             288       292
///     +----------+---------+------+--------+-------+-----------+---------------+---------+
///     | TJRNMARK | version | data | 0      | epoch | watermark | data, then    | CRC-32C |
///     |          | 1       | size |        |       |           | zeros         | of all  |
///     |          |         |      |        |       |           |               | before  |
///     +----------+---------+------+--------+-------+-----------+---------------+---------+
///
/// The file is written under another name and then renamed, so it is always the old one or the new one. On a disk
/// without room for a new file, it is overwritten, which its fixed size allows. Otherwise nothing could be removed from
/// a full disk.
///
/// When even that needs room, a purge is stored in the name of the file: `mark-` and the sequence, as in the names of
/// segments. That sequence is the watermark if it is the higher one. Such a file is only read when there is no `mark`,
/// because a later mark has that name again.
///
/// The mark is written before the first segment. So the epoch is still known when the header of the only segment is
/// damaged. Every later version keeps the first 10 bytes and ends with the checksum.
struct Mark: Sendable, Equatable {
    var epoch: UInt64
    /// Everything up to this sequence was removed.
    var watermark: UInt64
    /// The caller's bytes.
    var data: [UInt8]

    private static let magic = Array("TJRNMARK".utf8)
    private static let version: UInt16 = 1
    private static let dataStart = 32
    private static let size = dataStart + JournalLimits.markDataBytes + 4

    func encoded() -> [UInt8] {
        var bytes = Self.magic
        bytes.append(littleEndian: Self.version)
        bytes.append(littleEndian: UInt16(truncatingIfNeeded: data.count))
        bytes.append(littleEndian: UInt32(0))
        bytes.append(littleEndian: epoch)
        bytes.append(littleEndian: watermark)
        bytes += data.prefix(JournalLimits.markDataBytes)
        bytes += repeatElement(0, count: Self.size - 4 - bytes.count)
        bytes.append(littleEndian: bytes.withUnsafeBytes { CRC32C.checksum(of: $0) })
        return bytes
    }

    /// The result of reading the file.
    enum Reading: Sendable {
        case valid(Mark)
        case newer
        case damaged
    }

    /// A mark as it was found.
    struct Stored: Sendable {
        let reading: Reading
        /// The name of the file.
        let name: String

        /// The mark; nil when it cannot be read.
        var mark: Mark? { if case .valid(let mark) = reading { mark } else { nil } }
    }

    /// Reads the whole file.
    static func read(_ bytes: [UInt8]) -> Reading {
        bytes.withUnsafeBytes { raw in
            guard raw.count >= 14, raw.starts(with: magic),
                raw.integer(at: raw.count - 4, as: UInt32.self) == CRC32C.checksum(of: raw.slice(0..<raw.count - 4))
            else { return .damaged }
            let version = raw.integer(at: 8, as: UInt16.self)
            if version > self.version { return .newer }
            guard version == self.version, raw.count == size else { return .damaged }
            let dataSize = Int(raw.integer(at: 10, as: UInt16.self))
            let watermark = raw.integer(at: 24, as: UInt64.self)
            guard dataSize <= JournalLimits.markDataBytes, watermark <= JournalLimits.sequence else { return .damaged }
            let data = Array(raw[dataStart..<dataStart + dataSize])
            return .valid(Mark(epoch: raw.integer(at: 16, as: UInt64.self), watermark: watermark, data: data))
        }
    }
}
