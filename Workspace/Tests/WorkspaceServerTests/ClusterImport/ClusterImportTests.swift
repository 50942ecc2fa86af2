import ClusterTestKit
import Foundation
import GRDB
import Testing
import TributaryJSON

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Moving one machine into a cluster", ColumnStores.isInstalled, .timeLimit(.minutes(30)))
struct ClusterImportTests {
    private let data: TemporaryFolder
    private let target: TemporaryFolder
    private var founder: String { target.path + "/founder" }

    init() throws {
        data = try TemporaryFolder()
        target = try TemporaryFolder()
    }

    /// Events of two days and several devices, rejected ones, traces and signals. Names have what SQL does not like.
    private func fill() async throws {
        let store = try Store.testing(data)
        try store.ensureSources(writeKeys: ["WK", "OTHER"], now: 1)
        var blocks: [EventBlock] = []
        for day in 0..<2 as Range<Int64> {
            let at = StoredEvents.day(day)
            let sequence = day * 1_000
            func row(_ kind: RowIdentity.Kind, _ id: String, _ number: Int64, _ content: EventBlock.Content)
                -> EventBlock.Row
            {
                EventBlock.Row(
                    identity: RowIdentity(kind: kind, source: 1 + number % 2, id: id), number: sequence + number,
                    day: Day(milliseconds: at), receivedAt: at + number, content: content)
            }
            var block = EventBlock(
                identity: .init(epoch: 1, after: UInt64(day), through: UInt64(day) + 1), storedAt: at + 5_000)
            block.writeKeys = [1: "WK", 2: "OTHER"]
            for number in 1...20 as ClosedRange<Int64> {
                let id = "m\(day)-\(number)"
                let event = IncomingEvent(
                    messageId: id, type: .track, name: number == 3 ? "a\u{0}'\"b" : "E", userId: "u",
                    anonymousId: number % 3 == 0 ? nil : "d\(number % 4)",
                    times: EventTimes(
                        timestamp: at - 77, originalTimestamp: at - 99, sentAt: nil, receivedAt: at + number),
                    body: Array(#"{"messageId":"\#(id)","userId":"u","properties":{"n":\#(number)}}"#.utf8))
                block.rows.append(row(.event, id, number, .event(event)))
            }
            block.rows.append(row(.rejected, "r\(day)", 1, .rejected(StoredEvents.rejected("r\(day)", place: "p"))))
            block.rows.append(
                row(.rejected, "place\(day)", 2, .rejected(StoredEvents.rejected(nil, place: "place\(day)"))))
            block.rows.append(row(.trace, "m\(day)-1", 21, .trace(StoredEvents.trace("m\(day)-1", isDropped: true))))
            block.rows.append(row(.signal, "s\(day)", 22, .signal(StoredEvents.signal("s\(day)"))))
            blocks.append(block)
        }
        for block in blocks { try await store.storage.append(block) }
        try store.close()
    }

    /// The rows of a list, without the numbers that are others in a cluster.
    private func rows(_ storage: any EventStorage, _ list: RowQuery.List) async throws -> [JSON] {
        var query = RowQuery(list)
        (query.order, query.limit, query.writeKeys) = (.ascending, 1_000, [1: "WK", 2: "OTHER"])
        return try await storage.rows(query).map { row in
            guard case .object(var object) = try JSON.parse(row.text) else { return .null }
            object["sequence"] = nil
            return .object(object)
        }
    }

    private func run(_ settings: ClickHouseSettings) async throws -> ClusterImport.Summary {
        try await ClusterImport.run(from: data.path, to: settings, partitions: 16, founder: founder)
    }

    @Test(
        "All lists are the same afterwards, in the same order, and the counts agree", arguments: ColumnStores.installed)
    func lists(_ kind: ColumnStores.Kind) async throws {
        try await fill()
        let settings = try await ColumnStores.settings(kind)
        let summary = try await run(settings)
        #expect(summary.counts == ClusterImport.Counts(events: 40, rejected: 4, traces: 2, signals: 2))
        #expect(summary.moved == 48)
        #expect(summary.days == 2)
        let store = try Store.testing(data)
        let moved = try await ClickHouseStorage(settings)
        for list in [RowQuery.List.events, .rejected, .signals, .drops] {
            let before = try await rows(store.storage, list)
            #expect(!before.isEmpty)
            #expect(try await rows(moved, list) == before)
        }
        try store.close()
        // The numbers of a cluster are higher than all of them.
        let now = Int64(Date().timeIntervalSince1970 * 1_000)
        #expect(try await moved.highest().stream < ClusterNumber.first(at: now))
    }

    @Test("An import that was ended goes on where it was, and stores nothing twice", arguments: ColumnStores.installed)
    func resumed(_ kind: ColumnStores.Kind) async throws {
        try await fill()
        let settings = try await ColumnStores.settings(kind)
        let ended = try Store.testing(data)
        let storage = try await ClickHouseStorage(settings)
        // What an import had done when it was ended: some events of the first day.
        let days = try #require(ended.storage as? SQLiteDays)
        let day = try #require(days.days().first)
        let rows = try #require(
            try await days.read(day) { try MovedRows(day: day, partitions: 16).next(.event, after: 0, atMost: 7, $0) })
        try await storage.insert(rows.map { ClickHouseRow($0.row, storedAt: $0.storedAt) })
        try ended.close()
        let summary = try await run(settings)
        #expect(summary.moved == 41)
        #expect(summary.counts.all == 48)
        try FileManager.default.removeItem(atPath: founder)
        await #expect {
            try await ClusterImport.run(from: data.path, to: settings, partitions: 7, founder: founder)
        } throws: { "\($0)".contains("another number of partitions") }
        #expect(try await run(settings).moved == 0)
        #expect(try await storage.movedCounts() == summary.counts)
    }

    @Test("The folder for the first node has the settings, and destinations go on where they were") func settings()
        async throws
    {
        try await fill()
        let store = try Store.testing(data)
        try await store.pool.write { db in
            try db.execute(
                sql: """
                    INSERT INTO destination (id, source, name, kind, settings, secret, secretChangedAt, isEnabled, createdAt,
                        updatedAt, revision, position)
                    VALUES (7, 1, 'D', 'webhook', x'7b7d', x'00', 1, 1, 1, 1, 1, 1010)
                    """)
            for (sequence, id) in [(3, "m0-3"), (1_005, "m1-5"), (500, "gone")] {
                try db.execute(
                    sql: """
                        INSERT INTO undelivered (destination, sequence, messageId, lane, attempts, dueAt)
                        VALUES (7, ?, ?, x'00', 1, 1)
                        """, arguments: [sequence, id])
            }
        }
        try store.close()
        let settings = try await ColumnStores.settings()
        _ = try await run(settings)
        let contents = FolderContents(of: founder)
        #expect(contents.hasDatabase)
        try contents.checkNode()
        let moved = try await ClickHouseStorage(settings)
        var query = RowQuery(.events)
        (query.order, query.limit) = (.ascending, 1_000)
        let events = try await moved.rows(query)
        func number(_ id: String) -> Int64? {
            events.first { (try? JSON.parse($0.text))?["messageId"]?.stringValue == id }?.sequence
        }
        let founded = try Store.testing(DataFolder(path: founder))
        #expect(try founded.sources().map(\.writeKey).sorted() == ["OTHER", "WK"])
        let (position, waiting) = try await founded.pool.read { db in
            (
                try Int64.fetchOne(db, sql: "SELECT position FROM destination") ?? 0,
                try Int64.fetchAll(db, sql: "SELECT sequence FROM undelivered ORDER BY sequence")
            )
        }
        // What came up to the place on one machine is at or below it, and what came later is above.
        #expect(try #require(number("m1-10")) <= position)
        #expect(try #require(number("m1-11")) > position)
        #expect(waiting == [number("m0-3"), number("m1-5")])
        try founded.close()
    }

    @Test("A folder that is none, one of a node, one with unreadable files, and a store with other events are refused")
    func refusals() async throws {
        let settings = try await ColumnStores.settings()
        await #expect { try await run(settings) } throws: { "\($0)".contains("is no data folder") }
        #expect(!FileManager.default.fileExists(atPath: data.path + "/workspace.sqlite"))
        try await fill()
        let storage = try await ClickHouseStorage(settings)
        var other = ClickHouseRow(
            EventBlock.Row(
                identity: RowIdentity(kind: .event, source: 1, id: "new"),
                number: ClusterNumber.first(at: StoredEvents.noon),
                day: Day(milliseconds: StoredEvents.noon), receivedAt: StoredEvents.noon,
                content: .event(StoredEvents.event("new"))), storedAt: 1)
        try await storage.insert([other])
        await #expect { try await run(settings) } throws: { "\($0)".contains("another database in --store") }
        let fresh = try await ColumnStores.settings()
        let second = try await ClickHouseStorage(fresh)
        // A row that is not of the folder, with a number as one of it.
        other.number = 64
        try await second.insert([other])
        await #expect { try await run(fresh) } throws: { "\($0)".contains("another database in --store") }
        let third = try await ColumnStores.settings()
        // And one on a day that the folder does not have.
        other.day = 1
        try await ClickHouseStorage(third).insert([other])
        await #expect { try await run(third) } throws: { "\($0)".contains("the store has 41 events") }
        #expect(!FileManager.default.fileExists(atPath: founder))
        try Data("x".utf8).write(to: URL(fileURLWithPath: data.path + "/kept"))
        try FileManager.default.createDirectory(atPath: data.path + "/unreadable", withIntermediateDirectories: true)
        try Data("x".utf8).write(to: URL(fileURLWithPath: data.path + "/unreadable/2025-11-21.sqlite"))
        await #expect { try await run(fresh) } throws: { "\($0)".contains("doctor --repair") }
        try FileManager.default.removeItem(atPath: data.path + "/unreadable")
        let store = try Store.testing(data)
        try await store.pool.write { try AppliedChange(incarnation: "i", place: 1).write($0) }
        // A workspace has it open.
        await #expect { try await run(fresh) } throws: { "\($0)".contains("another workspace has the data folder") }
        try store.close()
        await #expect { try await run(fresh) } throws: { "\($0)".contains("the folder of a cluster's node") }
    }

    @Test("Requests that wait in the journal are refused, and nothing is moved") func waiting() async throws {
        try await fill()
        let folder = try DataFolder(path: data.path)
        let journal = try IngestJournal(folder: folder, capacity: 1 << 20)
        _ = try await journal.append(
            AcceptedRequest(
                form: .batch, isCompressed: false, source: 1, receivedAt: 1, uploadedAt: nil, body: Array("{}".utf8)))
        journal.close()
        folder.release()
        let settings = try await ColumnStores.settings()
        await #expect { try await run(settings) } throws: { "\($0)".contains("1 requests wait in the journal") }
    }
}
