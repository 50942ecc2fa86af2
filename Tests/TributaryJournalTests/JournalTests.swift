import Foundation
import Testing

@testable import TributaryJournal

@Suite struct JournalTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func recordsComeBackAsTheyWereAppended() throws {
        let tag = JournalTag(log: 1, epoch: .max, sequence: 3)
        let payloads: [[UInt8]] = [[], [0], Array(0...255), [UInt8](repeating: 7, count: 200_000)]
        try withJournal(folder) { journal throws in
            for (index, payload) in payloads.enumerated() {
                #expect(try journal.append(payload, tag: index == 2 ? tag : nil) == UInt64(index + 1))
            }
            let records = try journal.records()
            #expect(records.map(\.payload) == payloads)
            #expect(records.map(\.sequence) == [1, 2, 3, 4])
            #expect(records.map(\.tag) == [nil, nil, tag, nil])
        }
    }

    @Test("An empty journal has no records, no bytes and no snapshot")
    func empty() throws {
        try withJournal(folder) { journal throws in
            #expect(journal.count == 0)
            #expect(journal.byteCount == 0)
            #expect(journal.firstSequence == 1)
            #expect(journal.lastSequence == 0)
            #expect(journal.watermark == 0)
            #expect(journal.snapshot == nil)
            #expect(journal.lastTag == nil)
            #expect(journal.markData == [])
            #expect(try journal.records() == [])
            #expect(journal.takeReports() == [])
        }
    }

    @Test("A reopened journal continues its sequences")
    func reopening() throws {
        for round in 0..<5 {
            try withJournal(folder) { journal throws in
                #expect(journal.lastSequence == UInt64(round * 10))
                #expect(try journal.records() == numbered(1..<UInt64(round * 10 + 1)))
                try journal.appendNumbered(10)
                #expect(journal.count == (round + 1) * 10)
                #expect(journal.takeReports() == [])
            }
        }
        #expect(try folder.segmentNames().count > 5)
    }

    @Test("The byte count is the size of the segments on disk")
    func byteCount() throws {
        func onDisk() throws -> Int {
            try folder.segmentNames().reduce(0) { try $0 + folder.read($1).count }
        }
        try withJournal(folder) { journal throws in
            try journal.appendNumbered(40)
            #expect(try journal.byteCount == onDisk())
            try journal.removeThrough(25)
            #expect(try journal.byteCount == onDisk())
        }
        try withJournal(folder) { journal throws in #expect(try journal.byteCount == onDisk()) }
    }

    @Test("A record that is larger than a segment gets a segment of its own")
    func largeRecord() throws {
        try withJournal(folder) { journal throws in
            try journal.append([1])
            try journal.append([UInt8](repeating: 2, count: 5000))
            try journal.append([3])
            #expect(try journal.records().map(\.payload.count) == [1, 5000, 1])
        }
        #expect(try folder.segmentNames().count == 3)
    }

    @Test func payloadsBeyondTheLimitAreRefused() throws {
        try withJournal(folder) { journal throws in
            let tooLong = [UInt8](repeating: 0, count: JournalLimits.payloadBytes + 1)
            #expect(reason { try journal.append(tooLong) } == .tooLarge)
            #expect(reason { try journal.append([1], snapshot: tooLong) } == .tooLarge)
            #expect(reason { try journal.appendSnapshot(tooLong) } == .tooLarge)
            #expect(journal.count == 0)
            try journal.append(Array(tooLong.dropLast()))
            #expect(try journal.records().first?.payload.count == JournalLimits.payloadBytes)
        }
    }

    @Test("A journal knows its newest tag, also after reopening")
    func newestTag() throws {
        let tags = (1...9).map { JournalTag(log: 5, epoch: 6, sequence: $0) }
        try withJournal(folder) { journal throws in
            for tag in tags { try journal.append(payload(tag.sequence), tag: tag) }
            #expect(journal.lastTag == tags.last)
            try journal.appendNumbered(50)
            #expect(journal.lastTag == tags.last)
        }
        try withJournal(folder) { journal throws in #expect(journal.lastTag == tags.last) }
    }

    @Test func aClosedJournalRefusesEverything() throws {
        let journal = try Journal.open(folder.path, options: .small())
        try journal.appendNumbered(3)
        var cursor = journal.cursor()
        #expect(try cursor.next() != nil)
        journal.close()
        journal.close()
        #expect(reason { try journal.append([1]) } == .closed)
        #expect(reason { try journal.appendSnapshot([1]) } == .closed)
        #expect(reason { try journal.removeThrough(1) } == .closed)
        #expect(reason { try journal.reserve(through: 100) } == .closed)
        #expect(reason { try journal.prepare() } == .closed)
        #expect(reason { try journal.sync() } == .closed)
        #expect(reason { _ = try cursor.next() } == .closed)
        #expect(try folder.names() == ["0000000000000001.tjl", "lock", "mark"])
    }

    @Test("Appended records do not use reserved sequences")
    func reserved() throws {
        try withJournal(folder) { journal throws in
            try journal.appendNumbered(2)
            try journal.reserve(through: 500)
            try journal.reserve(through: 400)
            #expect(journal.lastSequence == 500)
            #expect(journal.count == 2)
        }
        try withJournal(folder) { journal throws in
            #expect(journal.lastSequence == 500)
            #expect(try journal.append(payload(501)) == 501)
            #expect(try journal.records() == numbered([1, 2, 501]))
            #expect(journal.count == 3)
            #expect(journal.takeReports() == [])
            #expect(reason { try journal.reserve(through: .max) } == .sequenceOutOfRange)
        }
    }

    @Test("With the durability everyAppend each append syncs once")
    func everyAppend() throws {
        let files = FaultyFileSystem()
        let syncs = Locked(0)
        files.setRule { operation, _ in
            if operation == .sync { syncs.withLock { $0 += 1 } }
            return nil
        }
        var options = JournalOptions.small()
        options.durability = .everyAppend
        try withJournal(folder, options, files: files) { journal throws in
            syncs.withLock { $0 = 0 }
            try journal.appendNumbered(20)
            #expect(syncs.withLock { $0 } == 20)
        }
        try withJournal(folder, options) { journal throws in #expect(try journal.records() == numbered(1...20)) }
    }

    @Test("A sync call syncs every segment that was written since the last sync")
    func sync() throws {
        let files = FaultyFileSystem()
        let syncs = Locked(0)
        files.setRule { operation, _ in
            if operation == .sync { syncs.withLock { $0 += 1 } }
            return nil
        }
        try withJournal(folder, files: files) { journal throws in
            try journal.appendNumbered(20)
            try journal.sync()
            #expect(try syncs.withLock { $0 } == folder.segmentNames().count)
            try journal.sync()
            #expect(try syncs.withLock { $0 } == folder.segmentNames().count + 1)
        }
    }

    @Test("A record and its snapshot are appended with one write")
    func oneWrite() throws {
        let files = FaultyFileSystem()
        try withJournal(folder, files: files) { journal throws in
            for _ in 0..<30 {
                try journal.prepare()
                _ = files.takeCounts()
                try journal.append(payload(1), snapshot: [1, 2, 3])
                let counts = files.takeCounts()
                #expect(counts.writes == 1)
                #expect(counts.opens == 0)
            }
        }
        #expect(try folder.segmentNames().count > 3)
    }
}
