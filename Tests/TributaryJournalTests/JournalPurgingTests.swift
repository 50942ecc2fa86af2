import Testing

@testable import TributaryJournal

@Suite struct JournalPurgingTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A purge leaves no byte of the records on disk")
    func purge() throws {
        let secret = Array("a record that must go".utf8)
        func holdsSecret() throws -> Bool {
            try folder.contents().values.contains { $0.contains(sequence: secret) }
        }
        var epoch: UInt64 = 0
        try withJournal(folder, .small(2000)) { journal throws in
            epoch = journal.epoch
            for _ in 0..<100 { try journal.append(secret, snapshot: [8]) }
            try journal.removeThrough(10, markData: [5])
            #expect(try holdsSecret())
            var cursor = journal.cursor()
            #expect(try cursor.next() != nil)
            try journal.purge()
            #expect(try !holdsSecret())
            #expect(journal.count == 0)
            #expect(try cursor.next() == nil)
            #expect(journal.markData == [5])
            #expect(journal.snapshot == [8])
            #expect(try journal.append([1]) > 100)
            #expect(try cursor.next()?.payload == [1])
            try journal.purge(markData: [6])
            try journal.purge()
            #expect(journal.count == 0)
            #expect(journal.takeReports() == [])
        }
        try withJournal(folder, .small(2000)) { journal throws in
            #expect(journal.epoch == epoch)
            #expect(journal.count == 0)
            #expect(journal.markData == [6])
            #expect(journal.snapshot == [8])
            #expect(try journal.append([1]) > 101)
            #expect(journal.takeReports() == [])
        }
    }

    @Test("An empty journal can be purged")
    func empty() throws {
        try withJournal(folder) { journal throws in
            try journal.purge(markData: [1])
            #expect(journal.markData == [1])
            #expect(try journal.append([1]) == 1)
        }
    }

    @Test("A purge of a journal without records costs no sequence, also after another opening")
    func blank() throws {
        try withJournal(folder) { journal throws in
            #expect(try journal.append([1], snapshot: [7]) == 1)
            try journal.purge()
            try journal.purge()
        }
        try withJournal(folder) { journal throws in
            try journal.purge()
            #expect(try journal.append([2]) == 2)
        }
    }

    @Test("A purge of a journal without records deletes earlier snapshots")
    func earlierSnapshots() throws {
        let secret = Array("a name of before".utf8)
        try withJournal(folder) { journal throws in
            try journal.appendSnapshot(secret)
            try journal.appendSnapshot([7])
            #expect(try folder.contents().values.contains { $0.contains(sequence: secret) })
            try journal.purge()
            #expect(try !folder.contents().values.contains { $0.contains(sequence: secret) })
            #expect(journal.snapshot == [7])
        }
    }

    @Test("A journal on a full disk can be purged")
    func fullDisk() throws {
        let files = FaultyFileSystem()
        try withJournal(folder, files: files) { journal throws in
            try journal.appendNumbered(50)
            let removals = Locked(0)
            files.setRule { operation, _ in
                if operation == .remove { removals.withLock { $0 += 1 } }
                // Only deleted files make room.
                return operation == .create && removals.withLock { $0 } < 3 ? .error(28) : nil
            }
            try journal.purge()
            #expect(journal.count == 0)
            #expect(try folder.segmentNames().count == 1)
        }
    }

    @Test("After a death at any step of a purge all records are there, or none")
    func death() throws {
        let steps = try dieAtEachStepOfPurging(check: { journal in
            #expect(journal.takeReports().allSatisfy { if case .tornTail = $0 { true } else { false } })
        })
        #expect(steps > 6)
    }

    @Test("After a death at any step of a purge on a full disk all records are there, or none")
    func deathOnFullDisk() throws {
        let steps = try dieAtEachStepOfPurging(preparing: { fill($0, until: 3) })
        #expect(steps > 8)
    }

    private func dieAtEachStepOfPurging(
        preparing prepare: (FaultyFileSystem) -> Void = { _ in }, check: (Journal) throws -> Void = { _ in }
    ) throws -> Int {
        try withJournal(folder) { journal in
            try journal.append(payload(1), snapshot: [1])
            try journal.appendNumbered(29)
        }
        return try dieAtEachStep(in: folder, preparing: prepare, of: { try $0.purge() }) { failure in
            try withJournal(folder) { journal throws in
                let records = try journal.records()
                #expect(records.isEmpty || (failure != nil && records == numbered(1...30)))
                #expect(journal.snapshot == [1])
                try check(journal)
                #expect(try journal.append([1]) > 30)
            }
        }
    }

    /// A disk on which only what is deleted makes room; it has room again once so many files are deleted.
    private func fill(_ files: FaultyFileSystem, until deletions: Int = .max) {
        let removals = Locked(0)
        files.setRule { operation, _ in
            if operation == .remove { removals.withLock { $0 += 1 } }
            guard [.create, .replace, .write].contains(operation) else { return nil }
            return removals.withLock { $0 } < deletions ? .error(28) : nil
        }
    }

    @Test("A purge makes room for its mark by deleting segments first")
    func roomForMark() throws {
        let files = FaultyFileSystem()
        try withJournal(folder, files: files) { journal throws in
            try journal.append(payload(1), snapshot: [1])
            try journal.appendNumbered(49)
            fill(files, until: 5)
            try journal.purge()
            #expect(journal.count == 0 && !journal.owesPurge)
        }
        try withJournal(folder) { journal throws in
            #expect(journal.count == 0)
            #expect(journal.snapshot == [1])
            #expect(try journal.append([1]) > 50)
        }
    }

    @Test("Purged records that a full disk keeps are not read, and are deleted when there is room")
    func owedPurge() throws {
        let files = FaultyFileSystem()
        try withJournal(folder, files: files) { journal throws in
            try journal.append(payload(1), snapshot: [1])
            try journal.appendNumbered(49)
            var cursor = journal.cursor()
            #expect(try cursor.next() != nil)
            fill(files)
            #expect(reason { try journal.purge() } == .noSpace)
            #expect(journal.owesPurge)
            #expect(journal.count == 0)
            #expect(journal.watermark == 50)
            #expect(try cursor.next() == nil)
            // Only the current segment is left.
            #expect(try folder.segmentNames().count == 1)
            #expect(reason { try journal.finishPurge() } == .noSpace)
            files.clearRule()
            let kept = try journal.append([9])
            try journal.finishPurge()
            #expect(!journal.owesPurge)
            #expect(try journal.records().map(\.sequence) == [kept])
            try journal.finishPurge()
        }
        try withJournal(folder) { journal throws in
            #expect(try journal.records().map(\.payload) == [[9]])
            #expect(journal.snapshot == [1])
            #expect(journal.takeReports() == [])
            try journal.removeThrough(.max)
            #expect(try !folder.contents().values.contains { $0.contains(sequence: payload(50)) })
        }
    }

    @Test("Purged records that a full disk keeps are not read by later processes")
    func owedAcrossDeath() throws {
        let files = FaultyFileSystem()
        var epoch: UInt64 = 0
        try withJournal(folder, files: files) { journal throws in
            epoch = journal.epoch
            try journal.append(payload(1), snapshot: [1])
            try journal.appendNumbered(49)
            try journal.removeThrough(10, markData: [5])
            fill(files)
            #expect(reason { try journal.purge() } == .noSpace)
        }
        #expect(try Journal.survey(folder.path).records == 0)
        #expect(
            try Journal.newestSnapshot(in: folder.path, options: .small(), files: PosixFileSystem()) == [1])
        // Two openings: the first one finds the disk still full, and writes over the present bytes.
        for isFull in [true, false] {
            if isFull {
                files.setRule { operation, _ in [.create, .replace].contains(operation) ? .error(28) : nil }
            } else {
                files.clearRule()
            }
            try withJournal(folder, files: files) { journal throws in
                #expect(journal.epoch == epoch)
                #expect(journal.count == 0)
                #expect(journal.markData == [isFull ? 5 : 6])
                #expect(journal.snapshot == [1])
                let next = try journal.append([1])
                #expect(next > 50)
                try journal.removeThrough(next, markData: [6])
            }
        }
        #expect(try folder.contents().keys.filter { $0.hasPrefix("mark") } == ["mark"])
    }

    @Test("A purge of a journal whose files were replaced leaves the new files alone")
    func detached() throws {
        try withJournal(folder) { journal throws in
            try journal.appendNumbered(20)
            try folder.replaceContents([:])
            try withJournal(folder) { try $0.appendNumbered(5) }
            let others = try folder.contents()
            #expect(reason { try journal.purge() } == .detached)
            #expect(reason { try journal.finishPurge() } == .detached)
            #expect(try folder.contents() == others)
            #expect(try journal.records().isEmpty)
            #expect(journal.count == 0)
        }
        #expect(try withJournal(folder) { try $0.records() } == numbered(1...5))
    }

    @Test("Marks of a purge with impossible or outdated names have no effect")
    func strangeMarks() throws {
        try withJournal(folder) { try $0.appendNumbered(3) }
        let mark = try #require(try folder.contents()["mark"])
        var contents = try folder.contents()
        // Names that are no sequence, that are beyond the last one, and one that was left beside a mark.
        for name in ["mark-1", "mark-ffffffffffffffff", "mark-000000000000000g", "mark-0000000000000002"] {
            contents[name] = mark
        }
        try folder.replaceContents(contents)
        try withJournal(folder) { journal throws in
            #expect(try journal.records() == numbered(1...3))
            // The next purge on a full disk deletes the outdated mark.
            try journal.removeThrough(1)
        }
        let files = FaultyFileSystem()
        try withJournal(folder, files: files) { journal throws in
            fill(files)
            #expect(reason { try journal.purge() } == .noSpace)
        }
        try withJournal(folder) { journal throws in
            #expect(journal.watermark == 3)
            #expect(journal.count == 0)
        }
    }

    @Test("The next removal finishes a purge that the full disk prevented")
    func removalFinishesPurge() throws {
        let files = FaultyFileSystem()
        try withJournal(folder, files: files) { journal throws in
            try journal.appendNumbered(3)
            fill(files)
            #expect(reason { try journal.purge() } == .noSpace)
            files.clearRule()
            try journal.append([9])
            try journal.removeThrough(2)
        }
        // The files are those of a killed process.
        try withJournal(folder) { journal throws in
            #expect(try journal.records().map(\.payload) == [[9]])
        }
    }

    @Test("A purge on a faulty disk deletes no file before its mark is stored")
    func faultyDisk() throws {
        let files = FaultyFileSystem()
        try withJournal(folder, files: files) { journal throws in
            try journal.appendNumbered(50)
            let names = try folder.segmentNames()
            files.setRule { operation, _ in [.create, .replace].contains(operation) ? .error(5) : nil }
            #expect(reason { try journal.purge() } != nil)
            #expect(try folder.segmentNames() == names)
            #expect(try journal.records().isEmpty)
            files.clearRule()
            try journal.purge()
            #expect(!journal.owesPurge)
        }
        try withJournal(folder) { journal throws in
            #expect(journal.count == 0)
            #expect(journal.takeReports() == [])
        }
    }
}

extension [UInt8] {
    fileprivate func contains(sequence: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: sequence) }
    }
}
