import Foundation
import GRDB
import TributaryJournal

extension DataDoctor {
    mutating func lookAtJournal() {
        let folder = path + "/journal"
        guard FileManager.default.fileExists(atPath: folder) else {
            return note("there is no journal; the next start makes one")
        }
        do {
            let survey = try Journal.survey(folder)
            guard self.folder != nil else {
                return fine("the journal holds about \(survey.records) requests that wait to be indexed")
            }
            if isRepairing { try lookAtJournal(opening: folder, isCopy: false) } else { try lookAtCopy(of: folder) }
        } catch {
            problem("the journal cannot be read: \(error)")
        }
    }

    /// Opening a journal mends it, so a copy is opened when only looking was asked for.
    private mutating func lookAtCopy(of folder: String) throws {
        let copy = NSTemporaryDirectory() + "tributary-doctor-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: copy) }
        try FileManager.default.copyItem(atPath: folder, toPath: copy)
        try lookAtJournal(opening: copy, isCopy: true)
    }

    private mutating func lookAtJournal(opening folder: String, isCopy: Bool) throws {
        let journal = try Journal.open(folder, options: IngestJournal.options(capacity: 1 << 30))
        defer { journal.close() }
        self.journal = JournalPlace(epoch: journal.epoch, sequence: journal.watermark)
        var (cursor, count) = (journal.cursor(after: journal.watermark), 0)
        while try cursor.next() != nil { count += 1 }
        for report in journal.takeReports() { tell(report, isMended: !isCopy) }
        fine("the journal holds \(count) requests that may have to be indexed")
        guard let place = try indexedPlace() else { return }
        if place.epoch != journal.epoch {
            note("the journal was made anew since something was indexed; it is read from its beginning")
        } else if place.sequence > journal.lastSequence {
            note("the databases are newer than the journal; the next request gets a place behind what was indexed")
        }
    }

    private mutating func tell(_ report: JournalReport, isMended: Bool) {
        let end = isMended ? "it was cut off" : "the next start cuts it off"
        switch report {
        case .tornTail(let bytes):
            note("the last \(bytes) bytes of the journal are half a request that was never acknowledged; \(end)")
        case .damagedRecords(let records, let bytes):
            problem(
                """
                \(records) requests in the journal (\(bytes) bytes) are damaged; after a power cut these are ones that \
                were never acknowledged, else they are lost
                """)
        case .missingSegments(let records):
            problem("files of the journal are missing, and \(records) acknowledged requests with them")
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

    func indexedPlace() throws -> JournalPlace? {
        try DatabaseState.read(path + "/workspace.sqlite", Store.indexed)
    }

    /// Compares what the index of messages knows with what is there: a row that it does not know could come twice.
    mutating func lookAtIndex() {
        do {
            let days = try DataFolder.dayFiles(in: path + "/days")
            var unknown: [(RowIdentity, Day)] = []
            var unread: [Day] = []
            let isBehind = try isBehindJournal()
            try DatabaseState.read(path + "/workspace.sqlite") { db in
                let numbers = isBehind ? RowNumbers(stream: .max, rejected: .max) : try Store.numbers(db)
                let index = MessageIndex(db: db)
                for day in days {
                    let file = "\(path)/days/\(day).sqlite"
                    let identities: [RowIdentity]
                    do {
                        identities = try DatabaseState.read(file) { try Self.identities($0, through: numbers) }
                    } catch {
                        unread.append(day)
                        continue
                    }
                    unknown += try identities.filter { try index.day(of: $0) == nil }.map { ($0, day) }
                }
            }
            if let day = unread.first {
                problem("the messages of \(unread.count) days cannot be compared with the index; the first is \(day)")
            }
            guard !unknown.isEmpty else {
                return unread.isEmpty ? fine("every stored message is known, so none is taken twice") : ()
            }
            let count = unknown.count
            problem(
                "\(count) stored messages are not known, so a repeat of them would be taken", mended: "they are now"
            ) {
                try Self.noteUnknown(unknown, in: $0)
            }
        } catch {
            problem("the index of messages cannot be compared with the days: \(error)")
        }
    }

    /// True when requests were removed from the journal that the database does not know of: it is an older one.
    private func isBehindJournal() throws -> Bool {
        guard let journal, let place = try indexedPlace() else { return false }
        return place.epoch == journal.epoch && journal.sequence > place.sequence
    }

    private static func identities(_ db: Database, through numbers: RowNumbers) throws -> [RowIdentity] {
        let tables: [(RowIdentity.Kind, String, Int64)] = [
            (.event, "event", numbers.stream), (.trace, "trace", numbers.stream), (.signal, "signal", numbers.stream),
            (.rejected, "rejected", numbers.rejected),
        ]
        return try tables.flatMap { kind, table, last in
            let id = kind == .rejected ? "identity" : "messageId"
            return try Row.fetchAll(
                db, sql: "SELECT source, \(id) FROM \(table) WHERE sequence <= ?", arguments: [last]
            ).map { row in
                RowIdentity(
                    kind: kind, source: try row.decode(Int64.self, atIndex: 0),
                    id: try row.decode(String.self, atIndex: 1))
            }
        }
    }

    private static func noteUnknown(_ unknown: [(RowIdentity, Day)], in folder: DataFolder) throws {
        let pool = try Store.open(folder)
        defer { try? pool.close() }
        try pool.write { db in
            let index = MessageIndex(db: db)
            for (identity, day) in unknown { try index.note(identity, in: day) }
        }
    }
}
