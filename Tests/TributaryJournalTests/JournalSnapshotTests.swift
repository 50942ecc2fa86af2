import Testing

@testable import TributaryJournal

@Suite struct JournalSnapshotTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A reopened journal has the newest snapshot")
    func newest() throws {
        try withJournal(folder) { journal throws in
            try journal.append(payload(1), snapshot: [1])
            #expect(journal.snapshot == [1])
            try journal.appendSnapshot([2])
            #expect(journal.snapshot == [2])
            #expect(journal.lastSequence == 1)
            try journal.append(payload(2), snapshot: [3])
        }
        try withJournal(folder) { journal throws in
            #expect(journal.snapshot == [3])
            #expect(try journal.records() == numbered(1...2))
        }
    }

    @Test("An empty snapshot differs from no snapshot")
    func empty() throws {
        try withJournal(folder) { try $0.append(payload(1), snapshot: []) }
        try withJournal(folder) { #expect($0.snapshot == []) }
    }

    @Test("Every segment begins with the snapshot that was the newest at its beginning")
    func segments() throws {
        try withJournal(folder) { journal in
            for sequence in 1...60 as ClosedRange<UInt64> {
                try journal.append(payload(sequence), snapshot: sequence % 25 == 1 ? [UInt8(sequence)] : nil)
            }
        }
        for name in try folder.segmentNames() {
            let first = try #require(FileName.first(of: name))
            let file = try OpenFile(folder.path + "/" + name, .read, in: PosixFileSystem())
            let key = FrameKey(epoch: 0x0123_4567_89AB_CDEF)
            let segment = Segment(
                first: first, end: first, name: name, bytes: try folder.read(name).count, standing: .ours)
            var reader = SegmentReader(file, key: key, segment: segment, limit: .max / 4)
            let beginning = try #require(try reader.next(after: 0))
            #expect(beginning.kind == .snapshot)
            #expect(beginning.record.payload == [UInt8((first - 1) / 25 * 25 + 1)])
        }
    }

    @Test("Removing all records keeps the snapshot")
    func removal() throws {
        try withJournal(folder) { journal throws in
            try journal.append(payload(1), snapshot: [1])
            try journal.appendNumbered(50)
            try journal.removeThrough(51)
        }
        try withJournal(folder) { #expect($0.snapshot == [1]) }
    }

    @Test("Many snapshots without records cost neither the newest snapshot nor a record")
    func manySnapshots() throws {
        try withJournal(folder) { journal throws in
            for index in 0..<100 as Range<UInt8> { try journal.appendSnapshot([UInt8](repeating: index, count: 50)) }
            #expect(journal.count == 0)
            try journal.append([1])
            #expect(try journal.records().map(\.payload) == [[1]])
        }
        try withJournal(folder) { journal throws in
            #expect(journal.snapshot == [UInt8](repeating: 99, count: 50))
            #expect(try journal.records().map(\.payload) == [[1]])
            #expect(journal.takeReports() == [])
            #expect(journal.count == 1)
        }
    }

    @Test("A torn write of a snapshot and its record loses the record, or both")
    func tornPair() throws {
        try withJournal(folder, .small(4096)) { journal in
            try journal.append(payload(1), snapshot: [1])
            try journal.append(payload(2), snapshot: [2])
        }
        let name = try #require(folder.segmentNames().first)
        let intact = try folder.contents()
        let whole = try folder.read(name)
        for torn in 1...(2 * Frame.headSize + 1 + payload(2).count) {
            try folder.replaceContents(intact)
            try folder.write(name, Array(whole.dropLast(torn)))
            try withJournal(folder, .small(4096)) { journal throws in
                #expect(try journal.records() == numbered([1]))
                #expect(journal.snapshot == (torn <= Frame.headSize + payload(2).count ? [2] : [1]))
            }
        }
    }
}
