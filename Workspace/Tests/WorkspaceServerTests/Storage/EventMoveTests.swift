import Foundation
import GRDB
import Logging
import Testing
import TributaryJSON

@testable import WorkspaceServer

@Suite("A folder in which all events were in one database") struct EventMoveTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Makes the folder as the version before would have, with rows of three days.
    private func makeOld(events count: Int) throws {
        let queue = try DatabaseQueue(path: folder.path + "/workspace.sqlite")
        try Schema.migrator.migrate(queue, upTo: "6")
        try queue.write { db in
            try db.execute(sql: "PRAGMA user_version = 6")
            try db.execute(
                sql: """
                    INSERT INTO source (id, writeKey, name, createdAt, updatedAt, revision, integrations, filters)
                    VALUES (1, 'WK', 'WK', 1, 1, 1, x'7B7D', x'5B5D')
                    """)
            try db.execute(sql: "INSERT INTO indexed VALUES (1, 5, 77)")
            try db.execute(sql: "INSERT INTO counter VALUES (1, 'stored', ?)", arguments: [count])
            for number in 0..<count {
                let receivedAt = StoredEvents.day(Int64(number % 3))
                let body = Data(#"{"messageId":"m-\#(number)","secret":"S3CRET"}"#.utf8)
                try db.execute(
                    sql: """
                        INSERT INTO event (sequence, source, messageId, type, name, userId, timestamp, receivedAt,
                            storedAt, body) VALUES (?, 1, ?, 'track', 'E', 'u', ?, ?, ?, ?)
                        """,
                    arguments: [number + 1, "m-\(number)", receivedAt, receivedAt, receivedAt, body])
            }
            let trace = StoredEvents.trace("m-1")
            try db.execute(
                sql: "INSERT INTO trace VALUES (?, 1, 'm-1', 0, 5, ?, ?)",
                arguments: [count + 1, StoredEvents.day(9), Data(trace.body)])
            try db.execute(
                sql: "INSERT INTO signal VALUES (?, 1, 's', 'interaction', 'a', 1, 1, ?, x'7B7D')",
                arguments: [count + 2, StoredEvents.noon])
            try db.execute(
                sql: "INSERT INTO rejected VALUES (1, 1, NULL, 'no_user_anon_id', 'r', ?, x'7B7D')",
                arguments: [StoredEvents.noon])
            try db.execute(
                sql: "INSERT INTO rejected VALUES (4, 1, 'r', 'no_user_anon_id', 'r', ?, x'7B7D')",
                arguments: [StoredEvents.noon])
        }
        try queue.close()
    }

    private func check(_ store: Store, events count: Int) async throws {
        let query = EventQuery(limit: count + 10, order: .ascending)
        let events = try await store.events(query).rows.map { try JSON.parse($0) }
        #expect(events.map { $0["sequence"]?.intValue } == (1...count).map { $0 })
        #expect(events.map { $0["messageId"]?.stringValue } == (0..<count).map { "m-\($0)" })
        #expect(events[1]["trackedAt"] == "T1")
        #expect(try await store.signals(EventQuery()).rows.count == 1)
        #expect(try await store.rejected(EventQuery()).rows.count == 2)
        #expect(try await store.lastSequence() == Int64(count) + 2)
        #expect(try await store.statistics(writeKey: "WK").stored == Int64(count))
        #expect(try store.indexed() == JournalPlace(epoch: 5, sequence: 77))
        #expect(try await store.storage.days().count == 3)
        #expect(try await store.pool.read { try $0.tableExists("event") } == false)
    }

    @Test func itsEventsAreMovedToTheirDays() async throws {
        let count = Limits.rowsMovedAtOnce + 50
        try makeOld(events: count)
        var store = try Store(folder: DataFolder(path: folder.path))
        try await check(store, events: count)
        var later = StoredEvents.batch(["m-2", "new"], at: StoredEvents.day(4))
        later.rejected = [StoredEvents.rejected("r", place: "p")]
        let receipts = try await store.write([later], through: JournalPlace(epoch: 5, sequence: 78), now: { 1 })
        #expect(receipts == [Receipt(stored: 1, duplicates: 1)])
        #expect(try await store.lastSequence() == Int64(count) + 3)
        try store.close()
        store = try Store(folder: DataFolder(path: folder.path))
        #expect(try await store.lastSequence() == Int64(count) + 3)
        try store.close()
        // What was moved is not to be read any more in the file where it was.
        let old = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/workspace.sqlite"))
        #expect(old.range(of: Data("S3CRET".utf8)) == nil)
    }

    @Test func aMoveThatWasStoppedGoesOn() async throws {
        let count = 30
        try makeOld(events: count)
        // Some rows are in their days, and the old database does not know of it.
        let data = try DataFolder(path: folder.path)
        let days = try SQLiteDays(data, logger: .init(label: "test"))
        let queue = try DatabaseQueue(path: folder.path + "/workspace.sqlite")
        try await queue.write { db in
            try db.execute(
                sql: "CREATE TRIGGER death BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'death'); END")
        }
        try queue.close()
        try days.close()
        data.release()
        #expect(throws: WorkspaceError.self) { _ = try Store(folder: DataFolder(path: folder.path)) }
        let again = try DatabaseQueue(path: folder.path + "/workspace.sqlite")
        try await again.write { db in try db.execute(sql: "DROP TRIGGER death") }
        try again.close()
        try await check(try Store(folder: DataFolder(path: folder.path)), events: count)
    }
}
