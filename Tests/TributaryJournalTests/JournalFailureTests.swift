import Testing

@testable import TributaryJournal

@Suite struct JournalFailureTests {
    let folder: TemporaryFolder
    let files = FaultyFileSystem()

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "The error of a failed write has its reason, and the next write works",
        arguments: [
            (28, .noSpace), (122, .noSpace), (27, .noSpace), (5, .inputOutput), (30, .readOnly), (24, .exhausted),
        ] as [(Int32, JournalError.Reason)])
    func failedWrite(errno: Int32, expected: JournalError.Reason) throws {
        try withJournal(folder, files: files) { journal throws in
            for round in 0..<30 as Range<UInt64> {
                files.setRule { operation, _ in operation == .write ? .error(errno) : nil }
                #expect(reason { try journal.append([9, 9, 9]) } == expected)
                files.clearRule()
                #expect(try journal.append(payload(round + 1)) == round + 1)
            }
            #expect(try journal.records() == numbered(1...30))
        }
        try withJournal(folder) { journal throws in
            #expect(try journal.records() == numbered(1...30))
            #expect(journal.takeReports() == [])
        }
    }

    @Test("A partly written record is cut off at once")
    func partialWrite() throws {
        try withJournal(folder, files: files) { journal throws in
            for round in 0..<60 as Range<UInt64> {
                files.setRule { operation, _ in operation == .write ? .partialWrite(Int(round), 28) : nil }
                #expect(reason { try journal.append(payload(round + 1)) } == .noSpace)
                files.clearRule()
                let onDisk = try folder.segmentNames().reduce(0) { try $0 + folder.read($1).count }
                #expect(onDisk == journal.byteCount)
                #expect(try journal.append(payload(round + 1)) == round + 1)
            }
            #expect(try journal.records() == numbered(1...60))
        }
        try withJournal(folder) { journal throws in
            #expect(try journal.records() == numbered(1...60))
            #expect(journal.takeReports() == [])
        }
    }

    @Test("After a partly written record that cannot be cut off, the journal loses no other record")
    func uncutSegment() throws {
        try withJournal(folder, .small(4096), files: files) { journal throws in
            for round in 0..<20 as Range<UInt64> {
                files.setRule { operation, _ in
                    switch operation {
                    case .write: .partialWrite(Int(round) * 2, 5)
                    case .truncate: .error(5)
                    default: nil
                    }
                }
                #expect(reason { try journal.append(payload(round + 1), snapshot: [1]) } == .inputOutput)
                files.clearRule()
                #expect(try journal.append(payload(round + 1), snapshot: [2]) == round + 1)
                #expect(try journal.records() == numbered(1...(round + 1)))
            }
        }
        try withJournal(folder, .small(4096)) { journal throws in
            #expect(try journal.records() == numbered(1...20))
            #expect(journal.snapshot == [2])
        }
    }

    @Test("A record that could not be synced is not in the journal")
    func failedSync() throws {
        var options = JournalOptions.small(4096)
        options.durability = .everyAppend
        for canTruncate in [true, false] {
            let folder = try TemporaryFolder()
            try withJournal(folder, options, files: files) { journal throws in
                try journal.append(payload(1))
                files.setRule { operation, _ in
                    operation == .sync || (operation == .truncate && !canTruncate) ? .error(5) : nil
                }
                #expect(reason { try journal.append(Array("lost".utf8)) } == .inputOutput)
                #expect(reason { try journal.append(Array("lost too".utf8)) } == .inputOutput)
                files.clearRule()
                #expect(try journal.append(payload(2)) == 2)
                #expect(try journal.records() == numbered(1...2))
            }
            try withJournal(folder, options) { journal throws in #expect(try journal.records() == numbered(1...2)) }
        }
    }

    @Test(
        "A segment that cannot be made costs no record",
        arguments: [FaultyFileSystem.Operation.create, .move, .write, .truncate])
    func failedSegment(operation: FaultyFileSystem.Operation) throws {
        try withJournal(folder, files: files) { journal throws in
            var failures = 0
            for sequence in 1...60 as ClosedRange<UInt64> {
                if sequence % 20 == 0 { try journal.prepare() }
                files.setRule { done, _ in
                    done == operation || (operation == .truncate && done == .write) ? .error(28) : nil
                }
                // The append fails only when a segment is full, or when writing itself fails.
                if reason({ try journal.append(payload(sequence)) }) != nil {
                    failures += 1
                    files.clearRule()
                    #expect(try journal.append(payload(sequence)) == sequence)
                }
                files.clearRule()
            }
            #expect(failures > 3)
            #expect(try journal.records() == numbered(1...60))
        }
        try withJournal(folder) { journal throws in
            #expect(try journal.records() == numbered(1...60))
            #expect(journal.takeReports() == [])
        }
    }

    @Test("A death at any step of appending loses no acknowledged record")
    func deathWhileAppending() throws {
        let options = JournalOptions.small(300, maximumBytes: 2000)
        var steps = 0
        var wasStopped = true
        while wasStopped {
            let folder = try TemporaryFolder()
            let files = FaultyFileSystem()
            let journal = try Journal.open(folder.path, options: options, files: files)
            files.die(afterChanges: steps)
            var acknowledged: UInt64 = 0
            while acknowledged < 80, reason({ try journal.append(payload(acknowledged + 1), snapshot: [7]) }) == nil {
                acknowledged += 1
                if acknowledged % 4 == 0 { _ = reason { try journal.prepare() } }
            }
            wasStopped = files.isDead
            let watermark = journal.watermark
            journal.close()

            try withJournal(folder, options) { journal throws in
                let records = try journal.records()
                #expect(records.last?.sequence ?? watermark == acknowledged)
                // The mark may be older than the drop that follows it. It is never newer.
                #expect(records.first?.sequence ?? acknowledged + 1 <= watermark + 1)
                #expect(records.allSatisfy { $0.payload == payload($0.sequence) })
                #expect(journal.snapshot == (acknowledged > 0 ? [7] : nil))
                #expect(try journal.append(payload(acknowledged + 1)) == acknowledged + 1)
            }
            steps += 1
        }
        #expect(steps > 100)
    }

    @Test("After a failed sync the journal writes into a new segment")
    func newSegmentAfterSync() throws {
        try withJournal(folder, files: files) { journal throws in
            try journal.appendNumbered(2)
            files.setRule { operation, _ in operation == .sync ? .error(5) : nil }
            #expect(reason { try journal.sync() } == .inputOutput)
            files.clearRule()
            try journal.appendNumbered(2)
            #expect(try folder.segmentNames().count == 2)
            try journal.sync()
            #expect(try journal.records() == numbered(1...4))
        }
    }

    @Test("A read error leaves the cursor in its place")
    func readError() throws {
        try withJournal(folder, files: files) { journal throws in
            try journal.appendNumbered(30)
            var cursor = journal.cursor()
            var read: [JournalRecord] = []
            let reads = Locked(0)
            files.setRule { operation, _ in
                guard operation == .read else { return nil }
                return reads.withLock { count in
                    count += 1
                    return count % 2 == 1 ? .error(5) : nil
                }
            }
            var failures = 0
            while read.count < 30 && failures < 100 {
                let failure = reason {
                    if let record = try cursor.next() { read.append(record) }
                }
                if failure != nil { failures += 1 }
            }
            #expect(failures > 3)
            #expect(read == numbered(1...30))
            #expect(journal.takeReports() == [])
        }
    }

    @Test("A journal whose folder cannot be made does not open, and the error has the reason")
    func failedFolder() throws {
        try folder.write("file", [1])
        #expect(reason { _ = try Journal.open(folder.path + "/file/journal") } == .missing)
        files.setRule { operation, _ in operation == .makeFolder ? .error(30) : nil }
        #expect(reason { _ = try Journal.open(folder.path, options: .small(), files: files) } == .readOnly)
    }
}
