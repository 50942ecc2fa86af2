import Testing

@testable import TributaryJournal

/// An opening reads the newest segment; the others are read when a call needs them.
@Suite struct JournalOpeningTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    @Test("Opening a backlog and appending to it read only the last segment")
    func lastSegment() throws {
        let files = FaultyFileSystem()
        let segmentBytes = 64 << 10
        try withJournal(folder, .small(segmentBytes)) { journal throws in
            for _ in 0..<2000 { try journal.append([UInt8](repeating: 1, count: 1000), snapshot: [5]) }
        }
        let segments = try folder.segmentNames().count
        #expect(segments > 20)
        try withJournal(folder, .small(segmentBytes), files: files) { journal throws in
            #expect(journal.lastSequence == 2000)
            #expect(journal.snapshot == [5])
            #expect(try journal.append([2]) == 2001)
            let start = files.takeCounts()
            #expect(start.bytesRead <= segmentBytes + 2 * JournalLimits.headerBytes)
            #expect(start.opens <= 4)
            #expect(journal.count == 2001)
            #expect(files.takeCounts().bytesRead <= segments * JournalLimits.headerBytes)
            var cursor = journal.cursor()
            #expect(try cursor.next(maxBytes: 5000).count == 5)
            #expect(files.takeCounts().bytesRead <= JournalLimits.readBytes)
        }
    }

    @Test("Appending goes on in new segments before older segments were opened")
    func fullSegment() throws {
        try withJournal(folder, .small(300)) { try $0.appendNumbered(60) }
        let files = FaultyFileSystem()
        try withJournal(folder, .small(300), files: files) { journal throws in
            try journal.appendNumbered(60)
            // Not one of the older files was opened.
            #expect(files.takeCounts().bytesRead <= 300 + 2 * JournalLimits.headerBytes)
            #expect(try journal.records() == numbered(1...120))
            #expect(journal.takeReports() == [])
        }
        let records = try withJournal(folder) { try $0.records() }
        #expect(records == numbered(1...120))
    }

    @Test("Damage of older segments is reported when reports are taken")
    func olderDamage() throws {
        try withJournal(folder, .small(300)) { try $0.appendNumbered(60) }
        let names = try folder.segmentNames()
        var bytes = try folder.read(names[1])
        bytes[20] ^= 1
        try folder.write(names[1], bytes)
        try folder.remove(names[3])
        let missing = try #require(FileName.first(of: names[4])) - (try #require(FileName.first(of: names[3])))
        try withJournal(folder, .small(300)) { journal throws in
            #expect(try journal.append(payload(61)) == 61)
            let reports = journal.takeReports()
            #expect(reports.contains(.damagedHeader(file: names[1])))
            #expect(reports.contains(.missingSegments(records: Int(missing))))
            #expect(journal.count == 61 - Int(missing))
            let records = try journal.records()
            #expect(records.count == 61 - Int(missing))
            #expect(records.allSatisfy { $0.payload == payload($0.sequence) })
        }
    }

    @Test("A copy of the newest segment under an older name is reported and not changed")
    func foreignCopy() throws {
        try withJournal(folder, .small(300)) { try $0.appendNumbered(60) }
        let names = try folder.segmentNames()
        let last = try #require(names.last)
        // The newest segment under an older one's name, and the one before it as the newest.
        try folder.write(names[0], try folder.read(last))
        try folder.remove(last)
        try withJournal(folder, .small(300)) { journal throws in
            let first = try journal.append([7])
            let records = try journal.records()
            #expect(records.last == JournalRecord(sequence: first, tag: nil, payload: [7]))
            #expect(Set(records.map(\.sequence)).count == records.count)
            #expect(journal.takeReports().contains(.foreignFile(file: names[0])))
        }
        #expect(try folder.names().contains(names[0]))
    }

    @Test("Segments that cannot be opened for a while are read later, and records can be appended meanwhile")
    func unreadableNow() throws {
        try withJournal(folder, .small(300)) { try $0.appendNumbered(60) }
        let files = FaultyFileSystem()
        try withJournal(folder, .small(300), files: files) { journal throws in
            let tooManyFiles: Int32 = 24
            files.setRule { operation, path in
                operation == .open && path.hasSuffix(".tjl") ? .error(tooManyFiles) : nil
            }
            #expect(try journal.append(payload(61)) == 61)
            let failure = reason { _ = try journal.records() }
            #expect(failure != nil)
            #expect(journal.count == 61)
            files.clearRule()
            #expect(try journal.records() == numbered(1...61))
        }
    }

    @Test("Removed segments that are still on disk are deleted when the journal counts its records")
    func removedSegments() throws {
        let before: [String: [UInt8]] = try withJournal(folder, .small(300)) { journal throws in
            try journal.appendNumbered(60)
            return try folder.contents().filter { $0.key != "mark" }
        }
        try withJournal(folder, .small(300)) { try $0.removeThrough(30) }
        for (name, bytes) in before where !name.hasPrefix("spare") { try folder.write(name, bytes) }
        let names = try folder.segmentNames()
        try withJournal(folder, .small(300)) { journal throws in
            #expect(try folder.segmentNames() == names)
            #expect(journal.count == 30)
            #expect(try folder.segmentNames().count < names.count)
            #expect(try journal.records() == numbered(31...60))
        }
    }

    @Test("A closed journal reads no file")
    func closed() throws {
        try withJournal(folder, .small(300)) { try $0.appendNumbered(60) }
        let files = FaultyFileSystem()
        let journal = try Journal.open(folder.path, options: .small(300), files: files)
        journal.close()
        _ = files.takeCounts()
        #expect(journal.count == 60)
        #expect(journal.takeReports() == [])
        #expect(files.takeCounts().operations == 0)
    }
}
