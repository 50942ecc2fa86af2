import GRDB
import TributaryJournal
import WorkspaceCore

/// Compares a journal with the database beside it.
struct JournalComparison: Sendable, Equatable {
    /// Every request up to this place is stored in the database.
    let indexed: UInt64
    /// How many acknowledged requests are neither in the journal nor in the database. This is an upper limit, because
    /// places can be skipped.
    let lost: UInt64
    /// New requests get places after this one.
    let last: UInt64
    /// A source that requests in the journal name and the database does not know.
    let foreignSource: Int64?
    /// Whether a newer version wrote the newest request that waits.
    var hasNewer = false

    /// - Parameters:
    ///   - end: the last place of the journal.
    ///   - waiting: the sources of requests that wait in the journal.
    init(epoch: UInt64, end: UInt64, waiting: Set<Int64>, _ recorded: JournalRecordings) {
        let indexedBefore = recorded.place?.sequence ?? 0
        if recorded.place?.epoch == epoch {
            let there = max(end, indexedBefore)
            indexed = indexedBefore
            lost = recorded.acknowledged > there ? recorded.acknowledged - there : 0
            last = max(there, recorded.acknowledged)
        } else {
            // This is another journal. Requests that the earlier journal acknowledged and the indexer
            // did not read are lost with it.
            indexed = 0
            lost = recorded.acknowledged > indexedBefore ? recorded.acknowledged - indexedBefore : 0
            last = end
        }
        foreignSource = waiting.subtracting(recorded.sources).min()
    }

    /// Reads the requests that wait only when the database knows another journal, and otherwise the newest of them.
    init(_ journal: Journal, _ recorded: JournalRecordings) throws {
        let isKnown = recorded.place?.epoch == journal.epoch
        self.init(
            epoch: journal.epoch, end: journal.lastSequence,
            waiting: isKnown ? [] : try Self.sources(in: journal), recorded)
        if journal.lastSequence > journal.watermark {
            var cursor = journal.cursor(after: journal.lastSequence - 1)
            hasNewer = try cursor.next().map { AcceptedRequest.isNewer($0.payload) } ?? false
        }
    }

    /// The sources of the requests that wait.
    static func sources(in journal: Journal) throws -> Set<Int64> {
        var (cursor, sources) = (journal.cursor(after: journal.watermark), Set<Int64>())
        while let record = try cursor.next() {
            if let request = AcceptedRequest(record.payload) { sources.insert(request.source) }
        }
        return sources
    }
}
