import Testing

@testable import TributaryJournal

@Suite struct JournalGroupTests {
    let folder: TemporaryFolder
    let files = FaultyFileSystem()

    init() throws { folder = try TemporaryFolder() }

    private func group(_ sequences: ClosedRange<UInt64>) throws -> JournalGroup {
        var group = JournalGroup()
        for sequence in sequences {
            let tag = sequence % 3 == 0 ? nil : JournalTag(log: 1, epoch: 2, sequence: sequence)
            try group.add(payload(sequence), tag: tag)
        }
        return group
    }

    private func records(_ sequences: some Sequence<UInt64>) -> [JournalRecord] {
        sequences.map { sequence in
            let tag = sequence % 3 == 0 ? nil : JournalTag(log: 1, epoch: 2, sequence: sequence)
            return JournalRecord(sequence: sequence, tag: tag, payload: payload(sequence))
        }
    }

    @Test("A group of records is written with one write")
    func oneWrite() throws {
        try withJournal(folder, .small(100_000), files: files) { journal throws in
            try journal.append(payload(1), tag: JournalTag(log: 1, epoch: 2, sequence: 1), snapshot: [7])
            _ = files.takeCounts()
            var group = try group(2...101)
            try journal.append(&group)
            #expect(group.isEmpty)
            #expect(files.takeCounts().writes == 1)
            #expect(try journal.records() == records(1...101))
            #expect(journal.lastTag?.sequence == 101)
            #expect(journal.snapshot == [7])
            #expect(journal.lastSequence == 101)
        }
        try withJournal(folder) { journal throws in
            #expect(try journal.records() == records(1...101))
            #expect(journal.lastTag?.sequence == 101)
            #expect(journal.takeReports() == [])
            #expect(try journal.append(payload(102)) == 102)
        }
    }

    @Test("A group that is larger than a segment goes on in the next segment", arguments: [200, 300, 1000, 5000])
    func severalSegments(segmentBytes: Int) throws {
        try withJournal(folder, .small(segmentBytes)) { journal throws in
            try journal.appendSnapshot([7])
            for first in stride(from: 1, through: 181, by: 20) as StrideThrough<UInt64> {
                var group = try group(first...first + 19)
                try journal.append(&group)
                try journal.prepare()
            }
            #expect(try journal.records() == records(1...200))
        }
        for name in try folder.segmentNames() { #expect(try folder.read(name).count <= segmentBytes) }
        try withJournal(folder, .small(segmentBytes)) { journal throws in
            #expect(try journal.records() == records(1...200))
            #expect(journal.takeReports() == [])
            #expect(journal.snapshot == [7])
        }
    }

    @Test("A segment has a bounded number of records also when they come as a group")
    func segmentRecords() throws {
        try withJournal(folder, .small(100_000, maximumRecords: 80)) { journal throws in
            var group = try group(1...60)
            try journal.append(&group)
        }
        // A segment takes an eighth of the records that may be kept.
        #expect(try folder.segmentNames().count == 6)
    }

    @Test("A partly written group is cut off as a whole, and can be appended again")
    func partialWrite() throws {
        try withJournal(folder, .small(100_000), files: files) { journal throws in
            try journal.append(payload(1), tag: JournalTag(log: 1, epoch: 2, sequence: 1))
            var group = try group(2...9)
            for bytes in stride(from: 0, to: group.byteCount, by: 7) {
                files.setRule { operation, _ in operation == .write ? .partialWrite(bytes, 28) : nil }
                #expect(reason { try journal.append(&group) } == .noSpace)
                files.clearRule()
                #expect(group.count == 8)
                #expect(try journal.records() == records(1...1))
            }
            try journal.append(&group)
            #expect(try journal.records() == records(1...9))
        }
        try withJournal(folder) { journal throws in
            #expect(try journal.records() == records(1...9))
            #expect(journal.takeReports() == [])
        }
    }

    @Test("A death in the middle of a group leaves its first records without a gap")
    func death() throws {
        let size = try group(2...9).byteCount
        var seen: Set<Int> = []
        for bytes in 0...size {
            let folder = try TemporaryFolder()
            let journal = try Journal.open(folder.path, options: .small(100_000), files: files)
            try journal.append(payload(1), tag: JournalTag(log: 1, epoch: 2, sequence: 1))
            // The disk cannot cut the file off either, as after the end of the process.
            files.setRule { operation, _ in
                switch operation {
                case .write: .partialWrite(bytes, 5)
                case .truncate: .error(5)
                default: nil
                }
            }
            var group = try group(2...9)
            #expect(throws: JournalError.self) { try journal.append(&group) }
            files.clearRule()
            journal.close()
            try withJournal(folder, .small(100_000)) { journal throws in
                let found = try journal.records()
                #expect(found == records(1...UInt64(max(found.count, 1))))
                seen.insert(found.count)
                #expect(journal.lastTag == found.last { $0.tag != nil }?.tag)
                #expect(!journal.takeReports().contains { if case .damagedRecords = $0 { true } else { false } })
                #expect(try journal.append([1]) == UInt64(found.count) + 1)
            }
        }
        #expect(seen == Set(1...9))
    }

    @Test("After a failed write a group has exactly the records that were not written")
    func failure() throws {
        try withJournal(folder, .small(300), files: files) { journal throws in
            var group = try group(1...40)
            let writes = Locked(0)
            files.setRule { operation, _ in
                guard operation == .write else { return nil }
                return writes.withLock {
                    $0 += 1; return $0 > 3
                } ? .error(28) : nil
            }
            #expect(reason { try journal.append(&group) } == .noSpace)
            files.clearRule()
            let written = try journal.records().count
            #expect(written > 0 && written + group.count == 40)
            try journal.append(&group)
            #expect(try journal.records() == records(1...40))
        }
    }

    @Test("A journal's bounds hold for groups of records")
    func bounds() throws {
        try withJournal(folder, .small(1000, maximumBytes: 4000)) { journal throws in
            for first in stride(from: 1, through: 1981, by: 20) as StrideThrough<UInt64> {
                var group = try group(first...first + 19)
                try journal.append(&group)
            }
            #expect(journal.byteCount <= 5000)
            let found = try journal.records()
            #expect(found.last?.sequence == 2000)
            #expect(found == records(found[0].sequence...2000))
        }
    }

    @Test(
        "A group is synced once, and a failed sync leaves all of its records in the group",
        arguments: [JournalOptions.Durability.everyAppend, .groupCommit])
    func sync(durability: JournalOptions.Durability) throws {
        var options = JournalOptions.small(100_000)
        options.durability = durability
        try withJournal(folder, options, files: files) { journal throws in
            try journal.append(payload(1))
            let syncs = Locked(0)
            files.setRule { operation, _ in
                if operation == .sync { syncs.withLock { $0 += 1 } }
                return nil
            }
            var group = try group(2...40)
            try journal.append(&group)
            #expect(syncs.withLock { $0 } == 1)
            files.setRule { operation, _ in operation == .sync ? .error(5) : nil }
            var second = try self.group(41...50)
            #expect(reason { try journal.append(&second) } == .inputOutput)
            #expect(second.count == 10)
            files.clearRule()
        }
    }

    @Test("A group refuses a payload that is too large, and keeps its records when the journal is closed")
    func refusals() throws {
        var group = JournalGroup()
        #expect(reason { try group.add([UInt8](repeating: 0, count: JournalLimits.payloadBytes + 1)) } == .tooLarge)
        #expect(group.isEmpty)
        try group.add([1])
        let journal = try Journal.open(folder.path, options: .small())
        journal.close()
        #expect(reason { try journal.append(&group) } == .closed)
        #expect(group.count == 1)
    }

    /// A power cut may leave the end of a write without its beginning.
    @Test("The newest tag is the one before a missing record")
    func tagBeforeGap() throws {
        try withJournal(folder, .small(100_000)) { journal in
            var group = try group(1...8)
            try journal.append(&group)
        }
        let name = try #require(folder.segmentNames().first)
        var bytes = try folder.read(name)
        let place = try #require(bytes.firstRange(of: payload(5))?.lowerBound)
        bytes[place] ^= 1
        try folder.write(name, bytes)
        try withJournal(folder, .small(100_000)) { journal throws in
            #expect(try journal.records() == records([1, 2, 3, 4, 6, 7, 8]))
            #expect(journal.lastTag?.sequence == 4)
        }
    }

    /// A journal of eight records of which the fifth is damaged; gives the bytes behind the fourth.
    private func damageTheFifth() throws -> Int {
        try writeEight()
        return try damage(5)
    }

    /// Damages a record; gives the bytes from its frame on.
    @discardableResult
    private func damage(_ sequence: UInt64) throws -> Int {
        let name = try #require(folder.segmentNames().first)
        var bytes = try folder.read(name)
        let place = try #require(bytes.firstRange(of: payload(sequence))?.lowerBound)
        bytes[place] ^= 1
        try folder.write(name, bytes)
        return bytes.count - (place - Frame.headSize - JournalTag.size)
    }

    private func writeEight() throws {
        try withJournal(folder, .small(100_000)) { journal in
            for first in [1, 4] as [UInt64] {
                var group = JournalGroup()
                for sequence in first...(first == 1 ? 3 : 8) {
                    try group.add(payload(sequence), tag: JournalTag(log: 1, epoch: 2, sequence: sequence))
                }
                try journal.append(&group)
            }
        }
    }

    private func options(comesAgain: @escaping @Sendable (JournalTag) -> Bool) -> JournalOptions {
        var options = JournalOptions.small(100_000)
        options.comesAgain = comesAgain
        return options
    }

    @Test("Records behind a gap are cut off when all of them will be appended again")
    func gapOfRepeatedRecords() throws {
        let bytes = try damageTheFifth()
        try withJournal(folder, options { $0.sequence > 3 }) { journal throws in
            #expect(try journal.records().map(\.sequence) == [1, 2, 3, 4])
            #expect(journal.takeReports() == [.tornTail(bytes: bytes)])
            #expect(journal.lastTag?.sequence == 4)
            #expect(try journal.append(payload(5), tag: JournalTag(log: 1, epoch: 2, sequence: 5)) == 5)
        }
        try withJournal(folder) { journal throws in
            #expect(try journal.records().map(\.sequence) == [1, 2, 3, 4, 5])
            #expect(journal.takeReports() == [])
        }
    }

    @Test("Records behind a gap stay when one of them will not be appended again")
    func gapOfOtherRecords() throws {
        _ = try damageTheFifth()
        try withJournal(folder, options { $0.sequence != 7 }) { journal throws in
            #expect(try journal.records().map(\.sequence) == [1, 2, 3, 4, 6, 7, 8])
            #expect(journal.lastTag?.sequence == 4)
            #expect(try journal.append(payload(9)) == 9)
        }
    }

    @Test("Records behind a gap stay when the gap is before the watermark")
    func removedGap() throws {
        _ = try damageTheFifth()
        try withJournal(folder) { try $0.removeThrough(6) }
        try withJournal(folder, options { _ in true }) { journal throws in
            #expect(try journal.records().map(\.sequence) == [7, 8])
        }
    }

    /// The server may confirm a record before it is on the medium. Then the mark is ahead of it.
    @Test func recordsBehindAGapOfWhichAPartWasRemovedAreCutOff() throws {
        _ = try damageTheFifth()
        try damage(6)
        try withJournal(folder) { try $0.removeThrough(5) }
        try withJournal(folder, options { $0.sequence > 5 }) { journal throws in
            #expect(try journal.records() == [])
            #expect(journal.lastTag?.sequence == 4)
            #expect(journal.takeReports().count == 1)
            #expect(try journal.append(payload(6)) == 6)
        }
        try withJournal(folder) { journal throws in
            #expect(try journal.records().map(\.sequence) == [6])
            #expect(journal.takeReports() == [])
            #expect(try journal.append(payload(7)) == 7)
        }
    }

    @Test func aGapOfRemovedRecordsDoesNotHideTheNextOne() throws {
        let bytes = try damageTheFifth()
        try damage(2)
        try withJournal(folder) { try $0.removeThrough(2) }
        try withJournal(folder, options { $0.sequence > 4 }) { journal throws in
            #expect(try journal.records().map(\.sequence) == [3, 4])
            #expect(journal.lastTag?.sequence == 4)
            #expect(journal.takeReports() == [.tornTail(bytes: bytes)])
            #expect(try journal.append(payload(5)) == 5)
        }
        try withJournal(folder) { journal throws in
            #expect(try journal.records().map(\.sequence) == [3, 4, 5])
        }
    }

    /// Without a sync the header may be missing as well.
    @Test(arguments: [4, 1]) func recordsBehindAGapAreCutOffWithoutAHeader(first: UInt64) throws {
        try writeEight()
        try damage(first + 1)
        let name = try #require(folder.segmentNames().first)
        var bytes = try folder.read(name)
        bytes[20] ^= 1
        if first == 1 {
            // The first record is missing, too.
            let place = try #require(bytes.firstRange(of: payload(1))?.lowerBound)
            bytes[place] ^= 1
        }
        try folder.write(name, bytes)
        let left: [UInt64] = first == 1 ? [] : [1, 2, 3, 4]
        try withJournal(folder, options { _ in true }) { journal throws in
            #expect(try journal.records().map(\.sequence) == left)
            #expect(journal.lastTag?.sequence == left.last)
            #expect(try journal.append(payload(9)) > first)
        }
        try withJournal(folder) { journal throws in
            #expect(try journal.records().map(\.payload) == left.map(payload) + [payload(9)])
            #expect(!journal.takeReports().contains { if case .missingSegments = $0 { true } else { false } })
        }
    }
}
