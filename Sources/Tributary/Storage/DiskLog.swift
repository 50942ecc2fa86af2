import Foundation
import TributaryJournal

/// A log on disk: a journal, and its reports turned into diagnostics.
final class DiskLog: RecordLog {
    private let journal: Journal
    private let name: String
    private let report: @Sendable (Diagnostic) -> Void
    /// Where reading stopped, so that going on does not search the segment again.
    private let cursor = LockBox<JournalCursor?>(nil)

    /// Opens the log in `folder/name`, which is made when missing; nil when another client has it.
    static func open(
        _ folder: URL, _ name: String, files: any FileSystem, _ report: @escaping @Sendable (Diagnostic) -> Void
    ) throws -> DiskLog? {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let options = JournalOptions(bounds: JournalBounds(bytes: Limits.logBytes))
            let journal = try Journal.open(
                folder.appendingPathComponent(name).path, options: options, files: files)
            return DiskLog(journal, name, report)
        } catch let error as JournalError where error.reason == .inUse {
            return nil
        }
    }

    private init(_ journal: Journal, _ name: String, _ report: @escaping @Sendable (Diagnostic) -> Void) {
        self.journal = journal
        self.name = name
        self.report = report
        tell()
    }

    var epoch: UInt64 { journal.epoch }
    var count: Int { journal.count }
    var lastSequence: UInt64 { journal.lastSequence }
    var removedThrough: UInt64 { journal.watermark }
    var snapshot: [UInt8]? { journal.snapshot }
    var mark: [UInt8] { journal.markData }
    var lastOrigin: RecordOrigin? { journal.lastTag.map(RecordOrigin.init) }

    func append(_ payload: [UInt8], origin: RecordOrigin?, snapshot: [UInt8]?) throws -> UInt64 {
        try journal.append(payload, tag: origin?.tag, snapshot: snapshot)
    }

    func append(snapshot: [UInt8]) throws { try journal.appendSnapshot(snapshot) }

    func reserve(through sequence: UInt64) throws { try journal.reserve(through: sequence) }

    func read(after sequence: UInt64, maxBytes: Int, maxCount: Int) throws -> [LogRecord] {
        defer { tell() }
        return try cursor.withLock { cursor in
            var current = cursor.flatMap { $0.sequence == sequence ? $0 : nil } ?? journal.cursor(after: sequence)
            defer { cursor = current }
            return try current.next(maxBytes: maxBytes, maxRecords: maxCount).map { record in
                LogRecord(
                    sequence: record.sequence, payload: record.payload, origin: record.tag.map(RecordOrigin.init))
            }
        }
    }

    func removeThrough(_ sequence: UInt64, mark: [UInt8]?) throws {
        try journal.removeThrough(sequence, markData: mark)
    }

    func prepare() {
        do {
            try journal.prepare()
        } catch {
            report(Diagnostic(.storage, "the \(name) cannot make its next file ready: \(error)"))
        }
        tell()
    }

    func close() { journal.close() }

    /// Tells what the journal found. Not from `append`, which belongs to the caller of `track`.
    private func tell() {
        for item in journal.takeReports() {
            if case .droppedOldest(let records, _, _) = item {
                report(Diagnostic(.eventDropped, "the \(name) is full, the oldest events went", count: records))
            } else {
                report(Diagnostic(.storage, "\(name): \(item)"))
            }
        }
    }
}

extension RecordOrigin {
    init(_ tag: JournalTag) { self.init(lane: tag.lane, epoch: tag.epoch, sequence: tag.sequence) }

    var tag: JournalTag { JournalTag(lane: lane, epoch: epoch, sequence: sequence) }
}
