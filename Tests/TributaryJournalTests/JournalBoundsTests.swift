import Testing

@testable import TributaryJournal

@Suite struct JournalBoundsTests {
    let folder: TemporaryFolder
    let clock = ManualClock()

    init() throws { folder = try TemporaryFolder() }

    /// The number of records that were dropped for that reason since the last look.
    private func dropped(_ journal: Journal, _ kind: JournalBounds.Kind) -> Int {
        journal.takeReports().reduce(0) { sum, report in
            guard case .droppedOldest(let records, _, kind) = report else { return sum }
            return sum + records
        }
    }

    // MARK: - Records

    @Test("A journal with too many records drops the oldest records")
    func tooManyRecords() throws {
        try withJournal(folder, .small(100_000, maximumRecords: 40)) { journal throws in
            var lost = 0
            for sequence in 1...300 as ClosedRange<UInt64> {
                try journal.append(payload(sequence), snapshot: sequence == 1 ? [7] : nil)
                if sequence % 7 == 0 { try journal.prepare() }
                #expect(journal.count <= 40 + 5)
                lost += dropped(journal, .records)
            }
            #expect(journal.count >= 35)
            #expect(lost == 300 - journal.count)
            #expect(try journal.records() == numbered((UInt64(lost) + 1)...300))
            #expect(journal.snapshot == [7])
        }
    }

    @Test("Changed bounds apply to an open journal")
    func changedBounds() throws {
        try withJournal(folder, .small(300)) { journal throws in
            try journal.appendNumbered(200)
            var bounds = journal.bounds
            bounds.records = 50
            journal.setBounds(bounds)
            #expect(journal.count == 200)
            try journal.prepare()
            #expect((40...50).contains(journal.count))
            #expect(dropped(journal, .records) == 200 - journal.count)
            bounds.bytes = 1000
            journal.setBounds(bounds)
            try journal.prepare()
            #expect(journal.byteCount <= 1000)
            #expect(dropped(journal, .bytes) > 0)
            #expect(try journal.records().last?.sequence == 200)
        }
    }

    @Test("A journal keeps its newest record whatever the bounds say")
    func senselessBounds() throws {
        try withJournal(folder, .small(300)) { journal throws in
            journal.setBounds(JournalBounds(bytes: -1, records: .min, age: 0))
            for sequence in 1...50 as ClosedRange<UInt64> {
                try journal.append(payload(sequence))
                try journal.prepare()
                #expect(try journal.records() == numbered([sequence]))
            }
        }
    }

    // MARK: - Age

    @Test("A journal drops records thirty days after they were stored")
    func age() throws {
        try withJournal(folder, .small(100_000, clock: clock)) { journal throws in
            for day in 1...60 as ClosedRange<UInt64> {
                try journal.append(payload(day))
                try journal.prepare()
                // Records of the last 30 days are there, and records that are a day older are not.
                let oldest = try #require(journal.records().first?.sequence)
                #expect(oldest <= max(day, 31) - 30)
                #expect(oldest + 32 >= day)
                clock.advance(days: 1)
            }
            #expect(
                journal.takeReports().allSatisfy { if case .droppedOldest(_, _, .age) = $0 { true } else { false } })
        }
    }

    @Test("A journal drops old records also when no record is appended any more")
    func idleAge() throws {
        try withJournal(folder, .small(100_000, clock: clock)) { journal throws in
            try journal.append(payload(1), snapshot: [3])
            try journal.appendNumbered(4)
            try journal.removeThrough(2)
            for _ in 0..<29 {
                clock.advance(days: 1)
                try journal.prepare()
            }
            #expect(try journal.records() == numbered(3...5))
            for _ in 0..<3 {
                clock.advance(days: 1)
                try journal.prepare()
            }
            #expect(journal.count == 0)
            #expect(try journal.records() == [])
            #expect(dropped(journal, .age) == 3)
        }
        try withJournal(folder) { journal throws in
            #expect(journal.count == 0)
            #expect(journal.snapshot == [3])
            #expect(journal.takeReports() == [])
        }
        #expect(try folder.segmentNames().count == 1)
    }

    @Test func anIdleJournalWithoutRecordsMakesNoFiles() throws {
        try withJournal(folder, .small(clock: clock)) { journal throws in
            try journal.appendNumbered(3)
            try journal.removeThrough(3)
            let names = try folder.segmentNames()
            for _ in 0..<50 {
                clock.advance(days: 1)
                try journal.prepare()
            }
            #expect(try folder.segmentNames() == names)
        }
    }

    @Test("Records grow old by an absence of forty days once a later reading of the clock confirms the absence")
    func absence() throws {
        try withJournal(folder, .small(clock: clock)) { try $0.appendNumbered(5) }
        clock.advance(days: 40)
        try withJournal(folder, .small(clock: clock)) { journal throws in
            try journal.prepare()
            try journal.prepare()
            #expect(journal.count == 5)
            clock.advance(StoringTimes.confirmationSeconds)
            try journal.prepare()
            #expect(journal.count == 0)
            #expect(dropped(journal, .age) == 5)
        }
    }

    @Test("Records in files without times are read, and their age counts from the first opening")
    func filesWithoutTimes() throws {
        try withJournal(folder, .small(clock: ManualClock(0))) { try $0.appendNumbered(30) }
        for day in 0...31 {
            try withJournal(folder, .small(clock: clock)) { journal throws in
                #expect(journal.count == (day <= 30 ? 30 : 0))
                try journal.prepare()
            }
            clock.advance(days: 1)
        }
    }

    @Test("A clock that cannot be read ends no segment")
    func unreadableClock() throws {
        try withJournal(folder, .small(4096, clock: clock)) { journal throws in
            try journal.append(payload(1))
            clock.seconds = 0
            for _ in 0..<5 {
                try journal.appendNumbered(1)
                try journal.prepare()
            }
            #expect(try folder.segmentNames().count == 1)
        }
    }

    @Test("One session with a wrong clock drops no record, and keeps none for ever", arguments: [-400, 400] as [Int64])
    func wrongClock(days: Int64) throws {
        try withJournal(folder, .small(clock: clock)) { try $0.appendNumbered(10) }
        let right = clock.seconds
        clock.advance(days: days)
        try withJournal(folder, .small(clock: clock)) { journal throws in
            try journal.prepare()
            try journal.append(payload(11))
            clock.advance(60)
            try journal.prepare()
            #expect(journal.count == 11)
        }
        for day in 1...28 {
            clock.seconds = right + Int64(day) * 86_400
            try withJournal(folder, .small(clock: clock)) { journal throws in
                try journal.prepare()
                #expect(journal.count == 11)
            }
        }
        // The records are not kept for ever either.
        for day in 29...36 {
            clock.seconds = right + Int64(day) * 86_400
            try withJournal(folder, .small(clock: clock)) { try $0.prepare() }
        }
        try withJournal(folder) { #expect($0.count == 0) }
    }

    // MARK: - Holding

    @Test("Held records stay, and later records are dropped for room")
    func held() throws {
        try withJournal(folder, .small(300, maximumRecords: 40)) { journal throws in
            try journal.appendNumbered(6)
            journal.hold(through: 6)
            for _ in 0..<200 {
                try journal.appendNumbered(1)
                try journal.prepare()
                #expect(journal.count <= 45)
            }
            let records = try journal.records()
            #expect(Array(records.prefix(6)) == numbered(1...6))
            #expect(records.last?.sequence == 206)
            #expect(records.allSatisfy { $0.payload == payload($0.sequence) })
            #expect(journal.watermark == 0)
            #expect(dropped(journal, .records) == 206 - records.count)

            try journal.removeThrough(6)
            journal.hold(through: nil)
            try journal.appendNumbered(30)
            try journal.prepare()
            #expect(journal.count <= 45)
            #expect(journal.watermark > 6)
        }
        try withJournal(folder, .small(300, maximumRecords: 40)) { #expect($0.count <= 45) }
    }

    @Test("Records that were dropped behind held records are not reported as missing")
    func droppedBehindHeld() throws {
        var left: [JournalRecord] = []
        try withJournal(folder, .small(300, maximumRecords: 40)) { journal throws in
            try journal.append(payload(1), snapshot: [3])
            try journal.appendNumbered(5)
            journal.hold(through: 6)
            for _ in 0..<100 {
                try journal.appendNumbered(1)
                try journal.prepare()
            }
            left = try journal.records()
            #expect(left.count < 50)
        }
        for _ in 0..<2 {
            try withJournal(folder, .small(300)) { journal throws in
                #expect(journal.count == left.count)
                #expect(try journal.records() == left)
                #expect(journal.snapshot == [3])
                #expect(journal.takeReports() == [])
            }
        }
    }

    @Test(
        "Records that were dropped while the disk refused writes are not reported as missing as well",
        arguments: [false, true])
    func droppedOnRefusingDisk(isHeld: Bool) throws {
        let files = FaultyFileSystem()
        try withJournal(folder, .small(300), files: files) { journal throws in
            try journal.appendNumbered(60)
            if isHeld { journal.hold(through: 3) }
            var bounds = journal.bounds
            bounds.records = 20
            journal.setBounds(bounds)
            files.setRule { operation, _ in [.write, .create, .replace].contains(operation) ? .error(30) : nil }
            try? journal.prepare()
            #expect(dropped(journal, .records) > 0)
            files.clearRule()
        }
        try withJournal(folder, .small(300)) { journal throws in
            #expect(journal.takeReports() == [])
            #expect(journal.count < 40)
        }
    }

    @Test("A record that is larger than a segment gets the next sequence, also after a reservation or a snapshot")
    func largeRecord() throws {
        try withJournal(folder, .small(300)) { journal throws in
            try journal.reserve(through: 9)
            let large = [UInt8](repeating: 7, count: 1000)
            #expect(try journal.append(large) == 10)
            try journal.reserve(through: 19)
            try journal.appendSnapshot([1])
            #expect(try journal.append(large) == 20)
            #expect(try journal.records().map(\.sequence) == [10, 20])
        }
    }

    @Test("A cursor passes over records that are dropped while it stands among them")
    func droppedUnderCursor() throws {
        try withJournal(folder, .small(300)) { journal throws in
            try journal.appendNumbered(60)
            journal.hold(through: 3)
            var bounds = journal.bounds
            bounds.records = 40
            journal.setBounds(bounds)
            var cursor = journal.cursor()
            // Moves the cursor into the middle of a segment that is not held, and whose file it has read completely.
            while let record = try cursor.next(), record.sequence < 17 {}
            try journal.prepare()
            let left = try journal.records().map(\.sequence).filter { $0 > 17 }
            #expect(left.first ?? 0 > 18)
            let rest = try cursor.next(maxBytes: .max).map(\.sequence)
            #expect(rest == left)
            #expect(journal.drops == 1)
        }
    }

    @Test("A journal contains a sequence only while its record is there")
    func contains() throws {
        try withJournal(folder, .small(300)) { journal throws in
            #expect(!journal.contains(0))
            #expect(!journal.contains(1))
            try journal.appendNumbered(60)
            #expect((1...60).allSatisfy { journal.contains($0) })
            #expect(!journal.contains(61))
            journal.hold(through: 3)
            var bounds = journal.bounds
            bounds.records = 40
            journal.setBounds(bounds)
            try journal.prepare()
            let left = try Set(journal.records().map(\.sequence))
            #expect(left.count < 60)
            #expect((1...60).allSatisfy { journal.contains($0) == left.contains($0) })
            try journal.removeThrough(2)
            #expect(!journal.contains(2))
            #expect(journal.contains(3))
            try journal.reserve(through: 100)
            #expect(!journal.contains(80))
            try journal.appendNumbered(1)
            #expect(!journal.contains(80))
            #expect(journal.contains(101))
            try journal.purge()
            #expect((1...101).allSatisfy { !journal.contains($0) })
        }
    }

    @Test("A death at any step of dropping loses neither held records nor the newest records")
    func deathWhileDropping() throws {
        try withJournal(folder, .small(300)) { try $0.appendNumbered(60) }
        let steps = try dieAtEachStep(
            in: folder, .small(300, maximumRecords: 30),
            of: { journal in
                journal.hold(through: 3)
                try journal.prepare()
            }
        ) { _ in
            try withJournal(folder, .small(300)) { journal throws in
                let records = try journal.records()
                #expect(Array(records.prefix(3)) == numbered(1...3))
                #expect(Array(records.suffix(15)) == numbered(46...60))
                #expect(records.allSatisfy { $0.payload == payload($0.sequence) })
            }
        }
        #expect(steps > 3)
    }

    @Test("Held records are not dropped for their age")
    func heldAge() throws {
        try withJournal(folder, .small(clock: clock)) { journal throws in
            try journal.appendNumbered(3)
            journal.hold(through: 3)
            for _ in 0..<40 {
                clock.advance(days: 1)
                try journal.prepare()
            }
            #expect(try journal.records() == numbered(1...3))
            journal.hold(through: nil)
            try journal.prepare()
            #expect(journal.count == 0)
        }
    }
}
