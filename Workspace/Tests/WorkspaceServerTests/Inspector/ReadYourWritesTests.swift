import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Reading of acknowledged events") struct ReadYourWritesTests {
    @Test("Behind a long backlog only the first query waits, and later queries get the number of waiting requests")
    func backlog() async throws {
        let temporary = try TemporaryFolder()
        let journal = try IngestJournal(folder: DataFolder(path: temporary.path), capacity: 1 << 20)
        let request = AcceptedRequest(
            form: .batch, isCompressed: false, source: 1, receivedAt: 1, uploadedAt: nil, body: Array("{}".utf8))
        for _ in 0..<3 { try await journal.append(request) }
        let progress = IndexProgress(sequence: 0)
        func wait(_ patience: Duration) async -> Int {
            await JournalIntake(journal: journal, progress: progress).wait(atMost: patience)
        }
        #expect(await wait(.milliseconds(1)) == 3)
        // No indexer runs, so a query that waits would never return.
        #expect(await wait(.seconds(86_400)) == 3)
        await progress.advance(to: 2)
        #expect(await wait(.seconds(86_400)) == 1)
        await progress.advance(to: journal.lastSequence)
        #expect(await wait(.seconds(86_400)) == 0)
        // An earlier process left a backlog.
        let later = IndexProgress(sequence: 0, backlog: 3)
        #expect(await JournalIntake(journal: journal, progress: later).wait(atMost: .seconds(86_400)) == 3)
        journal.close()
    }
}
