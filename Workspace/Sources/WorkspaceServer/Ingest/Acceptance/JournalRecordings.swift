import GRDB
import TributaryJournal
import WorkspaceCore

/// The facts that the database of a workspace has about its journal.
struct JournalRecordings: Sendable {
    /// How far it was indexed; nil when it never was.
    var place: JournalOffset?
    /// The last request that is known to have been acknowledged.
    var acknowledged: UInt64 = 0
    var sources: Set<Int64> = []
}

extension JournalRecordings {
    /// - Parameter folder: the data folder, where something may be noted that the database does not know.
    init(_ db: Database, in folder: String) throws {
        let place = try Store.indexed(db)
        let noted = place.map { AcknowledgementNote(in: folder).sequence(ofEpoch: $0.epoch) } ?? 0
        self.init(
            place: place, acknowledged: max(try Store.acknowledged(db), noted),
            sources: Set(try Store.writeKeys(db).keys))
    }
}
