import Foundation
import GRDB
import Synchronization
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Removing a source", .timeLimit(.minutes(30))) struct SourceRemovalTests {
    @Test("A request that is acknowledged during the removal of its source is skipped and delays no other request")
    func race() async throws {
        let folder = try TemporaryFolder()
        try await TestWorkspace.run(in: folder, writeKeys: ["WK", "GONE"]) { workspace async throws in
            // The server accepts the request just before the removal: it has the key, and the database does not.
            try await workspace.store.pool.write { db in
                let source = "(SELECT id FROM source WHERE writeKey = 'GONE')"
                try db.execute(sql: "DELETE FROM sourceKey WHERE source = \(source)")
                try db.execute(sql: "DELETE FROM source WHERE writeKey = 'GONE'")
            }
            let client = workspace.client
            #expect(try await client.batch([Events.track(messageId: "late")], writeKey: "GONE").status == 200)
            #expect(try await client.batch([Events.track(messageId: "m-1")]).status == 200)
            #expect(try await client.events().map { $0["messageId"] } == ["m-1"])
            #expect(try await client.get("/v1/ready").status == 200)
        }
        let aside = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/unreadable")
        #expect(aside.count == 1)
    }

    @Test("A source that cannot be removed takes events again")
    func failure() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            try await workspace.store.pool.write { db in
                try db.execute(sql: "CREATE TRIGGER kept BEFORE DELETE ON source BEGIN SELECT RAISE(ABORT, 'no'); END")
            }
            #expect(try await client.send("DELETE", "/api/sources/WK", body: nil).status == 503)
            #expect(try await client.batch([Events.track(messageId: "m-1")]).status == 200)
            try await workspace.store.pool.write { db in try db.execute(sql: "DROP TRIGGER kept") }
            #expect(try await client.send("DELETE", "/api/sources/WK", body: nil).status == 200)
            #expect(try await client.batch([Events.track(messageId: "m-2")]).status == 401)
            #expect(try await client.events() == [])
        }
    }

    @Test("No file contains data of a removed source")
    func bytes() async throws {
        let folder = try TemporaryFolder()
        try await TestWorkspace.run(in: folder, writeKeys: ["WK", "OTHER"]) { workspace async throws in
            let client = workspace.client
            let texts = ["somebody-of-the-source", "live-plugin-of-the-source", "address-of-the-source"]
            try await client.batch([Events.track(messageId: "m-1", userId: texts[0])])
            try await client.batch([Events.track(messageId: "m-2", userId: "somebody else")], writeKey: "OTHER")
            #expect(try await client.put("/api/sources/WK/live-plugins", "// \(texts[1])").status == 200)
            let hook = #"{"kind":"webhook","enabled":false,"settings":{"url":"http://127.0.0.1:9/\#(texts[2])"}}"#
            #expect(try await client.put("/api/sources/WK/destinations/Hook", hook).status == 201)
            #expect(try await client.events().count == 2)
            for text in texts { #expect(try !DataFiles.containing(text, in: folder.path).isEmpty, "\(text)") }
            #expect(try await client.send("DELETE", "/api/sources/WK", body: nil).status == 200)
            for text in texts { #expect(try DataFiles.containing(text, in: folder.path) == [], "\(text)") }
            #expect(try await client.events().map { $0["messageId"] } == ["m-2"])
        }
    }

    @Test("A source with many events is removed in steps, and other sources store events between the steps")
    func steps() async throws {
        let folder = try TemporaryFolder()
        let store = try Store.testing(folder)
        try store.ensureSources(writeKeys: ["WK", "OTHER"], now: 1)
        let count = Limits.rowsErasedAtOnce * 2 + 1
        for source in [1, 2] as [Int64] {
            let events = (0..<count).map {
                StoredEvents.event(
                    "m-\($0)", userId: "user-\(source)", body: #"{"userId":"user-\#(source)","previousId":"old"}"#)
            }
            let batch = IncomingBatch(source: source, receivedAt: StoredEvents.noon, events: events)
            _ = try await store.write([batch], through: JournalOffset(epoch: 1, sequence: UInt64(source)), now: { 1 })
        }
        let seen = Mutex<[ErasureProgress]>([])
        let days = try #require(store.storage as? SQLiteDays)
        let removed = try await store.storage.removeAll(of: 1, overwriting: true) { state in
            // The day is not locked between two steps.
            let isFree =
                (try? days.files.madePool(for: Day(milliseconds: StoredEvents.noon)).write { _ in true }) ?? false
            #expect(isFree)
            seen.withLock { $0.append(state) }
        }
        #expect(removed == count)
        #expect(seen.withLock { $0.map(\.erased.events) } == [0, 2_000, 4_000, 4_001, 4_001])
        #expect(seen.withLock { $0.last?.daysDone } == 1)
        #expect(try await store.events(EventQuery(limit: 1)).rows.count == 1)
        #expect(try await store.storage.erase("user-2").events == count)
        #expect(try await store.storage.rows(RowQuery(.stream)).isEmpty)
        let mentions = try await days.read(Day(milliseconds: StoredEvents.noon)) { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM mention")
        }
        #expect(mentions == 0)
        try store.close()
    }
}
