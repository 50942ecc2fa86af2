import CWorkspaceZlib
import Foundation
import Synchronization

/// An immutable file of messages of one day, in the order of their digests.
///
/// Its parts: a head, the entries, the first digest of each group of entries, and a filter. Head and filter have
/// checksums that are compared when the file is opened; that of the entries is compared when all of them are read.
/// May be used from any thread.
package final class MessageFile: Sendable {
    /// The name of the file; no other file of the folder ever has the same.
    package let number: Int64
    package let day: Day
    package let count: Int
    package let path: String
    private let layout: Layout
    /// The upper half of the digest that each group begins with.
    private let groups: [UInt64]
    private let kept: Mutex<Kept>

    /// The parts that stay in memory as long as the limits allow it.
    private struct Kept {
        var filter: MessageFilter?
        var descriptor: Descriptor?
    }

    package struct Damage: Error, CustomStringConvertible {
        package let description: String
        package var isMissing = false
    }

    package static func path(_ number: Int64, in folder: String) -> String { "\(folder)/\(number).ids" }

    /// - Throws: `Damage` when it is not the file that it should be, or what the system says when it cannot be opened.
    package init(_ number: Int64, in folder: String) throws {
        let path = Self.path(number, in: folder)
        let descriptor = try Descriptor(path)
        let head = try Head(descriptor.read(at: 0, count: Head.byteCount), path)
        guard head.number == number else { throw Damage(description: "\(path) has the content of another file") }
        let layout = Layout(head)
        let tail = try descriptor.read(at: layout.groups, count: layout.end - layout.groups)
        guard Checksum.of(tail) == head.tailChecksum else { throw Damage(description: "\(path) is damaged") }
        groups = tail.withUnsafeBytes { bytes in
            (0..<layout.groupCount).map {
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self))
            }
        }
        kept = Mutex(
            Kept(filter: MessageFilter(Array(tail[(layout.filter - layout.groups)...])), descriptor: descriptor))
        self.layout = layout
        day = head.day
        count = head.count
        (self.number, self.path) = (number, path)
    }

    /// Bytes of the filter while it is in memory.
    var filterBytes: Int { kept.withLock { $0.filter?.byteCount ?? 0 } }

    /// Leaves the filter on the disk, where each question costs a read.
    func dropFilter() { kept.withLock { $0.filter = nil } }

    /// Opens the file for each question from now on.
    func dropDescriptor() { kept.withLock { $0.descriptor = nil } }

    private func descriptor() throws -> Descriptor { try kept.withLock { $0.descriptor } ?? Descriptor(path) }

    /// Calls with the entries of each key that may be there; other keys may have the same digest's first half.
    package func find(_ keys: [MessageKey], _ found: (MessageEntry) throws -> Void) throws {
        let filter = kept.withLock { $0.filter }
        var descriptor: Descriptor?
        for key in keys {
            if let filter, !filter.mayContain(key) { continue }
            let opened = try descriptor ?? self.descriptor()
            descriptor = opened
            if try filter != nil || mayContain(key, opened) { try find(key, opened, found) }
        }
    }

    /// Calls with all entries, in order.
    /// - Throws: `Damage` at the end when an entry was damaged.
    package func forEachEntry(_ body: (MessageEntry) throws -> Void) throws {
        var reader = try Reader(self)
        while let entry = try reader.next() { try body(entry) }
    }

    /// Asks the filter on the disk.
    private func mayContain(_ key: MessageKey, _ descriptor: Descriptor) throws -> Bool {
        let block = MessageFilter.block(of: key, in: layout.filterBlocks)
        let start = layout.filter + block * MessageFilter.blockBytes
        return try descriptor.read(at: start, count: MessageFilter.blockBytes).withUnsafeBytes {
            MessageFilter.mayContain(key, inBlock: $0)
        }
    }

    /// Begins with the last group that begins before the key: entries of one key may be in two groups.
    private func find(
        _ key: MessageKey, _ descriptor: Descriptor, _ found: (MessageEntry) throws -> Void
    ) throws {
        var (low, high) = (0, groups.count)
        while low < high {
            let middle = low + (high - low) / 2
            if groups[middle] < key.high { low = middle + 1 } else { high = middle }
        }
        for group in max(0, low - 1)..<groups.count {
            for entry in try entries(ofGroup: group, descriptor) where entry.key >= key {
                guard entry.key == key else { return }
                try found(entry)
            }
        }
    }

    private func entries(ofGroup group: Int, _ descriptor: Descriptor) throws -> [MessageEntry] {
        let first = group * Layout.entriesInGroup
        let count = min(Layout.entriesInGroup, count - first)
        let start = Head.byteCount + first * MessageEntry.byteCount
        let bytes = try descriptor.read(at: start, count: count * MessageEntry.byteCount)
        return bytes.withUnsafeBytes { bytes in
            (0..<count).map { MessageEntry(bytes, at: $0 * MessageEntry.byteCount) }
        }
    }

}

extension MessageFile {
    /// The open file; it is closed after its last reader.
    private final class Descriptor: Sendable {
        private let path: String
        private let number: Int32

        init(_ path: String) throws {
            self.path = path
            number = open(path, O_RDONLY | O_CLOEXEC)
            guard number < 0 else { return }
            let code = errno
            throw Damage(description: "\(path): \(String(cString: strerror(code)))", isMissing: code == ENOENT)
        }

        deinit { if number >= 0 { close(number) } }

        func read(at offset: Int, count: Int) throws -> [UInt8] {
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                filled = max(0, pread(number, buffer.baseAddress, count, off_t(offset)))
            }
            guard bytes.count == count else { throw Damage(description: "\(path) is shorter than it should be") }
            return bytes
        }
    }

    /// The head of a file.
    package struct Head {
        package static let byteCount = 64
        private static let magic: UInt64 = 0x3130_5344_4942_5254  // TRBIDS01

        package let number: Int64
        package let day: Day
        package let count: Int
        let filterBlocks: Int
        let entriesChecksum: UInt32
        let tailChecksum: UInt32

        package init(
            number: Int64, day: Day, count: Int, filterBlocks: Int, entriesChecksum: UInt32, tailChecksum: UInt32
        ) {
            (self.number, self.day, self.count, self.filterBlocks) = (number, day, count, filterBlocks)
            (self.entriesChecksum, self.tailChecksum) = (entriesChecksum, tailChecksum)
        }

        package init(_ bytes: [UInt8], _ path: String) throws {
            let numbers = bytes.withUnsafeBytes { bytes in
                (0..<Self.byteCount / 8).map {
                    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self))
                }
            }
            guard numbers[0] == Self.magic else { throw Damage(description: Self.stranger(bytes, path)) }
            guard numbers[7] == UInt64(Checksum.of(Array(bytes[..<56]))) else {
                throw Damage(description: "\(path) is damaged")
            }
            self.init(
                number: Int64(bitPattern: numbers[1]), day: Day(number: Int64(bitPattern: numbers[2])),
                count: Int(clamping: numbers[3]), filterBlocks: Int(clamping: numbers[4]),
                entriesChecksum: UInt32(truncatingIfNeeded: numbers[5]),
                tailChecksum: UInt32(truncatingIfNeeded: numbers[6]))
            // A damaged head with a sum that happens to match could give sizes that do not fit into memory.
            guard count <= 1 << 40, filterBlocks <= 1 << 40 else { throw Damage(description: "\(path) is damaged") }
        }

        /// The fault of a file that does not begin as this version begins files.
        private static func stranger(_ bytes: [UInt8], _ path: String) -> String {
            let isNewer = bytes.starts(with: Array("TRBIDS".utf8)) && bytes[6...7].allSatisfy { 0x30...0x39 ~= $0 }
            return isNewer ? "a newer version wrote \(path)" : "\(path) is damaged"
        }

        package var bytes: [UInt8] {
            var bytes: [UInt8] = []
            let numbers: [UInt64] = [
                Self.magic, UInt64(bitPattern: number), UInt64(bitPattern: day.number), UInt64(count),
                UInt64(filterBlocks), UInt64(entriesChecksum), UInt64(tailChecksum),
            ]
            for number in numbers { withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) } }
            let sum = UInt64(Checksum.of(bytes))
            withUnsafeBytes(of: sum.littleEndian) { bytes.append(contentsOf: $0) }
            return bytes
        }
    }

    /// Where the parts of a file begin.
    struct Layout {
        /// A group is a page of the disk.
        static let entriesInGroup = 4_096 / MessageEntry.byteCount

        let groupCount: Int
        let groups: Int
        let filter: Int
        let filterBlocks: Int
        let end: Int
        let entriesChecksum: UInt32

        init(_ head: Head) {
            groupCount = (head.count + Self.entriesInGroup - 1) / Self.entriesInGroup
            groups = Head.byteCount + head.count * MessageEntry.byteCount
            filter = groups + groupCount * 8
            filterBlocks = head.filterBlocks
            end = filter + filterBlocks * MessageFilter.blockBytes
            entriesChecksum = head.entriesChecksum
        }
    }

    /// Reads the entries of a file one after the other.
    struct Reader {
        private static let entriesAtOnce = 4_096

        private let file: MessageFile
        private let descriptor: Descriptor
        private let expected: UInt32
        private var bytes: [UInt8] = []
        private var offset = 0
        private var position = 0
        private var sum = Checksum()

        init(_ file: MessageFile) throws {
            self.file = file
            descriptor = try file.descriptor()
            expected = file.layout.entriesChecksum
        }

        /// The next entry; nil at the end.
        /// - Throws: `Damage` at the end when an entry was damaged.
        mutating func next() throws -> MessageEntry? {
            if offset == bytes.count {
                let count = min(Self.entriesAtOnce, file.count - position)
                guard count > 0 else {
                    guard sum.value == expected else { throw Damage(description: "\(file.path) is damaged") }
                    return nil
                }
                let start = Head.byteCount + position * MessageEntry.byteCount
                bytes = try descriptor.read(at: start, count: count * MessageEntry.byteCount)
                sum.add(bytes)
                position += count
                offset = 0
            }
            defer { offset += MessageEntry.byteCount }
            return bytes.withUnsafeBytes { MessageEntry($0, at: offset) }
        }
    }

    /// CRC-32.
    struct Checksum {
        private(set) var value: UInt32 = 0

        mutating func add(_ bytes: [UInt8]) {
            value = bytes.withUnsafeBufferPointer {
                UInt32(truncatingIfNeeded: crc32(uLong(value), $0.baseAddress, uInt($0.count)))
            }
        }

        static func of(_ bytes: [UInt8]) -> UInt32 {
            var sum = Checksum()
            sum.add(bytes)
            return sum.value
        }
    }
}
