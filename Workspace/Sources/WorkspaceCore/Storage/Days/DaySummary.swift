import Crypto
import Foundation

/// Says of most values that no event of a day has them, so that a search need not open the day (a blocked Bloom filter).
///
/// A file beside the day: a head, then blocks of 64 bytes. A value is looked for in one block, so a question reads 64
/// bytes, and nothing is in memory. Each block has a checksum: a damaged one gives no answer instead of a wrong one. The
/// file has no value, only bits of digests, and can be made of the day at any time.
package struct DaySummary: Sendable, Equatable {
    package let path: String
    /// Of the day when the summary was made.
    package let revision: String
    let blocks: Int

    /// The file of a day.
    package static func path(ofDatabase path: String) -> String { path.dropLast(".sqlite".count) + suffix }

    package static let suffix = ".summary"

    package init(path: String, revision: String, blocks: Int) {
        (self.path, self.revision, self.blocks) = (path, revision, blocks)
    }

    /// Reads the head of a file; nil when there is none, or it is damaged.
    package init?(path: String) {
        // A summary that cannot be read is made again.
        guard let file = try? ByteFile(path: path), let head = file.bytes(at: 0, count: Self.blockBytes),
            let (revision, blocks) = Self.parse(head), file.byteCount == (1 + blocks) * Self.blockBytes
        else { return nil }
        self.init(path: path, revision: revision, blocks: blocks)
    }

    /// False when no event has all of these values.
    /// - Returns: nil when the file cannot be read as it was written.
    func mayHave(_ matches: [EventQuery.Match]) -> Bool? {
        // The day is opened instead.
        guard let file = try? ByteFile(path: path) else { return nil }
        for match in matches {
            let place = Place(of: Array(match.value.utf8), in: match.column, among: blocks)
            let offset = (1 + place.block) * Self.blockBytes
            guard let block = file.bytes(at: offset, count: Self.blockBytes),
                block[Self.bytesOfBits...].elementsEqual(Self.checksum(block, place.block, revision))
            else { return nil }
            if !place.bits.allSatisfy({ block[$0 / 8] & 1 << UInt8($0 % 8) != 0 }) { return false }
        }
        return true
    }

    // MARK: Format

    static let blockBytes = 64
    /// Bytes of a block before its checksum.
    static let bytesOfBits = 60
    private static let magic = Array("TRBSUM01".utf8)

    /// Magic, blocks and revision, and the checksum of these at the end.
    package static func head(_ revision: String, _ blocks: Int) -> [UInt8] {
        var head = magic
        withUnsafeBytes(of: UInt64(blocks).littleEndian) { head.append(contentsOf: $0) }
        let text = revision.utf8.prefix(bytesOfBits - head.count - 1)
        head.append(UInt8(text.count))
        head.append(contentsOf: text)
        head.append(contentsOf: Array(repeating: 0, count: bytesOfBits - head.count))
        return head + checksum(head, -1, "")
    }

    private static func parse(_ head: [UInt8]) -> (revision: String, blocks: Int)? {
        guard head.starts(with: magic), head[bytesOfBits...].elementsEqual(checksum(head, -1, "")) else { return nil }
        let blocks = head.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)) }
        let length = Int(head[16])
        guard (1...UInt64(Limits.summaryBlocks)).contains(blocks), 17 + length <= bytesOfBits else { return nil }
        return (String(decoding: head[17..<17 + length], as: UTF8.self), Int(blocks))
    }

    /// Of the bits of a block, with its place and the revision, so that a block of another file does not fit.
    static func checksum(_ block: [UInt8], _ number: Int, _ revision: String) -> [UInt8] {
        var sum = MessageFile.Checksum()
        sum.add(Array(block.prefix(bytesOfBits)))
        sum.add(withUnsafeBytes(of: Int64(number).littleEndian, Array.init))
        sum.add(Array(revision.utf8))
        return withUnsafeBytes(of: sum.value.littleEndian, Array.init)
    }

    /// Where a value is looked for.
    package struct Place {
        package let block: Int
        /// Bits of the block that are set when the value was inserted.
        let bits: [Int]

        private static let probes = 7

        package init(of value: [UInt8], in column: EventQuery.Match.Column, among blocks: Int) {
            // A column's name has no NUL.
            let digest = SHA256.hash(data: Array(column.rawValue.utf8) + [0] + value)
            (block, bits) = digest.withUnsafeBytes { bytes in
                let high = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
                let bits = (0..<Self.probes).map { probe in
                    let number = bytes.loadUnaligned(fromByteOffset: 8 + 2 * probe, as: UInt16.self)
                    return Int(UInt16(littleEndian: number)) % (DaySummary.bytesOfBits * 8)
                }
                return (Int(high.multipliedFullWidth(by: UInt64(blocks)).high), bits)
            }
        }
    }
}
