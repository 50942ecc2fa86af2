import Foundation
import GRDB
import TributaryJSON
import TributaryJournal
import WorkspaceCore

extension DataDoctor {
    mutating func lookAtJournal() {
        let folder = path + "/journal"
        do {
            let isThere = FileManager.default.fileExists(atPath: folder)
            guard self.folder != nil else {
                return fine(
                    "the journal holds about \(try Journal.survey(folder).records) requests that wait to be indexed")
            }
            if !isThere, !isRepairing {
                note("there is no journal; the next start makes one")
                return try lookAtStanding(nil)
            }
            if isRepairing {
                let journal = try Journal.open(folder, options: IngestJournal.options(capacity: 1 << 30))
                defer { journal.close() }
                try look(at: journal)
            } else {
                // Opening a journal repairs it. So a check without repair opens a copy.
                let copy = try JournalCopy(of: folder)
                try look(at: copy.journal)
            }
        } catch {
            problem("the journal cannot be read: \(SystemReason.text(error))")
        }
    }

    private mutating func look(at journal: Journal) throws {
        self.journal = JournalOffset(epoch: journal.epoch, sequence: journal.watermark)
        var (cursor, count) = (journal.cursor(after: journal.watermark), 0)
        while try cursor.next() != nil { count += 1 }
        for report in journal.takeReports() { tell(report) }
        fine("the journal holds \(count) requests that may have to be indexed")
        try lookAtStanding(journal)
    }

    /// Compares the end of the journal with what the database knows of it.
    private mutating func lookAtStanding(_ journal: Journal?) throws {
        let recorded = try DatabaseState.read(path + "/workspace.sqlite") { try JournalRecordings($0, in: path) }
        let standing =
            try journal.map { try JournalComparison($0, recorded) }
            ?? JournalComparison(epoch: 0, end: 0, waiting: [], recorded)
        if let place = recorded.place, let journal, place.epoch == journal.epoch, place.sequence > journal.lastSequence
        {
            note("the databases are newer than the journal; the next request gets a place behind what was indexed")
        }
        guard standing.lost > 0 else { return }
        let text = "the journal is shorter than it was: up to \(standing.lost) requests that were acknowledged are gone"
        guard isRepairing, let folder, let journal else { return problem(text) }
        try journal.reserve(through: standing.last)
        let pool = try Store.open(folder)
        defer { try? pool.closeWhole() }
        try pool.write { db in
            let place = JournalOffset(epoch: journal.epoch, sequence: standing.indexed)
            try Store.setIndexed(place, acknowledged: standing.last, db)
            let entry = AuditEntry(action: .dataLost, details: ["requests": .number(Int(standing.lost))])
            try Store.log(db, entry, by: .server, now: Int64(Date().timeIntervalSince1970 * 1_000))
        }
        lost(text + "; they are in the audit log, and a backup may have them")
    }

    private mutating func tell(_ report: JournalReport) {
        switch report {
        case .tornTail(let bytes):
            let end = isRepairing ? "they were cut off" : "the next start cuts them off"
            note("the last \(bytes) bytes of the journal are no whole request; \(end)")
        case .damagedRecords(let records, let bytes):
            tell(
                lost: """
                    \(records) requests in the journal (\(bytes) bytes) are damaged; after a power cut they may be ones that \
                    were never acknowledged, otherwise they are lost
                    """)
        case .missingSegments(let records):
            tell(lost: "files of the journal are missing, and \(records) acknowledged requests with them")
        case .damagedMark:
            note("the mark of the journal is damaged; requests may be indexed again, which changes nothing")
        case .newerFormat(let file): problem("a newer version wrote journal/\(file)")
        case .unreadable(let file, let errno):
            problem("journal/\(file) cannot be read: \(String(cString: strerror(errno)))")
        case .damagedHeader(let file), .foreignFile(let file):
            note("journal/\(file) is not as the journal makes its files; what it holds of requests is read")
        case .droppedOldest, .unlisted: note("the journal reports: \(report)")
        }
    }

    private mutating func tell(lost text: String) { if isRepairing { lost(text) } else { problem(text) } }

    func indexedPlace() throws -> JournalOffset? {
        try DatabaseState.read(path + "/workspace.sqlite", Store.indexed)
    }

    /// Compares the index of messages with the days, in both directions: a row that the index does not know could be
    /// stored twice, and a message without a row is lost.
    mutating func lookAtIndex() {
        do {
            let comparison = try IndexComparison(path: path, isBehind: try isBehindJournal(), progress)
            if let day = comparison.unread.first {
                problem(
                    "the messages of \(comparison.unread.count) days cannot be compared with the index; the first is \(day)"
                )
            }
            lookAtMissing(comparison)
            guard comparison.unknown > 0 else {
                return comparison.unread.isEmpty ? fine("every stored message is known, so none is taken twice") : ()
            }
            problem(
                "\(comparison.unknown) stored messages are not known, so a repeat of them would be taken",
                mended: "they are now"
            ) {
                try Self.noteUnknown(comparison, in: $0)
            }
        } catch {
            problem("the index of messages cannot be compared with the days: \(SystemReason.text(error))")
        }
    }

    private mutating func lookAtMissing(_ comparison: IndexComparison) {
        let days = comparison.incompleteDays
        guard !days.isEmpty else { return }
        var text = "\(comparison.missing) messages that were stored are in no day any more (\(Self.list(days.keys)))"
        if !comparison.goneDays.isEmpty { text += "; " + Self.gone(comparison.goneDays) }
        guard isRepairing, let folder else {
            return problem("\(text); a backup may have them, and `tributary doctor --repair` notes that they are gone")
        }
        do {
            try note(lost: comparison.missing, of: days, gone: comparison.goneDays, in: folder)
            lost(text + "; they are in the audit log, and a backup may have them")
        } catch {
            problem("\(text); that could not be noted: \(SystemReason.text(error))")
        }
    }

    /// Compares the figures with the stored rows: a new database has no figures.
    mutating func lookAtFigures() {
        do {
            let comparison = try FigureComparison(path: path, isBehind: try isBehindJournal())
            let sources = Set(comparison.behind.keys.map(\.source)).count
            guard sources > 0 else { return }
            problem(
                "the figures of \(sources) sources count less than what is stored",
                mended: "they were counted from the days; duplicates and what was deleted before are not in them"
            ) { folder in
                let pool = try Store.open(folder)
                defer { try? pool.closeWhole() }
                try pool.write(comparison.mend)
            }
        } catch {
            problem("the figures cannot be compared with the days: \(SystemReason.text(error))")
        }
    }

    /// Looks only whether the days that should be there have their files.
    mutating func lookForGoneDays() {
        do {
            let (records, files) = try DayRecords.reading(path)
            let gone = records.missing(besides: files)
            guard !gone.isEmpty else { return }
            problem("\(Self.gone(gone)); `tributary doctor` without --quick says how many messages they had")
        } catch {
            problem("the days that should be there cannot be looked up: \(SystemReason.text(error))")
        }
    }

    private static func gone(_ days: [Day]) -> String {
        "the workspace did not delete the files of \(days.count) of its days, and they are gone (\(list(days)))"
    }

    private static func list(_ days: some Sequence<Day>) -> String {
        days.sorted().map(\.description).joined(separator: ", ")
    }

    /// True when the journal has removed requests that the database does not know: the database is older.
    private func isBehindJournal() throws -> Bool {
        guard let journal, let place = try indexedPlace() else { return false }
        return place.epoch == journal.epoch && journal.sequence > place.sequence
    }

    private static func noteUnknown(_ comparison: IndexComparison, in folder: DataFolder) throws {
        let pool = try Store.open(folder)
        defer { try? pool.close() }
        let index = try Store.messages(folder, pool)
        try comparison.forEachUnknown(index) { rows in
            guard !rows.isEmpty else { return }
            try pool.write { db in try MessageIndex.note(rows, db) }
            index.add(rows)
            try index.moveToFiles(pool)
        }
        while try index.mergeOnce(pool) {}
    }

    /// Looks whether the files of the index are there and whole.
    /// - Returns: whether the index can be compared with the days.
    mutating func lookAtMessageFiles() -> Bool {
        do {
            let files = try DatabaseState.read(path + "/workspace.sqlite", MessageIndex.files)
            for file in files where !isSound(file) { return false }
            return true
        } catch {
            problem("the files of the index of message ids cannot be looked at: \(SystemReason.text(error))")
            return false
        }
    }

    /// - Returns: whether the index can be used, without the file if need be.
    private mutating func isSound(_ file: MessageMerge.File) -> Bool {
        do {
            progress("message ids of \(file.day)")
            let opened = try MessageFile(file.number, in: path + "/messages")
            if !isQuick { try opened.forEachEntry { _ in } }
            return true
        } catch {
            // A running workspace may have merged it with others.
            if folder == nil, (error as? MessageFile.Damage)?.isMissing == true { return true }
            problem(
                "a file of the index of message ids cannot be used: \(SystemReason.text(error))",
                mended: "it was taken out"
            ) {
                try Self.takeOut(file.number, of: $0)
            }
            return isRepairing && !hasProblems
        }
    }

    private static func takeOut(_ number: Int64, of folder: DataFolder) throws {
        let pool = try Store.open(folder)
        defer { try? pool.closeWhole() }
        try pool.write { try $0.execute(sql: "DELETE FROM messageFile WHERE number = ?", arguments: [number]) }
        let path = MessageFile.path(number, in: folder.messagesPath)
        if FileManager.default.fileExists(atPath: path) { _ = try folder.setAside([path]) }
    }
}
