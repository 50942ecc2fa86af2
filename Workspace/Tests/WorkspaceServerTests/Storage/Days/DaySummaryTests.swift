import Foundation
import GRDB
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Summaries of days") struct DaySummaryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> Store {
        let store = try Store.testing(folder)
        try store.ensureSources(writeKeys: ["WK"], now: 1)
        return store
    }

    private func days(_ store: Store) throws -> SQLiteDays { try #require(store.storage as? SQLiteDays) }

    private func write(_ store: Store, _ events: [IncomingEvent], day: Int64, _ sequence: UInt64) async throws {
        let batch = IncomingBatch(source: 1, receivedAt: StoredEvents.day(day), events: events)
        _ = try await store.write(
            [batch], through: JournalOffset(epoch: 1, sequence: sequence), now: { StoredEvents.noon })
    }

    private func event(_ id: String, userId: String?, day: Int64) -> IncomingEvent {
        StoredEvents.event(
            id, at: StoredEvents.day(day), userId: userId, anonymousId: "device of \(userId ?? "nobody")")
    }

    /// Each day has one user.
    private func fill(_ store: Store, days: Int) async throws {
        for day in 0..<days {
            let events = [event("m-\(day)", userId: "user-\(day)", day: Int64(day))]
            try await write(store, events, day: Int64(day), UInt64(day + 1))
        }
    }

    private func query(_ column: EventQuery.Match.Column, _ value: String) -> EventQuery {
        EventQuery(order: .ascending, matches: [.init(column: column, value: value)])
    }

    private func ids(_ store: Store, userId: String) async throws -> [String] {
        try await store.events(query(.userId, userId)).rows.compactMap { try JSON.parse($0)["messageId"]?.stringValue }
    }

    private func summaryFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path + "/days")
            .filter { $0.contains(".summary") }.sorted()
    }

    private func path(_ day: Int64) -> String {
        "\(folder.path)/days/\(Day(milliseconds: StoredEvents.day(day)))"
    }

    /// Makes the database of a day unusable, also where it is open.
    private func breakDay(_ day: Int64) throws {
        try Data(repeating: 0x5A, count: 8_192).write(to: URL(fileURLWithPath: path(day) + ".sqlite"))
    }

    @Test("A search opens only the days whose summaries may have a match")
    func days() async throws {
        let store = try open()
        let count = Limits.openDays + 3
        try await fill(store, days: count)
        await store.storage.summarize()
        #expect(try summaryFiles().count == count - 1)
        // These days are closed; the next read finds a damaged day and moves it to unreadable.
        for day in 0..<2 { try breakDay(Int64(day)) }
        for column in [EventQuery.Match.Column.type, .name, .userId, .anonymousId] {
            #expect(try await store.events(query(column, "of nobody")).rows.isEmpty)
        }
        #expect(try await ids(store, userId: "user-5") == ["m-5"])
        #expect(try await store.storage.days().count == count)
        #expect(try await ids(store, userId: "user-1").isEmpty)
        #expect(try await store.storage.days().count == count - 1)
        try store.close()
    }

    @Test("A search by summaries finds every value of every event, also unusual values")
    func values() async throws {
        let store = try open()
        let values = [
            "", " ", "\u{0}", "a\u{0}b", "a", "e\u{301}", "é", "日本", String(repeating: "x", count: 1_000), "' OR 1",
        ]
        for day in 0..<3 {
            let events = values.enumerated().map { index, value in
                IncomingEvent(
                    messageId: "m-\(day)-\(index)", type: EventType.allCases[index % EventType.allCases.count],
                    name: value, userId: value + "u", anonymousId: index == 0 ? nil : value,
                    times: EventTimes(
                        originalTimestamp: nil, sentAt: nil, sentAtIsFromUpload: false,
                        receivedAt: StoredEvents.day(Int64(day))),
                    body: Array("{}".utf8))
            }
            try await write(store, events, day: Int64(day), UInt64(day + 1))
        }
        var queries = EventType.allCases.map { query(.type, $0.rawValue) }
        for value in values {
            queries += [query(.name, value), query(.userId, value + "u"), query(.anonymousId, value)]
        }
        var before: [[[UInt8]]] = []
        for query in queries { before.append(try await store.events(query).rows) }
        await store.storage.summarize()
        #expect(try summaryFiles().count == 2)
        for (query, rows) in zip(queries, before) { #expect(try await store.events(query).rows == rows) }
        #expect(before.map(\.count).reduce(0, +) > 90)
        try store.close()
    }

    @Test("A summary of thousands of values hides no value, and seldom reports a missing value")
    func manyValues() async throws {
        let store = try open()
        let users = (0..<5_000).map { "user \($0 * 7_919)" }
        try await write(store, users.enumerated().map { event("m-\($0)", userId: $1, day: 0) }, day: 0, 1)
        try await write(store, [event("n", userId: "n", day: 1)], day: 1, 2)
        await store.storage.summarize()
        let (summaries, day) = (try days(store).summaries, Day(milliseconds: StoredEvents.noon))
        func mayHave(_ user: String) -> Bool { summaries.mayHave([.init(column: .userId, value: user)], on: day) }
        #expect(users.allSatisfy(mayHave))
        #expect((0..<5_000).count { mayHave("stranger \($0)") } < 250)
        // The search uses another column.
        #expect(!users[..<100].allSatisfy { summaries.mayHave([.init(column: .name, value: $0)], on: day) })
        try store.close()
    }

    @Test("A summary with a wrong bit hides no event")
    func damage() async throws {
        let store = try open()
        try await fill(store, days: 2)
        await store.storage.summarize()
        let whole = try Data(contentsOf: URL(fileURLWithPath: path(0) + ".summary"))
        let known = try #require(DaySummary(path: path(0) + ".summary"))
        let present = EventQuery.Match(column: .userId, value: "user-0")
        #expect(known.mayHave([present]) == true)
        #expect(known.mayHave([.init(column: .userId, value: "user-1")]) == false)
        let copy = folder.path + "/copy.summary"
        for bit in 0..<whole.count * 8 {
            var bytes = whole
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            try bytes.write(to: URL(fileURLWithPath: copy))
            // The summary is read as at a start, and as during its use.
            #expect(DaySummary(path: copy)?.mayHave([present]) != false)
            #expect(DaySummary(path: copy, revision: known.revision, blocks: known.blocks).mayHave([present]) != false)
        }
        for count in 0..<whole.count {
            try whole.prefix(count).write(to: URL(fileURLWithPath: copy))
            #expect(DaySummary(path: copy) == nil)
        }
        try store.close()
    }

    @Test("A damaged or missing summary is made again")
    func remaking() async throws {
        var store = try open()
        try await fill(store, days: 3)
        await store.storage.summarize()
        let wholes = try [0, 1].map { try Data(contentsOf: URL(fileURLWithPath: path($0) + ".summary")) }
        try Data("rubbish".utf8).write(to: URL(fileURLWithPath: path(0) + ".summary"))
        try FileManager.default.removeItem(atPath: path(1) + ".summary")
        #expect(try await ids(store, userId: "user-0") == ["m-0"])
        #expect(try await ids(store, userId: "user-1") == ["m-1"])
        await store.storage.summarize()
        for day in [0, 1] {
            #expect(try Data(contentsOf: URL(fileURLWithPath: path(Int64(day)) + ".summary")) == wholes[day])
        }
        try Data("rubbish".utf8).write(to: URL(fileURLWithPath: path(0) + ".summary"))
        try Data("rubbish".utf8).write(to: URL(fileURLWithPath: path(7) + ".summary.partial"))
        try store.close()
        store = try open()
        #expect(try summaryFiles() == ["2025-11-22.summary"])
        await store.storage.summarize()
        #expect(try Data(contentsOf: URL(fileURLWithPath: path(0) + ".summary")) == wholes[0])
        try store.close()
    }

    @Test("A new event in a day with a summary is found, also after a restart with the old summary")
    func additions() async throws {
        var store = try open()
        try await fill(store, days: 2)
        await store.storage.summarize()
        let old = try Data(contentsOf: URL(fileURLWithPath: path(0) + ".summary"))
        // The clock is set back.
        try await write(store, [event("late", userId: "late", day: 0)], day: 0, 9)
        #expect(try await ids(store, userId: "late") == ["late"])
        #expect(try summaryFiles().isEmpty)
        await store.storage.summarize()
        #expect(try await ids(store, userId: "late") == ["late"])
        try store.close()
        // A power cut can bring a deleted file back.
        try old.write(to: URL(fileURLWithPath: path(0) + ".summary"))
        store = try open()
        #expect(try await ids(store, userId: "late") == ["late"])
        #expect(try summaryFiles().isEmpty)
        try store.close()
    }

    @Test("A summary that was begun before a change of its day is discarded")
    func changesMeanwhile() async throws {
        let store = try open()
        try await fill(store, days: 2)
        let (days, day) = (try days(store), Day(milliseconds: StoredEvents.noon))
        let changes = days.summaries.changes(of: day)
        let making = try #require(try await days.making(of: day))
        try await write(store, [event("late", userId: "late", day: 0)], day: 0, 9)
        try days.summaries.take(making, of: day, changes)
        #expect(!days.summaries.has(day))
        #expect(try summaryFiles().isEmpty)
        #expect(try await ids(store, userId: "late") == ["late"])
        try store.close()
    }

    @Test("A later trace does not remove the summary of its day")
    func traces() async throws {
        let store = try open()
        try await fill(store, days: 2)
        await store.storage.summarize()
        var batch = IncomingBatch(source: 1, receivedAt: StoredEvents.day(1))
        batch.traces = [StoredEvents.trace("m-0")]
        _ = try await store.write([batch], through: JournalOffset(epoch: 1, sequence: 9), now: { StoredEvents.noon })
        #expect(try summaryFiles() == ["2025-11-21.summary"])
        #expect(try await ids(store, userId: "user-0") == ["m-0"])
        try store.close()
    }

    @Test("No summary contains data of an erased user")
    func erasure() async throws {
        let store = try open()
        try await fill(store, days: 3)
        try await write(store, [event("other", userId: "other", day: 0)], day: 0, 9)
        await store.storage.summarize()
        let (days, day) = (try days(store), Day(milliseconds: StoredEvents.noon))
        func mayHave(_ user: String) -> Bool { days.summaries.mayHave([.init(column: .userId, value: user)], on: day) }
        #expect(mayHave("user-0") && !mayHave("user-1"))
        #expect(try await store.storage.erase("user-0").events == 1)
        #expect(try summaryFiles() == ["2025-11-22.summary"])
        await store.storage.summarize()
        #expect(!mayHave("user-0") && mayHave("other"))
        #expect(try await ids(store, userId: "other") == ["other"])
        try store.close()
    }

    @Test("The summary of a day is deleted with the day")
    func retention() async throws {
        let store = try open()
        try await fill(store, days: 3)
        await store.storage.summarize()
        try await store.storage.remove(Day(milliseconds: StoredEvents.noon))
        #expect(try summaryFiles() == ["2025-11-22.summary"])
        try store.close()
    }

    @Test("A summary that cannot be written hides no event")
    func fullDisk() async throws {
        let store = try open()
        try await fill(store, days: 2)
        // A folder has the name of the summary, so the summary cannot be written.
        let place = path(0) + ".summary.partial"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        await store.storage.summarize()
        #expect(try await ids(store, userId: "user-0") == ["m-0"])
        try FileManager.default.removeItem(atPath: place)
        await store.storage.summarize()
        #expect(try summaryFiles() == ["2025-11-21.summary"])
        try store.close()
    }
}
