@testable import TributaryJournal

extension JournalOptions {
    /// Segments so small that a few records fill one, and always the same epoch.
    static func small(
        _ segmentBytes: Int = 300, maximumBytes: Int = 50_000_000, maximumRecords: Int = 1_000_000,
        clock: ManualClock = ManualClock()
    ) -> JournalOptions {
        var options = JournalOptions(segmentBytes: segmentBytes, makeEpoch: { 0x0123_4567_89AB_CDEF })
        options.bounds.bytes = maximumBytes
        options.bounds.records = maximumRecords
        options.now = { clock.milliseconds }
        return options
    }
}

extension Journal {
    /// All records after that sequence.
    func records(after sequence: UInt64 = 0) throws -> [JournalRecord] {
        var cursor = cursor(after: sequence)
        var records: [JournalRecord] = []
        while let record = try cursor.next() { records.append(record) }
        return records
    }

    /// Appends that many records; their payloads say which they are.
    @discardableResult
    func appendNumbered(_ count: Int) throws -> [UInt64] {
        try (0..<count).map { _ in try append(payload(lastSequence + 1)) }
    }
}

/// What the record of that sequence holds in most tests.
func payload(_ sequence: UInt64) -> [UInt8] { Array("record number \(sequence)".utf8) }

/// The records of those sequences, as `appendNumbered` writes them.
func numbered(_ sequences: some Sequence<UInt64>) -> [JournalRecord] {
    sequences.map { JournalRecord(sequence: $0, tag: nil, payload: payload($0)) }
}

/// Runs the body with a journal and closes it, so that the folder is free for the next.
@discardableResult
func withJournal<Result>(
    _ folder: TemporaryFolder, _ options: JournalOptions = .small(), files: any FileSystem = PosixFileSystem(),
    _ body: (Journal) throws -> Result
) throws -> Result {
    let journal = try Journal.open(folder.path, options: options, files: files)
    defer { journal.close() }
    return try body(journal)
}

/// The reason why the body failed; nil when it did not.
func reason(_ body: () throws -> Void) -> JournalError.Reason? {
    do {
        try body()
        return nil
    } catch {
        return (error as? JournalError)?.reason
    }
}

/// Does something to a journal again and again, each time from the same files and with the disk dead one change later,
/// until it comes through; after each death, `check` looks at what is left.
/// - Parameters:
///   - prepare: makes the disk what it is besides.
///   - check: gets why the action failed; nil when it did not.
/// - Returns: how many times it was done.
func dieAtEachStep(
    in folder: TemporaryFolder, _ options: JournalOptions = .small(),
    preparing prepare: (FaultyFileSystem) -> Void = { _ in },
    of action: (Journal) throws -> Void, check: (JournalError.Reason?) throws -> Void
) throws -> Int {
    let before = try folder.contents()
    var steps = 0
    while true {
        try folder.replaceContents(before)
        let files = FaultyFileSystem()
        let journal = try Journal.open(folder.path, options: options, files: files)
        prepare(files)
        files.die(afterChanges: steps)
        let failure = reason { try action(journal) }
        let wasStopped = files.isDead
        journal.close()
        try check(failure)
        steps += 1
        if !wasStopped { return steps }
    }
}
