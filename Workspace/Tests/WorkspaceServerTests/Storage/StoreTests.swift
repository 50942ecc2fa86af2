import Foundation
import GRDB
import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite struct StoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> Store { try Store.testing(folder) }

    private func place(_ sequence: UInt64) -> JournalOffset { JournalOffset(epoch: .max, sequence: sequence) }

    private func event(_ messageId: String, bytes: Int = 10) -> IncomingEvent {
        IncomingEvent(
            messageId: messageId, type: .track, name: "E", userId: "u", anonymousId: nil,
            times: EventTimes(originalTimestamp: nil, sentAt: nil, sentAtIsFromUpload: false, receivedAt: 1),
            body: [UInt8](repeating: UInt8(ascii: "1"), count: bytes))
    }

    @Test("The workspace database commits with full synchronisation")
    func durability() throws {
        let store = try open()
        let (synchronous, journal) = try store.pool.writeWithoutTransaction { db in
            (try Int.fetchOne(db, sql: "PRAGMA synchronous"), try String.fetchOne(db, sql: "PRAGMA journal_mode"))
        }
        #expect(synchronous == 2)
        #expect(journal == "wal")
    }

    @Test("A folder of a newer format is refused")
    func newerFormat() throws {
        let store = try open()
        try store.pool.write { db in try db.execute(sql: "PRAGMA user_version = \(Schema.version + 1)") }
        try store.close()
        #expect {
            _ = try open()
        } throws: { ($0 as? WorkspaceError)?.reason == .newerDataFolder }
    }

    @Test("A folder of format 15 is brought up to date, with its sources") func format15() throws {
        let old = try open()
        try old.ensureSources(writeKeys: ["WK"], now: 1)
        let columns = [
            "categories", "withheld", "held", "heldFrom", "heldThrough", "beginsAfter", "rollout", "settingsBefore",
            "newAccepted",
            "newRefused", "beforeAccepted", "beforeRefused",
        ]
        try old.pool.write { db in
            for table in [
                "healthLog", "day", "deletionRequest", "suppression", "retention", "replay", "alertRule", "savedView",
                "functionVersion", "personLogin", "boardLink", "appVersion",
            ] {
                try db.execute(sql: "DROP TABLE \(table)")
            }
            for column in columns { try db.execute(sql: "ALTER TABLE destination DROP COLUMN \(column)") }
            try db.execute(sql: "ALTER TABLE bundle DROP COLUMN place; ALTER TABLE indexed DROP COLUMN scripts")
            try db.execute(sql: "ALTER TABLE source DROP COLUMN function")
            try db.execute(sql: "ALTER TABLE source DROP COLUMN stops")
            for column in ["app", "stop", "interval"] {
                try db.execute(sql: "ALTER TABLE healthDevice DROP COLUMN \"\(column)\"")
            }
            for column in ["sources", "personalData", "endsAt"] {
                try db.execute(sql: "ALTER TABLE namedToken DROP COLUMN \(column)")
            }
            try db.execute(sql: "PRAGMA user_version = 15")
        }
        try old.close()
        let store = try open()
        let (version, hasTable, keys) = try store.pool.read { db in
            (
                try Int.fetchOne(db, sql: "PRAGMA user_version"), try db.tableExists("healthLog"),
                try String.fetchAll(db, sql: "SELECT writeKey FROM source")
            )
        }
        #expect(version == Schema.version && hasTable)
        #expect(keys == ["WK"])
        try store.close()
    }

    @Test("A folder of an older format is refused with the commands that take its events over, and keeps its format")
    func olderFormat() throws {
        try open().close()
        let path = folder.path + "/workspace.sqlite"
        for version in 1..<Schema.history.oldest {
            let queue = try DatabaseQueue(path: path)
            try queue.write { db in try db.execute(sql: "PRAGMA user_version = \(version)") }
            try queue.close()
            #expect {
                _ = try open()
            } throws: { error in
                let error = error as? WorkspaceError
                let text = error?.description ?? ""
                return error?.reason == .olderDataFolder && text.contains("has format \(version);")
                    && text.contains("`tributary export`") && text.contains("`tributary import`")
            }
            let kept = try DatabaseState.read(path) { db in try Int.fetchOne(db, sql: "PRAGMA user_version") }
            #expect(kept == version)
        }
    }

    @Test("A workspace.sqlite that is no database is refused")
    func noDatabase() throws {
        let path = folder.path + "/workspace.sqlite"
        try String(repeating: "no database ", count: 1_000).write(toFile: path, atomically: true, encoding: .utf8)
        #expect {
            _ = try open()
        } throws: { ($0 as? WorkspaceError)?.reason == .dataFolder }
    }

    @Test("A second server is refused in the same folder")
    func folderInUse() throws {
        let store = try open()
        #expect {
            _ = try open()
        } throws: { ($0 as? WorkspaceError)?.reason == .dataFolderInUse }
        try store.close()
        try open().close()
    }

    @Test("A data folder that cannot be made is refused")
    func noFolder() throws {
        try "".write(toFile: folder.path + "/file", atomically: true, encoding: .utf8)
        #expect {
            _ = try DataFolder(path: folder.path + "/file/data")
        } throws: { ($0 as? WorkspaceError)?.reason == .dataFolder }
    }

    @Test func eventsAndTracesShareOneSequence() async throws {
        let store = try open()
        try store.ensureSources(writeKeys: ["WK"], now: 1)
        let trace = IncomingTrace(messageId: "a", isDropped: false, trackedAt: 1, body: Array("{}".utf8))
        var batch = IncomingBatch(source: 1, receivedAt: 1, events: [event("a"), event("a"), event("b")])
        batch.traces = [trace, trace]
        let receipts = try await store.write([batch, batch], through: place(1), now: { 1 })
        #expect(receipts == [Receipt(stored: 2, duplicates: 1), Receipt(stored: 0, duplicates: 3)])
        let messages = try await store.messages(after: 0, through: .max)
        #expect(messages.map(\.sequence) == [1, 2, 6])
        #expect(try await store.lastSequence() == 6)
    }

    @Test("A failed batch stores no event of its group")
    func failure() async throws {
        let store = try open()
        try store.ensureSources(writeKeys: ["WK"], now: 1)
        let good = IncomingBatch(source: 1, receivedAt: 1, events: [event("a")])
        let bad = IncomingBatch(source: 99, receivedAt: 1, events: [event("b")])
        await #expect(throws: DatabaseError.self) { try await store.write([good, bad], through: place(1), now: { 1 }) }
        #expect(try await store.events(EventQuery()).rows.isEmpty)
        #expect(try await store.statistics(writeKey: nil) == Statistics())
    }

    @Test func thePlaceInTheJournalIsCommittedWithTheEvents() async throws {
        let store = try open()
        try store.ensureSources(writeKeys: ["WK"], now: 1)
        #expect(try store.indexed() == nil)
        let good = IncomingBatch(source: 1, receivedAt: 1, events: [event("a")])
        let bad = IncomingBatch(source: 99, receivedAt: 1, events: [event("b")])
        _ = try await store.write([good], through: place(7), now: { 1 })
        await #expect(throws: DatabaseError.self) { try await store.write([bad], through: place(8), now: { 1 }) }
        #expect(try store.indexed() == place(7))
    }
}
