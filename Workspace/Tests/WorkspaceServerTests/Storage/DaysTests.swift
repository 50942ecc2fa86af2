import Foundation
import GRDB
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Events over days") struct DaysTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> Store {
        let store = try Store.testing(folder)
        try store.ensureSources(writeKeys: ["WK", "OTHER"], now: 1)
        return store
    }

    private func write(_ store: Store, _ batches: [IncomingBatch], _ sequence: UInt64) async throws -> [Receipt] {
        try await store.write(batches, through: JournalOffset(epoch: 1, sequence: sequence), now: { StoredEvents.noon })
    }

    private func ids(_ store: Store, _ query: EventQuery = EventQuery(order: .ascending)) async throws -> [String] {
        try await store.events(query).rows.compactMap { try JSON.parse($0)["messageId"]?.stringValue }
    }

    private func dayFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path + "/days")
            .filter { $0.hasSuffix(".sqlite") }.sorted()
    }

    @Test("Events are stored in the file of the day of their arrival")
    func arrival() async throws {
        let store = try open()
        let midnight = StoredEvents.noon + 12 * 3_600_000
        let batches = [
            StoredEvents.batch(["a"], at: midnight - 1), StoredEvents.batch(["b"], at: midnight),
            StoredEvents.batch(["c"], at: -1),
        ]
        _ = try await write(store, batches, 1)
        #expect(try dayFiles() == ["1969-12-31.sqlite", "2025-11-21.sqlite", "2025-11-22.sqlite"])
        #expect(try await ids(store) == ["a", "b", "c"])
        #expect(try await store.event(messageId: "b") != nil)
        try store.close()
        #expect(try await ids(open()) == ["a", "b", "c"])
    }

    @Test("The file of a day commits with full synchronisation")
    func durability() async throws {
        let store = try open()
        _ = try await write(store, [StoredEvents.batch(["a"])], 1)
        let days = try #require(store.storage as? SQLiteDays)
        let pool = try days.files.madePool(for: Day(milliseconds: StoredEvents.noon))
        let (synchronous, journal) = try await pool.writeWithoutTransaction { db in
            (try Int.fetchOne(db, sql: "PRAGMA synchronous"), try String.fetchOne(db, sql: "PRAGMA journal_mode"))
        }
        #expect(synchronous == 2)
        #expect(journal == "wal")
    }

    @Test("A repeated message is recognised after six days and a restart")
    func repeatedMessage() async throws {
        var store = try open()
        _ = try await write(store, [StoredEvents.batch(["a", "b"])], 1)
        _ = try await store.sweep(Day(milliseconds: StoredEvents.day(6)), Retention(days: 90), isLasting: false)
        try store.close()
        store = try open()
        let receipts = try await write(
            store,
            [
                StoredEvents.batch(["b", "c"], at: StoredEvents.day(6)),
                StoredEvents.batch(["b"], at: StoredEvents.day(6), source: 2),
            ], 2)
        #expect(receipts == [Receipt(stored: 1, duplicates: 1), Receipt(stored: 1)])
        #expect(try await ids(store) == ["a", "b", "c", "b"])
    }

    @Test("A repeated message is recognised for seven days, also with a shorter retention")
    func repeatWindow() async throws {
        let store = try open()
        _ = try await write(store, [StoredEvents.batch(["a"])], 1)
        for (day, isKnown) in [(6, true), (7, true), (8, false)] as [(Int64, Bool)] {
            _ = try await store.sweep(Day(milliseconds: StoredEvents.day(day)), Retention(days: 1), isLasting: false)
            // This look-up changes nothing.
            let known = try store.messages.places(of: [RowIdentity(kind: .event, source: 1, id: "a")]).count == 1
            #expect(known == isKnown, "day \(day)")
        }
    }

    @Test("Repeated dead letters and signals are recognised on later days")
    func repeatedDeadLetters() async throws {
        let store = try open()
        var batch = IncomingBatch(source: 1, receivedAt: StoredEvents.noon)
        batch.rejected = [StoredEvents.rejected("r", place: "1-1-0"), StoredEvents.rejected(nil, place: "1-1-1")]
        batch.signals = [StoredEvents.signal("s")]
        var later = IncomingBatch(source: 1, receivedAt: StoredEvents.day(3))
        later.rejected = [StoredEvents.rejected("r", place: "1-2-0"), StoredEvents.rejected(nil, place: "1-2-1")]
        later.signals = batch.signals
        #expect(try await write(store, [batch], 1) == [Receipt(rejected: 2, signals: 1)])
        #expect(try await write(store, [later], 2) == [Receipt(rejected: 1)])
        #expect(try await store.page(.rejected, EventQuery()).rows.count == 3)
        #expect(try await store.page(.signals, EventQuery()).rows.count == 1)
    }

    @Test(
        "A trace is shown with its event, of the same day or another, stored together or apart",
        arguments: [true, false], [(true, true), (true, false), (false, true), (false, false)])
    func traceAndEvent(traceFirst: Bool, arrival: (sameDay: Bool, together: Bool)) async throws {
        let store = try open()
        let days = [StoredEvents.day(0), StoredEvents.day(arrival.sameDay ? 0 : 1)]
        var trace = IncomingBatch(source: 1, receivedAt: days[traceFirst ? 0 : 1])
        trace.traces = [StoredEvents.trace("a")]
        let event = StoredEvents.batch(["a"], at: days[traceFirst ? 1 : 0])
        let batches = traceFirst ? [trace, event] : [event, trace]
        if arrival.together {
            _ = try await write(store, batches, 1)
        } else {
            _ = try await write(store, [batches[0]], 1)
            _ = try await write(store, [batches[1]], 2)
        }
        let shown = try JSON.parse(try #require(try await store.event(messageId: "a")))
        #expect(shown["trackedAt"] == "T1")
        #expect(try await store.statistics(writeKey: "WK").latencies.count == 1)
    }

    @Test("Rows that were committed before a crash are stored once")
    func unconfirmed() async throws {
        var store = try open()
        _ = try await write(store, [StoredEvents.batch(["a"])], 1)
        let batches = [
            StoredEvents.batch(["b", "c"]), StoredEvents.batch(["b", "d"], at: StoredEvents.day(1)),
        ]
        // The process dies after the rows are committed and before the place in the journal is.
        try await store.pool.write { db in
            try db.execute(
                sql: "CREATE TRIGGER death BEFORE UPDATE ON position BEGIN SELECT RAISE(ABORT, 'death'); END")
        }
        await #expect(throws: DatabaseError.self) { try await write(store, batches, 2) }
        #expect(try store.indexed() == JournalOffset(epoch: 1, sequence: 1))
        #expect(try await ids(store) == ["a", "b", "c", "d"])
        try store.close()
        store = try Store(folder: DataFolder(path: folder.path))
        try await store.pool.write { db in try db.execute(sql: "DROP TRIGGER death") }
        // This time the next request of the journal is in the same turn.
        let receipts = try await write(store, batches + [StoredEvents.batch(["e", "a"])], 3)
        #expect(receipts == [Receipt(stored: 2), Receipt(stored: 1, duplicates: 1), Receipt(stored: 1, duplicates: 1)])
        #expect(try await ids(store) == ["a", "b", "c", "d", "e"])
        #expect(try await store.statistics(writeKey: "WK").stored == 5)
        #expect(try await store.lastSequence() == store.storage.highest().stream)
    }

    @Test("A start moves a broken day to unreadable and serves the other days")
    func brokenDay() async throws {
        var store = try open()
        for day in 0..<3 {
            _ = try await write(
                store, [StoredEvents.batch(["m-\(day)"], at: StoredEvents.day(Int64(day)))], UInt64(day + 1))
        }
        try store.close()
        let path = folder.path + "/days/2025-11-22.sqlite"
        try Data(repeating: 0x5A, count: 8_192).write(to: URL(fileURLWithPath: path))
        store = try open()
        #expect(try await ids(store) == ["m-0", "m-2"])
        #expect(FileManager.default.fileExists(atPath: folder.path + "/unreadable/2025-11-22.sqlite"))
        let receipts = try await write(store, [StoredEvents.batch(["m-1", "n"], at: StoredEvents.day(1))], 4)
        #expect(receipts == [Receipt(stored: 1, duplicates: 1)])
        #expect(try await ids(store) == ["m-0", "m-2", "n"])
    }

    @Test("A day that breaks while the server runs is moved to unreadable")
    func breakingDay() async throws {
        let store = try open()
        let many = (0..<500).map { "m-\($0)" }
        _ = try await write(store, [StoredEvents.batch(many), StoredEvents.batch(["n"], at: StoredEvents.day(1))], 1)
        let days = try #require(store.storage as? SQLiteDays)
        let day = Day(milliseconds: StoredEvents.noon)
        try await days.files.madePool(for: day).writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: days.files.path(of: day)))
        let size = try file.seekToEnd()
        for page in 1..<(size / 4_096) {
            try file.seek(toOffset: page * 4_096)
            try file.write(contentsOf: Data(repeating: 0xFF, count: 4_096))
        }
        try file.close()
        try days.files.close()
        #expect(try await ids(store) == ["n"])
        _ = try await write(store, [StoredEvents.batch(["o"])], 2)
        #expect(try await ids(store) == ["n", "o"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/unreadable").isEmpty == false)
    }

    @Test(
        "A start refuses a day of another format and keeps the file",
        arguments: [
            (DaySchema.version + 1, WorkspaceError.Reason.newerDataFolder),
            (DaySchema.version - 1, .olderDataFolder),
        ])
    func otherFormat(_ version: Int, _ reason: WorkspaceError.Reason) async throws {
        let store = try open()
        _ = try await write(store, [StoredEvents.batch(["a"])], 1)
        try store.close()
        let queue = try DatabaseQueue(path: folder.path + "/days/2025-11-21.sqlite")
        try await queue.write { db in try db.execute(sql: "PRAGMA user_version = \(version)") }
        try queue.close()
        #expect {
            _ = try Store(folder: DataFolder(path: folder.path))
        } throws: { ($0 as? WorkspaceError)?.reason == reason }
        #expect(try dayFiles() == ["2025-11-21.sqlite"])
    }

    @Test("The server reads more days than may be open at once")
    func manyDays() async throws {
        let store = try open()
        let count = Limits.openDays * 2 + 1
        for day in 0..<count {
            _ = try await write(
                store, [StoredEvents.batch(["m-\(day)"], at: StoredEvents.day(Int64(day)))], UInt64(day + 1))
        }
        #expect(try await ids(store) == (0..<count).map { "m-\($0)" })
        #expect(try await store.statistics(writeKey: nil).stored == Int64(count))
    }
}
