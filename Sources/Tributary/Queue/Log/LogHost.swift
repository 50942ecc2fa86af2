import Dispatch
import TributaryJournal

/// The values that all logs of a client share. A class, because each log would otherwise have copies of them.
final class LogHost: Sendable {
    let files: any FileSystem
    let options: JournalOptions
    let time: any TimeSource
    let counterStore: CounterStore
    /// The queue for repeated attempts of logs, away from callers, plugins and requests.
    let queue = DispatchQueue(label: "tributary.storage", qos: .utility)
    let report: @Sendable (Diagnostic) -> Void

    init(
        files: any FileSystem, options: JournalOptions, time: any TimeSource, counterStore: CounterStore,
        report: @escaping @Sendable (Diagnostic) -> Void
    ) {
        self.files = files
        self.options = options
        self.time = time
        self.counterStore = counterStore
        self.report = report
    }

    /// Counts and reports events that a log lost.
    func lose(_ records: Int, of name: String, _ reason: Diagnostic.Reason, _ message: String) {
        if records > 0, Self.counts(name) {
            counterStore.count { $0.lost[reason.description, default: 0] += records }
        }
        report(Diagnostic(records > 0 ? .eventDropped : .storage, message, reason: reason, count: max(records, 1)))
    }

    /// Counts records that left a log before its reader had them.
    func count(_ losses: ReaderClaims.Losses, of name: String) {
        guard Self.counts(name) else { return }
        for (departure, records) in losses where records > 0 {
            switch departure {
            case .dropped:
                lose(records, of: name, .memoryFull, "the memory for the \(name) is full; the oldest event is dropped")
            case .deleted: counterStore.count { $0.deleted += records }
            case .missing: loseFiles(records, of: name)
            }
        }
    }

    private func loseFiles(_ records: Int, of name: String) {
        lose(
            records, of: name, .init(StorageState.Reason.missing),
            "files of the \(name) are gone, with the events in them")
    }

    /// Whether events that a log loses count. Dead letters were counted when the server refused them.
    static func counts(_ name: String) -> Bool { name != DeadLetterLog.name }

    /// Turns reports of a journal into diagnostics.
    func tell(_ reports: [JournalReport], of name: String) {
        for item in reports {
            switch item {
            case .droppedOldest(let records, _, let kind):
                lose(
                    records, of: name, .bound(kind.rawValue),
                    "the \(name) exceeds its limits; the oldest events were dropped")
            case .damagedRecords(let records, let bytes):
                lose(
                    records, of: name, .damaged,
                    "the \(name) was damaged on disk: \(bytes) bytes are no longer readable")
            case .missingSegments(let records):
                loseFiles(records, of: name)
            default:
                report(Diagnostic(.storage, "the \(name): \(Self.text(of: item))"))
            }
        }
    }

    /// A report of a journal that concerns no lost events, as a sentence.
    static func text(of report: JournalReport) -> String {
        switch report {
        case .tornTail(let bytes): "an interrupted write was cut off (\(bytes) bytes)"
        case .damagedHeader(let file): "the header of \(file) is damaged; its events are still read"
        case .damagedMark: "the mark is missing or damaged, so events that were removed may come back"
        case .newerFormat(let file): "a newer version of the library wrote \(file), which is left alone"
        case .unreadable(let file, let errno): "\(file) cannot be read now (errno \(errno))"
        case .foreignFile(let file): "\(file) is not a file of this log and is left alone"
        case .unlisted(let reports): "\(reports) more reports"
        case .droppedOldest, .damagedRecords, .missingSegments: "\(report)"
        }
    }
}
