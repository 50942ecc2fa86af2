import Testing

@testable import TributaryJournal

@Suite struct JournalDamageTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A tail that is torn at any byte costs only the last record")
    func tornTail() throws {
        try withJournal(folder, .small(4096)) { journal in
            try journal.append(payload(1), snapshot: [1, 2, 3])
            try journal.appendNumbered(2)
        }
        let intact = try folder.contents()
        let name = try #require(folder.segmentNames().first)
        let whole = try #require(intact[name])
        let last = Frame.headSize + payload(3).count
        for torn in 1...last {
            try folder.replaceContents(intact)
            try folder.write(name, Array(whole.dropLast(torn)))
            try withJournal(folder, .small(4096)) { journal throws in
                #expect(try journal.records() == numbered(1...2))
                #expect(journal.takeReports() == (torn == last ? [] : [.tornTail(bytes: last - torn)]))
                #expect(journal.snapshot == [1, 2, 3])
                #expect(try journal.append(payload(3)) == 3)
            }
            #expect(try folder.read(name) == whole)
        }
    }

    @Test("A flipped bit anywhere costs at most one record")
    func flippedBit() throws {
        let tag = JournalTag(log: 1, epoch: 2, sequence: 3)
        try withJournal(folder, .small(4096)) { journal in
            try journal.append(payload(1), snapshot: Array("somebody".utf8))
            try journal.append(payload(2), tag: tag)
            try journal.append(payload(3), snapshot: Array("somebody".utf8))
            try journal.appendNumbered(2)
        }
        let intact = try folder.contents()
        for name in intact.keys.sorted() {
            for offset in 0..<(intact[name] ?? []).count {
                for bit in [0, 3, 7] {
                    var damaged = intact
                    damaged[name]?[offset] ^= 1 << bit
                    try folder.replaceContents(damaged)
                    try expectOnlyOneLost(name == "mark" ? 0 : offset < SegmentHeader.size ? 0 : 1, tag)
                }
            }
        }
    }

    /// The journal of the test above, opened, read, appended to and opened again.
    private func expectOnlyOneLost(_ mayBeLost: Int, _ tag: JournalTag) throws {
        let written = numbered(1...5).map {
            JournalRecord(sequence: $0.sequence, tag: $0.sequence == 2 ? tag : nil, payload: $0.payload)
        }
        var survivors: [JournalRecord] = []
        try withJournal(folder, .small(4096)) { journal throws in
            survivors = try journal.records()
            #expect(survivors.count >= 5 - mayBeLost)
            #expect(survivors.allSatisfy(written.contains))
            #expect(journal.snapshot == Array("somebody".utf8))
            #expect(try journal.append(payload(6)) == 6)
            let reports = journal.takeReports()
            #expect(!reports.isEmpty)
            let lost = 5 - survivors.count
            #expect(lost == 0 || reports.contains { isDamage($0, of: lost) })
        }
        try withJournal(folder, .small(4096)) { journal throws in
            #expect(try journal.records() == survivors + numbered([6]))
        }
    }

    private func isDamage(_ report: JournalReport, of records: Int) -> Bool {
        if case .damagedRecords(records, _) = report { true } else { false }
    }

    @Test("A hole of zeros costs its records only, and the report counts them")
    func hole() throws {
        try withJournal(folder, .small(100_000)) { try $0.appendNumbered(1000) }
        let name = try #require(folder.segmentNames().first)
        var bytes = try folder.read(name)
        for offset in 10_000..<15_000 { bytes[offset] = 0 }
        try folder.write(name, bytes)
        try withJournal(folder, .small(100_000)) { journal throws in
            let records = try journal.records()
            let lost = 1000 - records.count
            #expect((140...180).contains(lost))
            #expect(records.allSatisfy { $0.payload == payload($0.sequence) })
            #expect(records.last?.sequence == 1000)
            guard case .damagedRecords(lost, let damaged) = journal.takeReports().first else {
                Issue.record("the loss was not reported")
                return
            }
            #expect((5000..<5100).contains(damaged))
        }
    }

    @Test("Damage is reported once, however many cursors read it")
    func reportedOnce() throws {
        try withJournal(folder) { try $0.appendNumbered(60) }
        let firsts = try folder.segmentNames().compactMap(FileName.first)
        // The first records of the first segment, and the last one of the third.
        for (index, isFirst) in [(0, true), (2, false)] {
            let name = FileName.segment(firsts[index])
            var bytes = try folder.read(name)
            bytes[isFirst ? SegmentHeader.size : bytes.count - 1] ^= 1
            try folder.write(name, bytes)
        }
        try withJournal(folder) { journal throws in
            let expected = numbered(1...60).filter { $0.sequence != 1 && $0.sequence != firsts[3] - 1 }
            #expect(journal.takeReports() == [])
            let frames = 2 * Frame.headSize + payload(1).count + payload(firsts[3] - 1).count
            for reports in [[.damagedRecords(records: 2, bytes: frames)], [], []] as [[JournalReport]] {
                #expect(try journal.records() == expected)
                #expect(journal.takeReports() == reports)
            }
        }
    }

    @Test("A cursor passes over a hole of more than 65,536 records")
    func largeHole() throws {
        let count = 140_000
        try withJournal(folder, .small(16 << 20, maximumRecords: 8 * count)) { journal in
            for _ in 0..<count { try journal.append([]) }
        }
        let name = try #require(folder.segmentNames().first)
        var bytes = try folder.read(name)
        let hole = SegmentHeader.size + 16..<bytes.count - 16
        bytes.replaceSubrange(hole, with: repeatElement(0, count: hole.count))
        try folder.write(name, bytes)
        try withJournal(folder, .small(16 << 20)) { journal throws in
            #expect(try journal.records().map(\.sequence) == [1, UInt64(count)])
            #expect(journal.takeReports() == [.damagedRecords(records: count - 2, bytes: hole.count)])
        }
    }

    @Test func aFrameInsideADamagedPayloadIsNotARecord() throws {
        // The input of an attacker that knows the format but not the epoch.
        var fake = Frame(.data, payload: UnsafeRawBufferPointer(start: nil, count: 0))
        let bait = (1...4).flatMap { sequence in
            fake.number(UInt64(sequence), check: FrameKey(epoch: 0).check)
            return fake.bytes
        }
        try withJournal(folder) { journal in
            try journal.append(bait)
            try journal.append(payload(2))
        }
        let name = try #require(folder.segmentNames().first)
        var bytes = try folder.read(name)
        bytes[SegmentHeader.size] ^= 1
        try folder.write(name, bytes)
        try withJournal(folder) { journal throws in #expect(try journal.records() == numbered([2])) }
    }

    @Test("Segments whose names were swapped are read in the order of their sequences")
    func swappedNames() throws {
        try withJournal(folder) { try $0.appendNumbered(40) }
        var files = try folder.contents()
        let names = try folder.segmentNames()
        (files[names[0]], files[names[2]]) = (files[names[2]], files[names[0]])
        (files[names[1]], files[names[names.count - 1]]) = (files[names[names.count - 1]], files[names[1]])
        try folder.replaceContents(files)
        for round in 0...2 as ClosedRange<UInt64> {
            try withJournal(folder) { journal throws in
                #expect(try journal.records() == numbered(1...(40 + round * 20)))
                #expect(journal.takeReports() == [])
                try journal.appendNumbered(20)
            }
        }
    }

    @Test("Missing segments are reported with the number of their records")
    func missingSegments() throws {
        try withJournal(folder) { try $0.appendNumbered(60) }
        let names = try folder.segmentNames()
        let firsts = names.compactMap(FileName.first)
        for index in [2, 3, 5] { try folder.remove(names[index]) }
        let expected = numbered(1..<firsts[2]) + numbered(firsts[4]..<firsts[5]) + numbered(firsts[6]...60)
        try withJournal(folder) { journal throws in
            #expect(journal.takeReports() == [.missingSegments(records: 60 - expected.count)])
            #expect(journal.count == expected.count)
            #expect(try journal.records() == expected)
            #expect(journal.takeReports() == [])
        }
    }

    @Test("A missing first segment is reported with the number of its records")
    func missingFirst() throws {
        try withJournal(folder) { try $0.appendNumbered(60) }
        let names = try folder.segmentNames()
        let second = try #require(FileName.first(of: names[1]))
        try folder.remove(names[0])
        try withJournal(folder) { journal throws in
            #expect(journal.takeReports() == [.missingSegments(records: Int(second - 1))])
            #expect(journal.firstSequence == second)
            #expect(try journal.records() == numbered(second...60))
        }
    }

    @Test("A journal without any segment begins another epoch, and keeps the bytes of its mark")
    func noSegments() throws {
        let epoch = try withJournal(folder, JournalOptions()) { journal in
            try journal.appendNumbered(9)
            try journal.removeThrough(4, markData: [1])
            return journal.epoch
        }
        for name in try folder.segmentNames() { try folder.remove(name) }
        try withJournal(folder, JournalOptions()) { journal throws in
            #expect(journal.epoch != epoch)
            #expect(journal.takeReports() == [.missingSegments(records: 0)])
            #expect(journal.markData == [1])
            #expect(try journal.append([1]) == 5)
            #expect(try journal.records().map(\.sequence) == [5])
        }
    }

    @Test("A missing or damaged mark loses no record of the segments")
    func noMark() throws {
        try withJournal(folder) { journal in
            try journal.appendNumbered(30)
            try journal.removeThrough(13, markData: [1])
        }
        let first = try #require(FileName.first(of: folder.segmentNames()[0]))
        for damaged in [nil, [], Array("nonsense".utf8), [UInt8](repeating: 0, count: 40)] as [[UInt8]?] {
            if let damaged { try folder.write("mark", damaged) } else { try folder.remove("mark") }
            try withJournal(folder) { journal throws in
                #expect(journal.takeReports() == [.damagedMark])
                #expect(try journal.records() == numbered(first...30))
                #expect(journal.watermark == first - 1)
                #expect(journal.markData == [])
            }
        }
    }

    @Test(arguments: [0, 1, 8, 20, 71])
    func aSegmentThatEndsInsideItsHeaderIsRemoved(size: Int) throws {
        try withJournal(folder) { try $0.appendNumbered(30) }
        let last = try #require(folder.segmentNames().last)
        let first = try #require(FileName.first(of: last))
        try folder.write(last, Array(folder.read(last).prefix(size)))
        try withJournal(folder) { journal throws in
            #expect(journal.takeReports() == (size == 0 ? [] : [.tornTail(bytes: size)]))
            #expect(try !folder.names().contains(last))
            #expect(try journal.records() == numbered(1..<first))
            #expect(try journal.append([1]) == first)
        }
    }

    @Test func aSegmentOfZerosIsRemoved() throws {
        try withJournal(folder) { try $0.appendNumbered(30) }
        let last = try #require(folder.segmentNames().last)
        let first = try #require(FileName.first(of: last))
        try folder.write(last, [UInt8](repeating: 0, count: 100_000))
        try withJournal(folder) { journal throws in
            #expect(journal.takeReports() == [.tornTail(bytes: 100_000)])
            #expect(try journal.append([1]) == first)
        }
    }

    @Test("A tail of zeros counts as a damaged record, whose sequence is not used again")
    func zeroTail() throws {
        try withJournal(folder, .small(4096)) { try $0.appendNumbered(3) }
        let name = try #require(folder.segmentNames().first)
        var bytes = try folder.read(name)
        let last = Frame.headSize + payload(3).count
        // After a power cut the file's size is on the medium, and its bytes are not.
        bytes.replaceSubrange((bytes.count - last)..., with: repeatElement(0, count: last))
        try folder.write(name, bytes)
        try withJournal(folder, .small(4096)) { journal throws in
            #expect(journal.takeReports() == [.damagedRecords(records: 1, bytes: last)])
            #expect(try journal.append(payload(4)) == 4)
            #expect(try journal.records() == numbered([1, 2, 4]))
            #expect(journal.takeReports() == [])
        }
    }

    @Test("Sequences before the mark are not used again when their records are gone")
    func markAhead() throws {
        try withJournal(folder, .small(4096)) { journal in
            try journal.appendNumbered(9)
            try journal.removeThrough(8)
        }
        let name = try #require(folder.segmentNames().first)
        let frame = Frame.headSize + payload(1).count
        try folder.write(name, Array(folder.read(name).dropLast(5 * frame)))
        for _ in 0..<2 {
            try withJournal(folder, .small(4096)) { journal throws in
                #expect(journal.lastSequence == 8)
                #expect(journal.count == 0)
                #expect(journal.takeReports() == [])
            }
        }
        try withJournal(folder, .small(4096)) { journal throws in #expect(try journal.append(payload(9)) == 9) }
        try withJournal(folder, .small(4096)) { journal throws in
            #expect(try journal.records() == numbered([9]))
            #expect(journal.takeReports() == [])
        }
    }

    @Test("In place of a damaged snapshot the journal takes that of the segment before")
    func damagedSnapshot() throws {
        let tag = JournalTag(log: 7, epoch: 8, sequence: 9)
        try withJournal(folder) { journal in
            try journal.append(payload(1), tag: tag, snapshot: Array("somebody".utf8))
            try journal.appendNumbered(29)
        }
        let last = try #require(folder.segmentNames().last)
        var bytes = try folder.read(last)
        bytes[SegmentHeader.size + Frame.headSize] ^= 1
        bytes[40] ^= 1
        try folder.write(last, bytes)
        try withJournal(folder) { journal throws in
            #expect(journal.snapshot == Array("somebody".utf8))
            #expect(journal.lastTag == tag)
            #expect(try journal.records().count == 30)
        }
    }
}
