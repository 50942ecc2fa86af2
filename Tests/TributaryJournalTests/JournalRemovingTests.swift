import Testing

@testable import TributaryJournal

@Suite struct JournalRemovingTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("Removed records do not return, in this opening or a later one")
    func removed() throws {
        for removed in 0...31 as ClosedRange<UInt64> {
            let folder = try TemporaryFolder()
            let watermark = min(removed, 30)
            try withJournal(folder) { journal throws in
                try journal.appendNumbered(30)
                try journal.removeThrough(removed)
                #expect(journal.watermark == watermark)
                #expect(journal.count == 30 - Int(watermark))
                #expect(try journal.records() == numbered((watermark + 1)..<31))
            }
            try withJournal(folder) { journal throws in
                #expect(journal.watermark == watermark)
                #expect(journal.firstSequence == watermark + 1)
                #expect(journal.lastSequence == 30)
                #expect(journal.count == 30 - Int(watermark))
                #expect(try journal.records() == numbered((watermark + 1)..<31))
                #expect(try journal.append(payload(31)) == 31)
                #expect(journal.takeReports() == [])
            }
        }
    }

    @Test("A removed segment that a power cut brings back makes no loss of a gap behind it")
    func removedSegmentComesBack() throws {
        let name = FileName.segment(1)
        let bytes = try withJournal(folder, .small(100_000)) { journal throws in
            try journal.appendNumbered(3)
            try journal.reserve(through: 10)
            try journal.append(payload(11))
            let bytes = try folder.read(name)
            try journal.removeThrough(11)
            try journal.reserve(through: 20)
            try journal.append(payload(21))
            try journal.removeThrough(11)
            return bytes
        }
        #expect(try folder.segmentNames() == [FileName.segment(21)])
        try folder.write(name, bytes)
        try withJournal(folder, .small(100_000)) { journal throws in
            #expect(journal.takeReports() == [])
            #expect(try journal.records().map(\.sequence) == [21])
        }
    }

    @Test("Segments with only removed records are deleted")
    func deletedSegments() throws {
        try withJournal(folder) { journal throws in
            try journal.appendNumbered(30)
            let firsts = try folder.segmentNames().compactMap(FileName.first)
            try journal.removeThrough(firsts[2] - 2)
            #expect(try folder.segmentNames().compactMap(FileName.first) == Array(firsts[1...]))
            try journal.removeThrough(firsts[2] - 1)
            #expect(try folder.segmentNames().compactMap(FileName.first) == Array(firsts[2...]))
            try journal.removeThrough(30)
            #expect(try folder.segmentNames().compactMap(FileName.first) == [firsts.last])
        }
    }

    @Test("The caller's bytes in the mark stay until a removal changes them")
    func markData() throws {
        try withJournal(folder) { journal throws in
            try journal.appendNumbered(5)
            try journal.removeThrough(2, markData: [1, 2])
            try journal.removeThrough(3)
            #expect(journal.markData == [1, 2])
        }
        try withJournal(folder) { journal throws in
            #expect(journal.markData == [1, 2])
            try journal.removeThrough(0, markData: [UInt8](repeating: 9, count: 256))
            #expect(journal.watermark == 3)
            #expect(reason { try journal.removeThrough(4, markData: [UInt8](repeating: 9, count: 257)) } == .tooLarge)
        }
        try withJournal(folder) { journal throws in
            #expect(journal.markData == [UInt8](repeating: 9, count: 256))
            #expect(journal.watermark == 3)
            try journal.removeThrough(3, markData: [])
            #expect(journal.markData == [])
        }
    }

    @Test("A death at any step of a removal loses no record behind the watermark")
    func death() throws {
        try withJournal(folder) { journal in
            try journal.appendNumbered(40)
            try journal.removeThrough(7, markData: [7])
        }
        let action: (Journal) throws -> Void = { try $0.removeThrough(33, markData: [33]) }
        let steps = try dieAtEachStep(in: folder, of: action) { failure in
            try withJournal(folder) { journal throws in
                #expect([7, 33].contains(journal.watermark))
                #expect(journal.markData == [UInt8(journal.watermark)])
                #expect(failure != nil || journal.watermark == 33)
                #expect(try journal.records() == numbered((journal.watermark + 1)...40))
                #expect(journal.takeReports() == [])
                try journal.removeThrough(33)
                #expect(try journal.records() == numbered(34...40))
            }
            #expect(try folder.segmentNames().compactMap(FileName.first).dropFirst().first ?? 41 > 34)
        }
        // Creating, writing and renaming the mark, and deleting several segments.
        #expect(steps > 6)
    }

    @Test("A segment that cannot be deleted is deleted later")
    func failedDeletion() throws {
        let files = FaultyFileSystem()
        try withJournal(folder, files: files) { journal throws in
            try journal.appendNumbered(30)
            let segments = try folder.segmentNames()
            files.setRule { operation, _ in operation == .remove ? .error(13) : nil }
            try journal.removeThrough(30)
            #expect(journal.count == 0)
            #expect(try folder.segmentNames() == segments)
            files.clearRule()
            try journal.prepare()
            #expect(try folder.segmentNames() == segments.suffix(1))
        }
    }

    @Test("A removal whose watermark cannot be stored removes no record")
    func failedMark() throws {
        let files = FaultyFileSystem()
        try withJournal(folder, files: files) { journal throws in
            try journal.appendNumbered(30)
            for operation in [FaultyFileSystem.Operation.replace, .write, .move] {
                files.setRule { done, _ in done == operation ? .error(5) : nil }
                #expect(reason { try journal.removeThrough(20, markData: [1]) } == .inputOutput)
                #expect(journal.count == 30)
                #expect(journal.markData == [])
                #expect(try journal.records() == numbered(1...30))
            }
            files.clearRule()
            try journal.removeThrough(20)
            #expect(journal.count == 10)
        }
    }

    @Test("Records can be removed from a full disk", arguments: [FaultyFileSystem.Operation.replace, .write, .move])
    func fullDisk(operation: FaultyFileSystem.Operation) throws {
        let files = FaultyFileSystem()
        try withJournal(folder, files: files) { journal throws in
            try journal.appendNumbered(30)
            let writes = Locked(0)
            files.setRule { done, _ in
                // The disk lets present bytes be written over, and takes no new ones.
                if done == .write { writes.withLock { $0 += 1 } }
                return done == operation && (done != .write || writes.withLock { $0 } == 1) ? .error(28) : nil
            }
            try journal.removeThrough(20, markData: [1])
            #expect(journal.count == 10)
        }
        #expect(try !folder.names().contains("mark.new"))
        try withJournal(folder) { journal throws in
            #expect(try journal.records() == numbered(21...30))
            #expect(journal.markData == [1])
            #expect(journal.takeReports() == [])
        }
    }

    @Test("A journal with too many bytes drops its oldest records")
    func tooManyBytes() throws {
        try withJournal(folder, .small(300, maximumBytes: 2000)) { journal throws in
            var (records, bytes) = (0, 0)
            for sequence in 1...500 as ClosedRange<UInt64> {
                try journal.append(payload(sequence), snapshot: sequence == 1 ? [4, 2] : nil)
                if sequence % 3 == 0 { try journal.prepare() }
                #expect(journal.byteCount <= 2000 + 300)
                for case .droppedOldest(let moreRecords, let moreBytes, .bytes) in journal.takeReports() {
                    records += moreRecords
                    bytes += moreBytes
                }
            }
            #expect(try journal.records() == numbered((UInt64(records) + 1)...500))
            #expect(journal.count == 500 - records)
            #expect(bytes > 10_000)
            #expect(journal.snapshot == [4, 2])
        }
        try withJournal(folder, .small(300, maximumBytes: 2000)) { journal throws in
            #expect(journal.snapshot == [4, 2])
            #expect(journal.takeReports() == [])
            #expect(try journal.append([1]) == 501)
        }
    }

    @Test("The bound of bytes holds without a call of prepare")
    func withoutPreparing() throws {
        try withJournal(folder, .small(300, maximumBytes: 2000)) { journal throws in
            for sequence in 1...300 as ClosedRange<UInt64> {
                try journal.append(payload(sequence))
                #expect(journal.byteCount <= 2000 + 300)
            }
        }
    }

    @Test func removedRecordsAreNotCountedAsDropped() throws {
        try withJournal(folder, .small(300, maximumBytes: 2000)) { journal throws in
            for sequence in 1...300 as ClosedRange<UInt64> {
                try journal.append(payload(sequence))
                try journal.removeThrough(sequence)
            }
            #expect(journal.takeReports() == [])
        }
    }

    @Test("A journal with too many bytes drops its oldest records also when its mark cannot be stored")
    func dropsWithoutMark() throws {
        let files = FaultyFileSystem()
        try withJournal(folder, .small(300, maximumBytes: 2000), files: files) { journal throws in
            files.setRule { operation, _ in operation == .replace ? .error(5) : nil }
            for sequence in 1...300 as ClosedRange<UInt64> { try journal.append(payload(sequence)) }
            #expect(journal.byteCount <= 2000 + 300)
            #expect(try journal.records().map(\.sequence) == Array((journal.watermark + 1)...300))
        }
        try withJournal(folder, .small(300, maximumBytes: 2000)) { journal throws in
            #expect(try journal.records().last?.sequence == 300)
        }
    }
}
