import TributaryJournal

/// A log in files: a journal, and the place where reading stopped.
final class JournalLog: RecordLog {
    private let journal: Journal
    /// The place where reading stopped, so that the next read does not search the segment again.
    private let cursor = LockBox<JournalCursor?>(nil)

    /// Opens the journal in a folder, which is created when it is missing; nil when another client has it.
    static func open(_ folder: String, _ options: JournalOptions, _ files: any FileSystem) throws -> JournalLog? {
        do {
            return JournalLog(try Journal.open(folder, options: options, files: files))
        } catch let error where error.reason == .inUse {
            return nil
        }
    }

    private init(_ journal: Journal) { self.journal = journal }

    var head: JournalHead { journal.head }
    var size: (count: Int, bytes: Int) { (journal.count, journal.byteCount) }
    var snapshot: [UInt8]? { journal.snapshot }
    var files: Journal? { journal }

    func append(_ payload: [UInt8]?, tag: JournalTag?, snapshot: [UInt8]?) throws -> UInt64 {
        if let payload { return try journal.append(payload, tag: tag, snapshot: snapshot) }
        if let snapshot { try journal.appendSnapshot(snapshot) }
        return journal.lastSequence
    }

    func append(_ group: inout JournalGroup) throws { try journal.append(&group) }

    func reserve(through sequence: UInt64) throws { try journal.reserve(through: sequence) }

    func read(after sequence: UInt64, through last: UInt64, maxBytes: Int, maxCount: Int) throws -> [JournalRecord] {
        try cursor.withLock { cursor in
            var current = cursor.flatMap { $0.sequence == sequence ? $0 : nil } ?? journal.cursor(after: sequence)
            defer { cursor = current }
            return try current.next(through: last, maxBytes: maxBytes, maxRecords: maxCount)
        }
    }

    func remove(through sequence: UInt64, mark: [UInt8]?) throws {
        try journal.removeThrough(sequence, markData: mark)
    }

    func purge() throws { try journal.purge() }

    func finishPurge() throws { try journal.finishPurge() }

    func close() { journal.close() }
}
