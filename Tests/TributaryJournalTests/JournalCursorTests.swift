import Testing

@testable import TributaryJournal

@Suite struct JournalCursorTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A cursor at the end of the journal returns records that are appended later")
    func end() throws {
        try withJournal(folder) { journal throws in
            var cursor = journal.cursor()
            for sequence in 1...50 as ClosedRange<UInt64> {
                #expect(try cursor.next() == nil)
                try journal.append(payload(sequence))
                #expect(try cursor.next()?.payload == payload(sequence))
                #expect(cursor.sequence == sequence)
            }
        }
    }

    @Test func aCursorBeginsAfterTheGivenSequence() throws {
        try withJournal(folder) { journal throws in
            try journal.appendNumbered(30)
            for sequence in 0...30 as ClosedRange<UInt64> {
                #expect(try journal.records(after: sequence) == numbered((sequence + 1)..<31))
            }
            #expect(try journal.records(after: .max) == [])
        }
    }

    @Test("A batch stays within its bounds, except for one record that is larger")
    func batchBounds() throws {
        try withJournal(folder) { journal throws in
            for size in [10, 20, 30, 1000, 5] { try journal.append([UInt8](repeating: 0, count: size)) }
            var cursor = journal.cursor()
            #expect(try cursor.next(maxBytes: 60).map(\.payload.count) == [10, 20, 30])
            #expect(try cursor.next(maxBytes: 60).map(\.payload.count) == [1000])
            #expect(try cursor.next(maxBytes: 60).map(\.payload.count) == [5])
            #expect(try cursor.next(maxBytes: 60) == [])
            cursor = journal.cursor()
            #expect(try cursor.next(maxBytes: 59).map(\.payload.count) == [10, 20])
            #expect(try cursor.next()?.payload.count == 30)
            #expect(try cursor.next(maxBytes: 5000, maxRecords: 1).map(\.payload.count) == [1000])
        }
    }

    @Test func aBatchEndsAtTheGivenSequence() throws {
        try withJournal(folder) { journal throws in
            try journal.appendNumbered(30)
            var cursor = journal.cursor()
            #expect(try cursor.next(through: 12, maxBytes: .max) == numbered(1...12))
            #expect(cursor.sequence == 12)
            #expect(try cursor.next(through: 12, maxBytes: .max) == [])
            #expect(try cursor.next(through: 20, maxBytes: .max, maxRecords: 5) == numbered(13...17))
            #expect(try cursor.next(through: 0, maxBytes: .max) == [])
            #expect(try cursor.next(maxBytes: .max) == numbered(18...30))
        }
    }

    @Test("A copy of a cursor reads independently of the original")
    func copies() throws {
        try withJournal(folder) { journal throws in
            try journal.appendNumbered(20)
            var first = journal.cursor()
            for _ in 0..<7 { _ = try first.next() }
            var second = first
            while try first.next() != nil {}
            #expect(try second.next()?.sequence == 8)
        }
    }

    @Test func removedRecordsAreNotReturned() throws {
        try withJournal(folder) { journal throws in
            try journal.appendNumbered(30)
            var cursor = journal.cursor()
            #expect(try cursor.next()?.sequence == 1)
            try journal.removeThrough(17)
            #expect(try cursor.next()?.sequence == 18)
            try journal.removeThrough(30)
            #expect(try cursor.next() == nil)
            try journal.append([1])
            #expect(try cursor.next()?.sequence == 31)
        }
    }

    @Test("A cursor waits at a segment that cannot be read for a while, and continues later")
    func unreadableNow() throws {
        let files = FaultyFileSystem()
        try withJournal(folder) { try $0.appendNumbered(30) }
        let blocked = try folder.segmentNames()[1]
        let permission: Int32 = 13
        files.setRule { operation, path in
            operation == .open && path.hasSuffix(blocked) ? .error(permission) : nil
        }
        try withJournal(folder, files: files) { journal throws in
            #expect(journal.takeReports() == [.unreadable(file: blocked, errno: permission)])
            #expect(journal.count == 30)
            var cursor = journal.cursor()
            var sequences: [UInt64] = []
            let failure = reason {
                while let record = try cursor.next() { sequences.append(record.sequence) }
            }
            #expect(failure == .unreadable)
            #expect(reason { _ = try cursor.next(maxBytes: 1000) } == .unreadable)
            try journal.removeThrough(3)
            try journal.append(payload(31))

            files.clearRule()
            while let record = try cursor.next() { sequences.append(record.sequence) }
            #expect(sequences == Array(1...31))
            #expect(journal.takeReports() == [])
        }
    }

    @Test("A journal does not open while its last segment or its mark cannot be read")
    func unreadableAtOpening() throws {
        let files = FaultyFileSystem()
        try withJournal(folder) { try $0.appendNumbered(30) }
        let before = try folder.contents()
        for name in [try #require(folder.segmentNames().last), "mark"] {
            files.setRule { operation, path in operation == .open && path.hasSuffix(name) ? .error(1) : nil }
            #expect(reason { _ = try Journal.open(folder.path, options: .small(), files: files) } == .unreadable)
        }
        #expect(try folder.contents() == before)
        try withJournal(folder) { journal throws in #expect(try journal.records() == numbered(1...30)) }
    }

    @Test("A cursor passes over a segment that was deleted, and the journal reports the loss")
    func deletedSegment() throws {
        try withJournal(folder) { journal throws in
            try journal.appendNumbered(30)
            let names = try folder.segmentNames()
            let (lost, following) = (names[1], names[2])
            try folder.remove(lost)
            let first = try #require(FileName.first(of: lost))
            let end = try #require(FileName.first(of: following))
            #expect(try journal.records() == numbered((1..<first)) + numbered(end...30))
            #expect(journal.takeReports() == [.missingSegments(records: Int(end - first))])
            #expect(journal.count == 30 - Int(end - first))
        }
    }
}
