import Foundation
import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The comparison of a journal with its database") struct JournalComparisonTests {
    private func make(
        end: UInt64, epoch: UInt64 = 1, waiting: Set<Int64> = [], place: UInt64?, acknowledged: UInt64 = 0,
        sources: Set<Int64> = [5]
    ) -> JournalComparison {
        JournalComparison(
            epoch: epoch, end: end, waiting: waiting,
            JournalRecordings(
                place: place.map { JournalOffset(epoch: 1, sequence: $0) }, acknowledged: acknowledged, sources: sources
            )
        )
    }

    @Test("A journal that reaches beyond the last acknowledged request has lost no request")
    func complete() {
        let standing = make(end: 20, place: 10, acknowledged: 15)
        #expect(standing.lost == 0)
        #expect(standing.indexed == 10)
        #expect(standing.last == 20)
    }

    @Test("Acknowledged requests beyond the end of the journal are lost")
    func lostRequests() {
        #expect(make(end: 20, place: 10, acknowledged: 250).lost == 230)
        // No new request may get the place of a lost request.
        #expect(make(end: 20, place: 10, acknowledged: 250).last == 250)
        #expect(make(end: 5, place: 10, acknowledged: 12).lost == 2)
    }

    /// A restored backup is such a case: its journal is a moment older than its database.
    @Test("Indexed requests are not lost when the journal ends before them")
    func indexedRequests() {
        let standing = make(end: 5, place: 10, acknowledged: 10)
        #expect(standing.lost == 0)
        #expect(standing.last == 10)
    }

    @Test("A new journal counts the requests that waited in the old journal as lost")
    func otherJournal() {
        let standing = make(end: 3, epoch: 2, place: 10, acknowledged: 14)
        #expect(standing.lost == 4)
        #expect(standing.indexed == 0)
        #expect(standing.last == 3)
    }

    @Test("The comparison names a source that the database does not have")
    func unknownSource() {
        #expect(make(end: 3, epoch: 2, waiting: [5], place: 1).foreignSource == nil)
        #expect(make(end: 3, epoch: 2, waiting: [5, 9], place: 1).foreignSource == 9)
        #expect(make(end: 3, waiting: [9], place: nil).foreignSource == 9)
    }

    @Test("A note of acknowledged requests is valid for its own journal only")
    func note() throws {
        let folder = try TemporaryFolder()
        let note = AcknowledgementNote(in: folder.path)
        #expect(note.sequence(ofEpoch: 7) == 0)
        try note.write(JournalOffset(epoch: .max, sequence: 230))
        #expect(note.sequence(ofEpoch: .max) == 230)
        #expect(note.sequence(ofEpoch: 7) == 0)
        for text in ["", "7", "7 x", "7 1 2", String(repeating: "7 ", count: 100)] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/acknowledged"))
            #expect(note.sequence(ofEpoch: 7) == 0)
        }
    }
}
