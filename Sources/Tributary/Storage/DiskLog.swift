import Foundation
import TributaryJournal

/// A log on disk: a journal, and its reports turned into diagnostics.
final class DiskLog: RecordLog {
    /// What all logs of a client have in common.
    struct Host: Sendable {
        let files: any FileSystem
        let options: JournalOptions
        let counterStore: CounterStore
        let report: @Sendable (Diagnostic) -> Void
    }

    private let journal: Journal
    private let name: String
    private let host: Host
    /// Where reading stopped, so that going on does not search the segment again.
    private let cursor = LockBox<JournalCursor?>(nil)
    let recentEvents = RecentEvents()

    /// Opens the log in `folder/name`, which is made when missing; nil when another client has it.
    static func open(_ folder: URL, _ name: String, _ host: Host) throws -> DiskLog? {
        do {
            let path = folder.appendingPathComponent(name).path
            return DiskLog(try Journal.open(path, options: host.options, files: host.files), name, host)
        } catch let error where error.reason == .inUse {
            return nil
        }
    }

    private init(_ journal: Journal, _ name: String, _ host: Host) {
        self.journal = journal
        self.name = name
        self.host = host
        // Nothing waits on disk, so the reader's place is known: what comes now is lent to it from the first event on.
        let last = journal.lastSequence
        if journal.watermark >= last { recentEvents.passed(last) }
    }

    var isLasting: Bool { true }
    var epoch: UInt64 { journal.epoch }
    var count: Int { journal.count }
    var byteCount: Int { journal.byteCount }
    var lastSequence: UInt64 { journal.lastSequence }
    var removedThrough: UInt64 { journal.watermark }
    var withdrawals: Int { journal.drops }
    var snapshot: [UInt8]? { journal.snapshot }
    var mark: [UInt8] { journal.markData }
    var lastOrigin: RecordOrigin? { journal.lastTag.map(RecordOrigin.init) }

    func append(_ payload: [UInt8], origin: RecordOrigin?, snapshot: [UInt8]?) throws -> UInt64 {
        try journal.append(payload, tag: origin?.tag, snapshot: snapshot)
    }

    func append(_ payload: [UInt8], handingOver event: InboxRecord, snapshot: [UInt8]?) throws -> UInt64 {
        let sequence = try journal.append(payload, snapshot: snapshot)
        recentEvents.put(event, payload, at: sequence)
        return sequence
    }

    func append(_ group: inout JournalGroup) throws { try journal.append(&group) }

    func append(snapshot: [UInt8]) throws { try journal.appendSnapshot(snapshot) }

    func reserve(through sequence: UInt64) throws { try journal.reserve(through: sequence) }

    func read(after sequence: UInt64, through last: UInt64, maxBytes: Int, maxCount: Int) throws -> [LogRecord] {
        // What was dropped or purged meanwhile is not in the journal any more, so it must not come from elsewhere.
        recentEvents.passed(journal.watermark)
        let handed = recentEvents.take(after: sequence, through: last, maxBytes: maxBytes, maxCount: maxCount)
        guard handed.isEmpty else {
            cursor.withLock { $0 = nil }
            return handed
        }
        let records = try readJournal(after: sequence, through: last, maxBytes: maxBytes, maxCount: maxCount)
        recentEvents.passed(records.last?.sequence ?? sequence)
        return records
    }

    private func readJournal(
        after sequence: UInt64, through last: UInt64, maxBytes: Int, maxCount: Int
    ) throws -> [LogRecord] {
        defer { tell() }
        return try cursor.withLock { cursor in
            var current = cursor.flatMap { $0.sequence == sequence ? $0 : nil } ?? journal.cursor(after: sequence)
            defer { cursor = current }
            return try current.next(through: last, maxBytes: maxBytes, maxRecords: maxCount).map { record in
                LogRecord(
                    sequence: record.sequence, payload: record.payload, origin: record.tag.map(RecordOrigin.init))
            }
        }
    }

    func removeThrough(_ sequence: UInt64, mark: [UInt8]?) throws {
        try journal.removeThrough(sequence, markData: mark)
    }

    func contains(_ sequence: UInt64) -> Bool { journal.contains(sequence) }

    func hold(through sequence: UInt64?) { journal.hold(through: sequence) }

    func setBounds(_ bounds: JournalBounds) { journal.setBounds(bounds) }

    func purge() throws {
        try journal.purge()
        tell()
    }

    var owesPurge: Bool { journal.owesPurge }

    func finishPurge() throws {
        try journal.finishPurge()
        tell()
    }

    func sync() throws { try journal.sync() }

    func prepare() {
        do {
            try journal.prepare()
        } catch {
            // An append that meets the same obstacle reports it.
            host.report(Diagnostic(.storage, "the \(name) cannot make its next file ready: \(error)"))
        }
        tell()
    }

    var isAttached: Bool {
        do {
            try journal.verify()
            return true
        } catch {
            return error.reason != .detached
        }
    }

    func close() { journal.close() }

    /// Tells what the journal found. Neither from `append`, which belongs to the caller of `track`, nor from the opening,
    /// which does not look at everything.
    private func tell() {
        for item in journal.takeReports() {
            switch item {
            case .droppedOldest(let records, _, let kind):
                lose(records, .bound(kind.rawValue), "the \(name) holds more than it may, the oldest events went")
            case .damagedRecords(let records, let bytes):
                lose(records, .damaged, "the \(name) was damaged on disk: \(bytes) bytes are no longer readable")
            case .missingSegments(let records):
                lose(
                    records, .init(StorageState.Reason.missing), "files of the \(name) are gone, and the events in them"
                )
            default:
                host.report(Diagnostic(.storage, "\(name): \(item)"))
            }
        }
    }

    private func lose(_ records: Int, _ reason: Diagnostic.Reason, _ message: String) {
        // What is only put aside was counted when that was done.
        if records > 0, name != LaneFiles.deadLettersName {
            host.counterStore.count { $0.lost[reason.description, default: 0] += records }
        }
        host.report(
            Diagnostic(records > 0 ? .eventDropped : .storage, message, reason: reason, count: max(records, 1)))
    }
}

extension RecordOrigin {
    init(_ tag: JournalTag) { self.init(lane: tag.lane, epoch: tag.epoch, sequence: tag.sequence) }

    var tag: JournalTag { JournalTag(lane: lane, epoch: epoch, sequence: sequence) }
}
