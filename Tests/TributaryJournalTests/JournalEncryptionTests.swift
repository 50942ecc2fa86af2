import Testing
import TributaryEncryption

@testable import TributaryJournal

@Suite struct JournalEncryptionTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func cipher(_ seed: UInt8) throws -> AESGCMCipher {
        try #require(AESGCMCipher(key: [UInt8](repeating: seed, count: 32)))
    }

    private func options(_ seed: UInt8?, _ segmentBytes: Int = 600) throws -> JournalOptions {
        var options = JournalOptions.small(segmentBytes)
        if let seed { options.cipher = try cipher(seed) }
        return options
    }

    private func holds(_ text: String) throws -> Bool {
        try folder.contents().values.contains { file in
            file.indices.contains { file[$0...].starts(with: text.utf8) }
        }
    }

    @Test("A sealed segment that ends inside its header is removed", arguments: [0, 1, 8, 11, 12, 40, 71, 72, 80, 87])
    func truncatedHeader(size: Int) throws {
        try withJournal(folder, try options(1)) { try $0.appendNumbered(30) }
        let last = try #require(folder.segmentNames().last)
        let first = try #require(FileName.first(of: last))
        try folder.write(last, Array(folder.read(last).prefix(size)))
        try withJournal(folder, try options(1)) { journal throws in
            #expect(journal.takeReports() == (size == 0 ? [] : [.tornTail(bytes: size)]))
            #expect(try !folder.names().contains(last))
            #expect(try journal.records() == numbered(1..<first))
            #expect(try journal.append([1]) == first)
        }
    }

    @Test("Sealed records of a group can be read, and their text is not on disk")
    func groups() throws {
        let tag = JournalTag(log: 1, epoch: 2, sequence: 3)
        try withJournal(folder, try options(1)) { journal throws in
            var group = JournalGroup()
            for sequence in 1...50 as ClosedRange<UInt64> { try group.add(payload(sequence)) }
            try group.add([51], tag: tag)
            try journal.append(&group)
            #expect(journal.lastTag == tag)
        }
        #expect(try !holds("record number"))
        for name in try folder.segmentNames() { #expect(try folder.read(name).count <= 600) }
        try withJournal(folder, try options(1)) { journal throws in
            let last = JournalRecord(sequence: 51, tag: tag, payload: [51])
            #expect(try journal.records() == numbered(1...50) + [last])
            #expect(journal.takeReports() == [])
        }
    }

    @Test("Sealed records and snapshots can be read, and their text is not on disk")
    func recordsAndSnapshots() throws {
        let tag = JournalTag(log: 1, epoch: 2, sequence: 3)
        for round in 0..<3 as Range<UInt64> {
            try withJournal(folder, try options(1)) { journal throws in
                #expect(try journal.records() == numbered(1..<(round * 20 + 1)))
                #expect(journal.snapshot == (round == 0 ? nil : Array("somebody".utf8)))
                for _ in 0..<20 {
                    let sequence = journal.lastSequence + 1
                    try journal.append(payload(sequence), snapshot: Array("somebody".utf8))
                }
                #expect(try journal.records() == numbered(1...(round * 20 + 20)))
                #expect(journal.takeReports() == [])
            }
        }
        #expect(try !holds("record number"))
        #expect(try !holds("somebody"))
        try withJournal(folder, try options(1)) { journal throws in
            try journal.append([], tag: tag)
            #expect(try journal.records(after: 60) == [JournalRecord(sequence: 61, tag: tag, payload: [])])
            #expect(try folder.segmentNames().reduce(0) { try $0 + folder.read($1).count } == journal.byteCount)
        }
        try withJournal(folder, try options(1)) { #expect($0.lastTag == tag) }
    }

    @Test("A journal with another key, or without a key, does not open and changes no file")
    func otherKey() throws {
        try withJournal(folder, try options(1)) { journal in
            try journal.append(payload(1), snapshot: [7])
            try journal.appendNumbered(20)
            try journal.removeThrough(5, markData: [5])
        }
        let before = try folder.contents()
        for seed in [2, nil] as [UInt8?] {
            #expect(reason { _ = try Journal.open(folder.path, options: try options(seed)) } == .otherKey)
            #expect(try folder.contents() == before)
            // The failed opening does not keep the folder locked.
            #expect(reason { _ = try Journal.open(folder.path, options: try options(seed)) } == .otherKey)
        }
        // The right key opens the folder again.
        try withJournal(folder, try options(1)) { journal throws in
            #expect(try journal.records() == numbered(6...21))
            #expect(journal.snapshot == [7])
            #expect(journal.markData == [5])
            #expect(journal.takeReports() == [])
        }
    }

    @Test("Another key is recognized although the header is damaged")
    func otherKeyWithoutHeader() throws {
        try withJournal(folder, try options(1, 4096)) { try $0.appendNumbered(5) }
        let name = try #require(folder.segmentNames().first)
        var bytes = try folder.read(name)
        bytes[20] ^= 1
        try folder.write(name, bytes)
        #expect(reason { _ = try Journal.open(folder.path, options: try options(2)) } == .otherKey)
        try withJournal(folder, try options(1, 4096)) { journal throws in
            #expect(journal.takeReports().contains(.damagedHeader(file: name)))
            #expect(try journal.records() == numbered(1...5))
        }
    }

    @Test("A sealing journal reads plain records from before, and seals new records")
    func plainRecords() throws {
        try withJournal(folder, try options(nil)) { journal in
            try journal.append(payload(1), snapshot: [7])
            try journal.appendNumbered(9)
        }
        try withJournal(folder, try options(1)) { journal throws in
            #expect(journal.snapshot == [7])
            try journal.appendNumbered(10)
            #expect(try journal.records() == numbered(1...20))
            #expect(journal.takeReports() == [])
        }
        #expect(try !holds("record number 11"))
        try withJournal(folder, try options(1)) { journal throws in
            #expect(try journal.records() == numbered(1...20))
            #expect(journal.snapshot == [7])
            try journal.removeThrough(20)
            try journal.purge()
        }
        #expect(try !holds("record number"))
    }

    @Test func aSurveyNeedsNoKey() throws {
        try withJournal(folder, try options(1)) { journal throws in
            try journal.appendNumbered(30)
            try journal.removeThrough(7)
            let survey = try Journal.survey(folder.path)
            #expect(survey.records == 23)
            #expect(survey.bytes == journal.byteCount)
        }
    }

    // MARK: - Bytes that are not as they were

    @Test("A flipped bit anywhere costs at most one sealed record")
    func flippedBit() throws {
        try withJournal(folder, try options(1, 4096)) { journal in
            try journal.append(payload(1), snapshot: [7])
            try journal.append(payload(2), tag: JournalTag(log: 1, epoch: 2, sequence: 3))
            try journal.append(payload(3), snapshot: [7])
        }
        let intact = try folder.contents()
        let written = try withJournal(folder, try options(1, 4096)) { try $0.records() }
        for name in intact.keys.sorted() {
            for offset in 0..<(intact[name] ?? []).count where name != "mark" || offset % 16 == 0 {
                try folder.replaceContents(intact)
                var bytes = try folder.read(name)
                bytes[offset] ^= 1 << UInt8(offset % 8)
                try folder.write(name, bytes)
                try withJournal(folder, try options(1, 4096)) { journal throws in
                    let records = try journal.records()
                    #expect(records.count >= 2)
                    #expect(records.allSatisfy(written.contains))
                    #expect(journal.snapshot == [7])
                    #expect(try journal.append([1]) == 4)
                }
            }
        }
    }

    @Test("A tail that is torn at any byte costs only the last sealed record")
    func tornTail() throws {
        try withJournal(folder, try options(1, 4096)) { try $0.appendNumbered(3) }
        let intact = try folder.contents()
        let name = try #require(folder.segmentNames().first)
        let whole = try #require(intact[name])
        for torn in 1...(Frame.headSize + payload(3).count + 28) {
            try folder.replaceContents(intact)
            try folder.write(name, Array(whole.dropLast(torn)))
            try withJournal(folder, try options(1, 4096)) { journal throws in
                #expect(try journal.records() == numbered(1...2))
                #expect(try journal.append(payload(3)) == 3)
                #expect(try journal.records() == numbered(1...3))
            }
        }
    }

    /// The changes of an attacker that knows the format and the epoch, and not the key. The checksums are right.
    @Test("A sealed record opens only with its kind, its sequence, its tag and its epoch")
    func context() throws {
        let key = FrameKey(epoch: 77, cipher: try cipher(1))
        let tag = JournalTag(log: 1, epoch: 2, sequence: 3)
        let frame = try payload(1).withUnsafeBytes { bytes throws(JournalError) in
            try Frame(.data, tag: tag, payload: bytes).finished(5, tag: tag, key: key)
        }
        let sealed = Array(frame.bytes[(Frame.headSize + JournalTag.size)...])
        func opens(_ kind: Frame.Kind, _ sequence: UInt64, _ tag: JournalTag?, epoch: UInt64 = 77) throws -> Bool {
            let key = FrameKey(epoch: epoch, cipher: try cipher(1))
            return sealed.withUnsafeBytes {
                key.seal?.open($0, context: key.context(kind, sequence, tag: tag)) != nil
            }
        }
        #expect(try opens(.data, 5, tag))
        #expect(try !opens(.data, 6, tag))
        #expect(try !opens(.snapshot, 5, tag))
        #expect(try !opens(.data, 5, nil))
        #expect(try !opens(.data, 5, JournalTag(log: 1, epoch: 2, sequence: 4)))
        #expect(try !opens(.data, 5, tag, epoch: 78))
    }

    @Test("Each sealed record has a nonce of its own")
    func nonces() throws {
        try withJournal(folder, try options(1, 100_000)) { journal in
            for _ in 0..<50 { try journal.append([UInt8](repeating: 0, count: 64)) }
        }
        let bytes = try folder.read(try #require(folder.segmentNames().first))
        let nonces = stride(from: 88 + Frame.headSize, to: bytes.count, by: Frame.headSize + 64 + 28).map {
            Array(bytes[$0..<$0 + 12])
        }
        #expect(nonces.count == 50)
        #expect(Set(nonces).count == 50)
    }

    @Test("Arbitrary bytes do not open as a sealed record")
    func arbitraryBytes() throws {
        let seal = try cipher(1).seal(epoch: 1)
        var random = SeededGenerator(seed: 3)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(bytes.withUnsafeBytes { seal.open($0, context: []) } == nil)
        }
    }

    @Test("A cipher takes keys of 32 bytes only")
    func keySizes() {
        for count in [0, 16, 31, 33] { #expect(AESGCMCipher(key: [UInt8](repeating: 1, count: count)) == nil) }
    }

    // MARK: - Failures

    private struct BrokenCipher: JournalCipher, JournalSeal {
        let keyCheck = [UInt8](repeating: 1, count: 16)
        let overhead = 0
        func seal(epoch: UInt64) -> any JournalSeal { self }
        func close(_ payload: UnsafeRawBufferPointer, context: [UInt8]) throws -> [UInt8] {
            if payload.first == 13 { throw JournalError(.closed, "") }
            return Array(payload)
        }
        func open(_ sealed: UnsafeRawBufferPointer, context: [UInt8]) -> [UInt8]? { Array(sealed) }
    }

    @Test("A payload that cannot be sealed is an error, and no part of it is written")
    func failingCipher() throws {
        var options = JournalOptions.small(150)
        options.cipher = BrokenCipher()
        try withJournal(folder, options) { journal throws in
            for sequence in 1...20 as ClosedRange<UInt64> {
                #expect(reason { try journal.append([13]) } == .cipherFailed)
                #expect(try journal.append(payload(sequence)) == sequence)
                try journal.prepare()
            }
            #expect(try journal.records() == numbered(1...20))
            #expect(journal.takeReports() == [])
        }
    }

    @Test("A sealed segment that cannot be read for a while is read later")
    func unreadableNow() throws {
        let files = FaultyFileSystem()
        try withJournal(folder, try options(1)) { try $0.appendNumbered(30) }
        let blocked = try folder.segmentNames()[1]
        files.setRule { operation, path in operation == .open && path.hasSuffix(blocked) ? .error(13) : nil }
        try withJournal(folder, try options(1), files: files) { journal throws in
            #expect(reason { _ = try journal.records() } == .unreadable)
            files.clearRule()
            #expect(try journal.records() == numbered(1...30))
            #expect(journal.takeReports() == [.unreadable(file: blocked, errno: 13)])
        }
    }
}
