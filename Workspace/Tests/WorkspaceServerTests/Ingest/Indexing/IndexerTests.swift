import Foundation
import GRDB
import Testing
import TributaryJSON
import TributaryJournal

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite(.timeLimit(.minutes(30))) struct IndexerTests {
    private func request(_ body: String, source: Int64 = 1) -> AcceptedRequest {
        AcceptedRequest(
            form: .batch, isCompressed: false, source: source, receivedAt: 5, uploadedAt: nil, body: Array(body.utf8))
    }

    private func fill(_ folder: TemporaryFolder, _ records: [[UInt8]]) async throws -> UInt64 {
        let data = try DataFolder(path: folder.path)
        let journal = try IngestJournal(folder: data, capacity: 1 << 20)
        for record in records { try await journal.journal.appendDurably(record) }
        journal.close()
        data.release()
        return journal.journal.epoch
    }

    @Test("A start stores the requests that wait in the journal")
    func acknowledged() async throws {
        let folder = try TemporaryFolder()
        try await TestWorkspace.run(in: folder) { _ in }
        _ = try await fill(folder, [request(#"{"batch":[{"type":"identify","userId":"u","messageId":"m"}]}"#).encoded])
        try await TestWorkspace.run(in: folder) { workspace async throws in
            #expect(try await workspace.client.events().map { $0["messageId"] } == ["m"])
        }
    }

    @Test("A request of a newer version refuses the start, and the newer version finds it where it was")
    func newerRequest() async throws {
        let folder = try TemporaryFolder()
        try await TestWorkspace.run(in: folder) { _ in }
        let known = request(#"{"batch":[{"type":"identify","userId":"u","messageId":"m"}]}"#).encoded
        _ = try await fill(folder, [known, [3] + known.dropFirst()])
        let error = await #expect(throws: WorkspaceError.self) { try await TestWorkspace.run(in: folder) { _ in } }
        #expect(error?.description.contains("a newer version wrote requests that wait in the journal") == true)
        let data = try DataFolder(path: folder.path)
        defer { data.release() }
        let journal = try IngestJournal(folder: data, capacity: 1 << 20)
        defer { journal.close() }
        #expect(journal.waitingCount == 2)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/unreadable"))
    }

    @Test("Events without a message id are stored once when a request is indexed twice")
    func indexedAgain() async throws {
        let folder = try TemporaryFolder()
        try await TestWorkspace.run(in: folder) { _ in }
        let body = #"{"batch":[{"type":"identify","userId":"a"},{"type":"identify","userId":"b"}]}"#
        let epoch = try await fill(folder, [request(body).encoded])
        let hex = String(epoch, radix: 16)
        let (journal, copy) = (folder.path + "/journal", folder.path + "/copy")
        try FileManager.default.copyItem(atPath: journal, toPath: copy)
        for round in 0..<2 {
            // The folder looks as if neither the place nor the removal had reached the disk.
            try FileManager.default.removeItem(atPath: journal)
            try FileManager.default.copyItem(atPath: copy, toPath: journal)
            try await TestWorkspace.run(in: folder) { workspace async throws in
                let events = try await workspace.client.events()
                #expect(events.map { $0["messageId"] } == [.string("\(hex)-1-0"), .string("\(hex)-1-1")])
                #expect(
                    try await workspace.client.get("/api/stats").json["duplicates"] == .number(round * 2))
                try await workspace.store.pool.write { db in try db.execute(sql: "DELETE FROM indexed") }
            }
        }
    }

    /// A small compressed backlog may inflate to many bytes, so it must not be in memory as a whole.
    @Test("A backlog that inflates to many bytes is stored in several transactions")
    func inflatedBacklog() async throws {
        let folder = try TemporaryFolder()
        let counting = """
            CREATE TABLE turn (sequence INTEGER);
            CREATE TRIGGER turns AFTER UPDATE ON indexed BEGIN INSERT INTO turn VALUES (new.sequence); END
            """
        try await TestWorkspace.run(in: folder) { workspace async throws in
            try await workspace.client.batch([Events.track(messageId: "first")])
            #expect(try await workspace.client.events().count == 1)
            try await workspace.store.pool.write { db in try db.execute(sql: counting) }
        }
        let events = (0..<100).map {
            #"{"type":"identify","userId":"u\#($0)","x":"\#(String(repeating: "x", count: 20_000))"}"#
        }
        let body = try Gzip.compress(Array("{\"batch\":[\(events.joined(separator: ","))]}".utf8))
        let request = AcceptedRequest(
            form: .batch, isCompressed: true, source: 1, receivedAt: 5, uploadedAt: nil, body: body)
        _ = try await fill(folder, Array(repeating: request.encoded, count: 20))
        try await TestWorkspace.run(in: folder) { workspace async throws in
            #expect(try await workspace.client.get("/api/stats").json["stored"] == 2_001)
            let turns = try await workspace.store.pool.read { db in
                try Int.fetchOne(db, sql: "SELECT count(*) FROM turn") ?? 0
            }
            #expect((4...10).contains(turns), "\(turns) transactions for 40 MB")
        }
    }

    @Test func theSameRequestMakesTheSameRows() throws {
        let accepted = request(#"{"batch":[{"type":"identify","userId":"a"}],"context":{"ip":"1"}}"#)
        let place = JournalOffset(epoch: 255, sequence: 7)
        let rows = try (0..<2).map { _ in try RequestIndexing.batch(accepted, at: place).events.map(\.body) }
        #expect(rows[0] == rows[1])
        #expect(
            rows[0].map { String(decoding: $0, as: UTF8.self) }
                == [#"{"type":"identify","userId":"a","messageId":"ff-7-0","context":{"ip":"1"}}"#])
    }

    @Test("An unreadable record is moved to unreadable, and the records behind are stored")
    func unreadableRecord() async throws {
        let folder = try TemporaryFolder()
        try await TestWorkspace.run(in: folder) { _ in }
        let strange = [UInt8]("strange".utf8)
        let good = request(#"{"batch":[{"type":"identify","userId":"u","messageId":"m"}]}"#).encoded
        let epoch = try await fill(folder, [strange, good])
        try await TestWorkspace.run(in: folder) { workspace async throws in
            #expect(try await workspace.client.events().map { $0["messageId"] } == ["m"])
        }
        let file = folder.path + "/unreadable/\(String(epoch, radix: 16))-1"
        #expect(FileManager.default.contents(atPath: file) == Data(strange))
    }

    @Test func newJournalsAreReadFromTheirBeginning() async throws {
        let folder = try TemporaryFolder()
        try await TestWorkspace.run(in: folder) { workspace async throws in
            for number in 0..<5 { try await workspace.client.batch([Events.track(messageId: "m-\(number)")]) }
            #expect(try await workspace.client.events().count == 5)
        }
        try FileManager.default.removeItem(atPath: folder.path + "/journal")
        try await TestWorkspace.run(in: folder) { workspace async throws in
            try await workspace.client.batch([Events.track(messageId: "new")])
            #expect(try await workspace.client.events().count == 6)
        }
    }
}
