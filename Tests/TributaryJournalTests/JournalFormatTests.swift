import Testing
import TributaryEncryption

@testable import TributaryJournal

/// The files of version 1 as its first release wrote them. They must stay readable for ever, and a journal that writes
/// version 1 must write the same bytes.
@Suite struct JournalFormatTests {
    /// A segment that was written before segments had the time of their beginning.
    static let segmentWithoutTime = """
        54 4a 4f 55 52 4e 41 4c 01 00 48 00 00 00 00 00
        ef cd ab 89 67 45 23 01 01 00 00 00 00 00 00 00
        00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00 00 00 00 e0 f3 a2 6e 08 00 00 00 02 00 01 00
        84 de f8 fc 6c 13 4e 42 73 6f 6d 65 62 6f 64 79
        05 00 00 00 01 00 01 00 50 a1 3e 8a 69 38 57 00
        66 69 72 73 74 18 00 00 00 01 01 02 00 0d 37 e6
        32 8f 2f 49 37 11 11 00 00 00 00 00 00 22 22 22
        22 22 22 22 22 33 00 00 00 00 00 00 00 14 00 00
        00 01 00 03 00 e6 eb 79 cc bf 31 1c 3f 00 01 02
        03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12
        13
        """
    static let segment = """
        54 4a 4f 55 52 4e 41 4c 01 00 48 00 00 00 00 00
        ef cd ab 89 67 45 23 01 01 00 00 00 00 00 00 00
        00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00 f1 53 65 f8 08 45 b6 08 00 00 00 02 00 01 00
        84 de f8 fc 6c 13 4e 42 73 6f 6d 65 62 6f 64 79
        05 00 00 00 01 00 01 00 50 a1 3e 8a 69 38 57 00
        66 69 72 73 74 18 00 00 00 01 01 02 00 0d 37 e6
        32 8f 2f 49 37 11 11 00 00 00 00 00 00 22 22 22
        22 22 22 22 22 33 00 00 00 00 00 00 00 14 00 00
        00 01 00 03 00 e6 eb 79 cc bf 31 1c 3f 00 01 02
        03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12
        13
        """
    static let mark = """
        54 4a 52 4e 4d 41 52 4b 01 00 0b 00 00 00 00 00
        ef cd ab 89 67 45 23 01 01 00 00 00 00 00 00 00
        68 61 6e 64 65 64 20 6f 76 65 72 00 00 00 00 00
        00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        df 68 46 2a
        """
    static let tag = JournalTag(log: 0x1111, epoch: 0x2222_2222_2222_2222, sequence: 0x33)

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ journal: Journal) throws {
        try journal.append(Array("first".utf8), snapshot: Array("somebody".utf8))
        try journal.append([], tag: Self.tag)
        try journal.append(Array(0..<20))
        try journal.removeThrough(1, markData: Array("handed over".utf8))
    }

    @Test("A journal reads the golden files of version 1", arguments: [Self.segment, Self.segmentWithoutTime])
    func goldenRead(segment: String) throws {
        try folder.write("0000000000000001.tjl", bytes(segment))
        try folder.write("mark", bytes(Self.mark))
        try withJournal(folder, .small(4096)) { journal throws in
            #expect(journal.epoch == 0x0123_4567_89AB_CDEF)
            #expect(journal.watermark == 1)
            #expect(journal.markData == Array("handed over".utf8))
            #expect(journal.snapshot == Array("somebody".utf8))
            #expect(journal.lastTag == Self.tag)
            #expect(
                try journal.records() == [
                    JournalRecord(sequence: 2, tag: Self.tag, payload: []),
                    JournalRecord(sequence: 3, tag: nil, payload: Array(0..<20)),
                ])
            #expect(journal.takeReports() == [])
        }
    }

    @Test("A journal writes the golden files of version 1 byte by byte")
    func goldenWritten() throws {
        try withJournal(folder, .small(4096)) { try write($0) }
        #expect(try hex(folder.read("0000000000000001.tjl")) == Self.segment)
        #expect(try hex(folder.read("mark")) == Self.mark)
    }

    @Test("An encoded header is read with the same members")
    func header() {
        for tag in [nil, Self.tag] {
            var header = SegmentHeader(
                epoch: 1, first: 2, previous: 3, lastTag: tag, followsGap: tag != nil, storedAt: 0xFFFF_FFFF)
            header.keyCheck = tag.map { _ in Array(1...16) }
            guard case .valid(header) = SegmentHeader.read(header.encoded() + [1, 2, 3]) else {
                Issue.record("the header is not read")
                return
            }
        }
    }

    /// Made with another implementation of the cipher. The key is 32 times 42, the nonces count from 1.
    static let sealedSegment = """
        54 4a 4f 55 52 4e 41 4c 02 00 58 00 00 00 00 00
        ef cd ab 89 67 45 23 01 01 00 00 00 00 00 00 00
        00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00 f1 53 65 c5 6b d2 16 2a a9 b9 61 73 e6 84 9c
        c5 be bd 28 16 ac 78 a8 24 00 00 00 02 02 01 00
        53 96 7b 2a d3 89 e4 45 00 00 00 00 00 00 00 00
        00 00 00 01 07 27 6d 2c 66 ba 19 44 1b 37 54 59
        5c d8 42 af 2c 8a 41 06 f5 ac ad e8 21 00 00 00
        01 02 01 00 45 9a 57 71 5f af c8 5b 00 00 00 00
        00 00 00 00 00 00 00 02 0f 77 ff 1c f9 7c 98 ca
        a8 65 70 18 e4 99 70 a8 13 d9 c3 1f 31 34 00 00
        00 01 03 02 00 86 e0 1a d0 3d c3 63 01 11 11 00
        00 00 00 00 00 22 22 22 22 22 22 22 22 33 00 00
        00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        03 f2 55 32 01 88 fb 1d 94 6b 18 76 31 7a c3 71
        e6 30 00 00 00 01 02 03 00 8f c5 b5 26 d3 e1 b2
        dd 00 00 00 00 00 00 00 00 00 00 00 04 29 bd bf
        c8 d8 7c 47 81 72 77 54 46 8c c8 b7 bb 4f 5a ca
        00 17 2d 47 53 73 75 51 04 0f 9e 91 b5 e7 25 d7
        b9
        """

    private func sealing() -> JournalOptions {
        var options = JournalOptions.small(4096)
        let nonces = Locked<UInt8>(0)
        options.cipher = AESGCMCipher(key: [UInt8](repeating: 42, count: 32)) {
            nonces.withLock { count in
                count += 1
                return [UInt8](repeating: 0, count: 11) + [count]
            }
        }
        return options
    }

    @Test("A journal with the key reads the sealed golden file")
    func sealedRead() throws {
        try folder.write("0000000000000001.tjl", bytes(Self.sealedSegment))
        try folder.write("mark", bytes(Self.mark))
        try withJournal(folder, sealing()) { journal throws in
            #expect(journal.snapshot == Array("somebody".utf8))
            #expect(journal.lastTag == Self.tag)
            #expect(try journal.records().map(\.payload) == [[], Array(0..<20)])
            #expect(journal.takeReports() == [])
        }
    }

    @Test("A journal with the key writes the sealed golden file byte by byte")
    func sealedWritten() throws {
        try withJournal(folder, sealing()) { try write($0) }
        #expect(try hex(folder.read("0000000000000001.tjl")) == Self.sealedSegment)
        #expect(try hex(folder.read("mark")) == Self.mark)
    }

    @Test("Only exact names of segments and spare files are recognized")
    func names() {
        for first in [1, 0x1234_5678_9ABC_DEF0, UInt64.max] {
            #expect(FileName.first(of: FileName.segment(first)) == first)
        }
        for name in ["", ".tjl", "1.tjl", "000000000000000A.tjl", "+000000000000001.tjl", "0000000000000001.tjx", "é"] {
            #expect(FileName.first(of: name) == nil)
        }
        #expect(FileName.spareNumber(of: FileName.spare(12)) == 12)
        for name in ["spare-.tjl", "spare-01.tjl", "spare--1.tjl", "spare-99999999999999999999.tjl"] {
            #expect(FileName.spareNumber(of: name) == nil)
        }
    }

    // MARK: - Newer versions

    /// A segment as a later version might write it: a longer header that keeps the promises of this one.
    private func newerSegment(first: UInt64) -> [UInt8] {
        var bytes = SegmentHeader.magic
        bytes.append(littleEndian: UInt16(3))
        bytes.append(littleEndian: UInt16(100))
        bytes.append(littleEndian: UInt32(0xFFFF))
        bytes.append(littleEndian: 0x0123_4567_89AB_CDEF as UInt64)
        bytes.append(littleEndian: first)
        bytes += [UInt8](repeating: 0xAA, count: 64)
        bytes.append(littleEndian: bytes.withUnsafeBytes { CRC32C.checksum(of: $0) })
        return bytes + [UInt8](repeating: 0xBB, count: 200)
    }

    @Test("A segment of a newer version is reported and not changed")
    func newerVersion() throws {
        try withJournal(folder) { try $0.appendNumbered(10) }
        let (name, newer) = (FileName.segment(11), newerSegment(first: 11))
        try folder.write(name, newer)
        try withJournal(folder, .small(300, maximumBytes: 1000)) { journal throws in
            #expect(journal.takeReports() == [.newerFormat(file: name)])
            let sequence = try journal.append([1])
            #expect(sequence > 11 + 200)
            #expect(
                try journal.records() == numbered(1...10) + [JournalRecord(sequence: sequence, tag: nil, payload: [1])])
            #expect(journal.count == 11)
            for _ in 0..<100 { try journal.append(payload(1)) }
            try journal.removeThrough(journal.lastSequence)
        }
        try withJournal(folder) { journal throws in
            #expect(journal.takeReports() == [.newerFormat(file: name)])
            #expect(journal.count == 0)
        }
        #expect(try folder.read(name) == newer)
    }

    @Test("A folder whose mark has a newer version is neither opened nor changed")
    func newerMark() throws {
        try withJournal(folder) { try $0.appendNumbered(10) }
        var mark = Array(try folder.read("mark").dropLast(4))
        mark[8] = 2
        mark.append(littleEndian: mark.withUnsafeBytes { CRC32C.checksum(of: $0) })
        try folder.write("mark", mark)
        let before = try folder.contents()
        #expect(reason { _ = try Journal.open(folder.path) } == .newerFormat)
        #expect(try folder.contents() == before)
    }

    @Test("A segment of another epoch is reported and not changed")
    func otherEpoch() throws {
        let other = try TemporaryFolder()
        try withJournal(other, JournalOptions(segmentBytes: 300)) { try $0.appendNumbered(20) }
        let stray = try #require(other.segmentNames().last)
        try withJournal(folder) { try $0.append(payload(1)) }
        try folder.write(stray, other.read(stray))
        try withJournal(folder) { journal throws in
            #expect(journal.takeReports() == [.foreignFile(file: stray)])
            let sequences = try journal.appendNumbered(40)
            // The foreign segment has this name, so no other segment begins there.
            #expect(try journal.records().map(\.sequence) == [1] + sequences)
            #expect(journal.count == 41)
        }
        #expect(try folder.read(stray) == other.read(stray))
    }

    private func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        let pairs = bytes.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }
        return stride(from: 0, to: pairs.count, by: 16).map { start in
            pairs[start..<min(start + 16, pairs.count)].joined(separator: " ")
        }.joined(separator: "\n")
    }

    private func bytes(_ hex: String) -> [UInt8] {
        hex.split { $0 == " " || $0 == "\n" }.compactMap { UInt8($0, radix: 16) }
    }
}
