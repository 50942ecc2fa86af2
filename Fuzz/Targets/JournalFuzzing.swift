import Foundation
@testable import TributaryJournal

/// A folder with any bytes for segments opens, gives records in order, and takes new ones.
///
/// The first byte says what is done to the others before: checksums are put right, because no search would find them.
enum JournalFuzzing {
    private static let epoch: UInt64 = 7
    private static let folder: String = {
        let path = NSTemporaryDirectory() + "/journal-fuzz-\(getpid())"
        atexit { try? FileManager.default.removeItem(atPath: NSTemporaryDirectory() + "/journal-fuzz-\(getpid())") }
        return path
    }()

    static func run(_ bytes: [UInt8]) {
        guard let mode = bytes.first else { return }
        _ = SegmentHeader.read(Array(bytes.dropFirst()))
        _ = Mark.read(Array(bytes.dropFirst()))
        var segment = Array(bytes.dropFirst())
        if mode & 1 == 1 { segment = header(segment) + segment }
        if mode & 2 == 2 { repair(&segment, from: mode & 1 == 1 ? SegmentHeader.size : 0) }
        prepare(segment, withMark: mode & 4 == 0)
        check(cipher: mode & 8 == 8)
    }

    private static func header(_ bytes: [UInt8]) -> [UInt8] {
        SegmentHeader(epoch: epoch, first: 1, previous: 0, lastTag: nil, followsGap: bytes.first == 1).encoded()
    }

    /// Makes frames of the bytes: lengths that lead to the next one, and checksums that are right.
    private static func repair(_ bytes: inout [UInt8], from start: Int) {
        let key = FrameKey(epoch: epoch)
        var (offset, sequence) = (start, UInt64(1))
        while offset + Frame.headSize <= bytes.count {
            let size = min(Int(bytes[offset]), bytes.count - offset - Frame.headSize)
            let kind = bytes[offset + 4]
            sequence += UInt64(bytes[offset + 1] & 3)
            bytes.withUnsafeMutableBytes { raw in
                raw.store(UInt32(size), at: offset)
                raw.store(UInt16(truncatingIfNeeded: sequence), at: offset + 6)
                let body = UnsafeRawBufferPointer(raw).slice(offset + 16..<offset + 16 + size)
                raw.store(CRC32C.checksum(of: body), at: offset + 8)
                raw.store(FrameHead.check(UnsafeRawBufferPointer(raw), at: offset, sequence, key.check), at: offset + 12)
            }
            if kind == Frame.Kind.data.rawValue { sequence += 1 }
            offset += Frame.headSize + size
        }
    }

    private static func prepare(_ segment: [UInt8], withMark: Bool) {
        try? FileManager.default.removeItem(atPath: folder)
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        _ = FileManager.default.createFile(atPath: folder + "/" + FileName.segment(1), contents: Data(segment))
        guard withMark else { return }
        let mark = Mark(epoch: epoch, watermark: 0, data: [])
        _ = FileManager.default.createFile(atPath: folder + "/" + FileName.mark, contents: Data(mark.encoded()))
    }

    private static func check(cipher: Bool) {
        var options = JournalOptions()
        if cipher { options.cipher = Refusing() }
        guard let journal = try? Journal.open(folder, options: options) else { return }
        defer { journal.close() }
        var records: [JournalRecord] = []
        var cursor = journal.cursor()
        while let record = try? cursor.next() { records.append(record) }
        require(zip(records, records.dropFirst()).allSatisfy { $0.sequence < $1.sequence }, "records out of order")
        guard let sequence = try? journal.append([1, 2, 3]) else { return }
        require(sequence > records.last?.sequence ?? 0, "a sequence was given twice")
        require((try? cursor.next())?.payload == [1, 2, 3], "what was appended is not read")
    }

    /// Opens nothing that somebody else has sealed.
    private struct Refusing: JournalCipher, JournalSeal {
        let keyCheck = [UInt8](repeating: 9, count: 16)
        let overhead = 1
        func seal(epoch: UInt64) -> any JournalSeal { self }
        func close(_ payload: UnsafeRawBufferPointer, context: [UInt8]) throws -> [UInt8] { [0] + Array(payload) }
        func open(_ sealed: UnsafeRawBufferPointer, context: [UInt8]) -> [UInt8]? {
            sealed.first == 0 ? Array(sealed.dropFirst()) : nil
        }
    }
}
