import Testing
import TributaryEncryption

@testable import TributaryJournal

/// Folders damaged at random: whatever happens to the files, no record is ever wrong, out of order or there twice,
/// and the journal can be written to afterwards.
@Suite struct JournalFuzzTests {
    /// A folder as a journal left it, and what had been written.
    struct Original: Sendable {
        let files: [String: [UInt8]]
        let records: [UInt64: JournalRecord]
        let snapshots: Set<[UInt8]>
        let last: UInt64
    }

    @Test("A folder with random damage gives no wrong record", arguments: [1, 2, 3, 4] as [UInt64])
    func damaged(seed: UInt64) throws { try damageFolders(seed, cipher: nil) }

    @Test("A sealed folder with random damage gives no wrong record", arguments: [5, 6] as [UInt64])
    func damagedSealed(seed: UInt64) throws {
        // The nonces follow from the seed too, so that damage in sealed bytes is the same each time.
        let nonces = Locked(SeededGenerator(seed: seed))
        let cipher = AESGCMCipher(key: Array(1...32)) {
            nonces.withLock { random in (0..<12).map { _ in UInt8.random(in: 0...255, using: &random) } }
        }
        try damageFolders(seed, cipher: cipher)
    }

    private func damageFolders(_ seed: UInt64, cipher: (any JournalCipher)?) throws {
        var random = SeededGenerator(seed: seed)
        let originals = try (0..<6).map { _ in try makeOriginal(&random, cipher: cipher) }
        let stray = try makeOriginal(&random, epoch: 42, cipher: cipher)
        let folder = try TemporaryFolder()
        for round in 0..<750 {
            let original = originals.randomElement(using: &random) ?? stray
            var files = original.files
            for _ in 0...Int.random(in: 0..<4, using: &random) { damage(&files, stray.files, &random) }
            try folder.replaceContents(files)
            try check(folder, [original, stray], cipher, "seed \(seed), round \(round)", &random)
        }
    }

    @Test("Files of arbitrary bytes give no record, and the journal can be written to")
    func arbitraryBytes() throws {
        var random = SeededGenerator(seed: 9)
        let folder = try TemporaryFolder()
        for _ in 0..<300 {
            var files: [String: [UInt8]] = [:]
            for number in 1...3 as ClosedRange<UInt64> {
                var bytes = Array(SegmentHeader.magic.prefix(Int.random(in: 0...8, using: &random)))
                bytes += randomBytes(Int.random(in: 0..<300, using: &random), &random)
                files[FileName.segment(number)] = bytes
            }
            files["mark"] = randomBytes(Int.random(in: 0..<60, using: &random), &random)
            try folder.replaceContents(files)
            try withJournal(folder) { journal throws in
                #expect(try journal.records() == [])
                let sequence = try journal.append([1])
                #expect(try journal.records() == [JournalRecord(sequence: sequence, tag: nil, payload: [1])])
            }
        }
    }

    // MARK: - Damaging

    private func makeOriginal(
        _ random: inout SeededGenerator, epoch: UInt64? = nil, cipher: (any JournalCipher)?
    ) throws -> Original {
        let folder = try TemporaryFolder()
        var options = JournalOptions.small(Int.random(in: 200..<900, using: &random))
        if let epoch { options.makeEpoch = { epoch } }
        options.cipher = cipher
        var records: [UInt64: JournalRecord] = [:]
        var snapshots: Set<[UInt8]> = []
        let last = try withJournal(folder, options) { journal in
            for _ in 0..<Int.random(in: 10..<60, using: &random) {
                let payload = randomBytes(Int.random(in: 0..<120, using: &random), &random)
                let tag =
                    Bool.random(using: &random)
                    ? JournalTag(log: random.next(), epoch: random.next(), sequence: random.next()) : nil
                let snapshot = Int.random(in: 0..<8, using: &random) == 0 ? randomBytes(20, &random) : nil
                if let snapshot { snapshots.insert(snapshot) }
                let sequence = try journal.append(payload, tag: tag, snapshot: snapshot)
                records[sequence] = JournalRecord(sequence: sequence, tag: tag, payload: payload)
            }
            let removed = UInt64.random(in: 0...journal.lastSequence / 3, using: &random)
            try journal.removeThrough(removed, markData: [1, 2, 3])
            return journal.lastSequence
        }
        return Original(files: try folder.contents(), records: records, snapshots: snapshots, last: last)
    }

    private func damage(
        _ files: inout [String: [UInt8]], _ stray: [String: [UInt8]], _ random: inout SeededGenerator
    ) {
        guard let name = files.keys.sorted().randomElement(using: &random), let bytes = files[name],
            let other = files.keys.sorted().randomElement(using: &random)
        else { return }
        let offset = bytes.isEmpty ? 0 : Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1, 2:
            if !bytes.isEmpty { files[name]?[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
        case 3: files[name] = Array(bytes[..<offset])
        case 4: files[name] = bytes + randomBytes(Int.random(in: 1..<100, using: &random), &random)
        case 5:
            let end = Int.random(in: offset...bytes.count, using: &random)
            files[name]?.replaceSubrange(offset..<end, with: repeatElement(0, count: end - offset))
        case 6: files[name] = nil
        case 7: (files[name], files[other]) = (files[other], bytes)
        case 8: files[FileName.segment(UInt64.random(in: 1..<80, using: &random))] = bytes
        case 9:
            // Sorted by name, because the order of a dictionary differs in each process.
            files[name] = stray.keys.sorted().randomElement(using: &random).flatMap { stray[$0] }
        case 10:
            // As a purge leaves the mark on a full disk, with or without a later one beside it.
            let mark = FileName.mark(through: UInt64.random(in: 0..<80, using: &random))
            files[mark] = Bool.random(using: &random) ? files.removeValue(forKey: FileName.mark) : files[FileName.mark]
        default:
            // A piece of one file in the place of a piece of another.
            let piece = (files[other] ?? []).dropFirst(offset).prefix(Int.random(in: 1..<200, using: &random))
            files[name]?.replaceSubrange(offset..<min(offset + piece.count, bytes.count), with: piece)
        }
    }

    private func randomBytes(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    // MARK: - Checking

    private func check(
        _ folder: TemporaryFolder, _ lives: [Original], _ cipher: (any JournalCipher)?, _ hint: String,
        _ random: inout SeededGenerator
    ) throws {
        let added = (0..<3).map { _ in randomBytes(Int.random(in: 0..<200, using: &random), &random) }
        var options = JournalOptions.small(400)
        options.cipher = cipher
        // Without any segment another epoch begins, which is never an earlier one.
        let fresh = random.next()
        options.makeEpoch = { fresh }
        var expected: [JournalRecord] = []
        let isEarly = Bool.random(using: &random)
        try withJournal(folder, options) { journal throws in
            // This append comes before any call that needs the older segments.
            let early = isEarly ? JournalRecord(sequence: try journal.append([7]), tag: nil, payload: [7]) : nil
            var survivors = try journal.records()
            if let early { #expect(survivors.popLast() == early, "\(hint)") }
            #expect(zip(survivors, survivors.dropFirst()).allSatisfy { $0.sequence < $1.sequence }, "\(hint)")
            // All survivors come from one epoch. With the mark of another epoch a folder may belong to that epoch.
            let isGenuine = lives.contains { life in
                survivors.allSatisfy { life.records[$0.sequence] == $0 }
                    && journal.snapshot.map(life.snapshots.contains) ?? true
            }
            #expect(isGenuine, "\(hint)")
            #expect(journal.count >= survivors.count, "\(hint)")
            expected = survivors + [early].compactMap { $0 }
            for payload in added {
                let sequence = try journal.append(payload)
                #expect(sequence > expected.last?.sequence ?? 0, "\(hint)")
                expected.append(JournalRecord(sequence: sequence, tag: nil, payload: payload))
            }
            #expect(try journal.records() == expected, "\(hint)")
        }
        try withJournal(folder, options) { journal throws in
            #expect(try journal.records() == expected, "\(hint)")
            try journal.removeThrough(journal.lastSequence)
            #expect(try journal.records() == [], "\(hint)")
        }
    }
}
