import Foundation
import GRDB
import Logging
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Retention") struct RetentionTests {
    private let day = Day(number: 20_000)

    @Test("The name of a day is its date in the calendar")
    func dayNames() {
        #expect(day.description == "2024-10-04")
        #expect(Day("2024-10-04") == day)
        #expect(Day("2024-10-4") == nil)
        #expect(Day("2024-02-30") == nil)
        #expect(Day(milliseconds: day.start - 1) == day.advanced(by: -1))
        #expect(Day(milliseconds: .max).description == "9999-12-31")
        #expect(Day(milliseconds: .min).description == "0000-01-01")
    }

    @Test("Retention follows a clock that goes back at once, and a clock that leaps ahead by the days that are there")
    func clocks() {
        func today(_ clock: Int64, _ before: Int64?, lasting: Bool = false, due: [Int64] = []) -> Int64 {
            Retention.today(
                day.advanced(by: clock), before: before.map(day.advanced(by:)), isLasting: lasting,
                due: due.map(day.advanced(by:))
            ).number - day.number
        }
        #expect(today(0, nil) == 0)
        #expect(today(0, 0) == 0)
        #expect(today(1, 0) == 1)
        #expect(today(-500, 0) == -500)
        #expect(today(500, 0) == 0)
        #expect(today(500, 0, lasting: true, due: [2, 1, 3]) == 1)
        #expect(today(500, 1, lasting: true, due: [2, 1, 3]) == 2)
        // Nothing goes on the days between, or after the clock.
        #expect(today(500, 0, lasting: true, due: [400]) == 400)
        #expect(today(500, 0, lasting: true, due: [600, -1]) == 500)
        #expect(today(500, 0, lasting: true) == 500)
    }

    @Test("Messages are remembered for seven days or longer")
    func rememberedMessages() {
        #expect(Retention(days: nil).firstKept(day) == nil)
        #expect(Retention(days: nil).firstRemembered(day) == nil)
        #expect(Retention(days: 3).firstKept(day) == day.advanced(by: -3))
        #expect(Retention(days: 3).firstRemembered(day) == day.advanced(by: -7))
        #expect(Retention(days: 30).firstRemembered(day) == day.advanced(by: -30))
    }

    private func filled(_ folder: TemporaryFolder, days: ClosedRange<Int64>) async throws -> Store {
        let store = try Store.testing(folder)
        try store.ensureSources(writeKeys: ["WK"], now: 1)
        let batches = days.map { StoredEvents.batch(["m\($0)"], at: StoredEvents.day($0)) }
        _ = try await store.write(batches, through: JournalOffset(epoch: 1, sequence: 1), now: { 1 })
        return store
    }

    @Test("Retention deletes the files of old days")
    func oldDays() async throws {
        let folder = try TemporaryFolder()
        let store = try await filled(folder, days: -5...0)
        let today = Day(milliseconds: StoredEvents.noon)
        #expect(try await store.sweep(today, Retention(days: nil), isLasting: false).removed.isEmpty)
        let swept = try await store.sweep(today, Retention(days: 2), isLasting: false, isConfirmed: true)
        #expect(swept.removed == [-5, -4, -3].map(today.advanced(by:)))
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/days")
        #expect(!files.contains { $0.hasPrefix("2025-11-18") })
        #expect(files.contains { $0.hasPrefix("2025-11-19") })
        #expect(try await store.events(EventQuery()).rows.count == 3)
        #expect(try await store.event(messageId: "m-5") == nil)
    }

    @Test("A clock that leaps ahead deletes one day an hour, and no day after the clock is right")
    func leapingClock() async throws {
        let store = try await filled(TemporaryFolder(), days: -5...0)
        let today = Day(milliseconds: StoredEvents.noon)
        let wrong = today.advanced(by: 27_000)
        let retention = Retention(days: 5)
        _ = try await store.sweep(today, retention, isLasting: false)
        let leap = try await store.sweep(wrong, retention, isLasting: false)
        #expect(leap == Store.Swept(today: today, clock: .ahead, removed: []))
        let hourLater = try await store.sweep(wrong, retention, isLasting: true)
        #expect(hourLater.removed == [today.advanced(by: -5)])
        let mended = try await store.sweep(today, retention, isLasting: true)
        #expect(mended == Store.Swept(today: today, clock: .steady, removed: []))
        // A clock that is far behind deletes no day either.
        #expect(try await store.sweep(today.advanced(by: -9_000), retention, isLasting: true).removed.isEmpty)
        #expect(try await store.events(EventQuery()).rows.count == 5)
    }

    // MARK: A shorter retention

    private var today: Day { Day(milliseconds: StoredEvents.noon) }

    @Test(
        "A retention that is shorter than before waits until the day after tomorrow, and says what it is going to delete"
    )
    func shorter() async throws {
        let store = try await filled(TemporaryFolder(), days: -5...0)
        _ = try await store.sweep(today, Retention(days: 90), isLasting: false)
        let first = try await store.sweep(today, Retention(days: 1), isLasting: false)
        #expect(first.removed == [])
        let danger = try #require(try await store.endangeredDays())
        #expect(danger.days == [-5, -4, -3, -2, -1, 0].map(today.advanced(by:)))
        #expect(danger.wanted == 1)
        #expect(danger.kept == 90)
        #expect(danger.events == 6)
        #expect(danger.from == today.advanced(by: 2))
        // The next hours and the next day change nothing.
        for day in [0, 1, 1] as [Int64] {
            let later = try await store.sweep(today.advanced(by: day), Retention(days: 1), isLasting: false)
            #expect(later.removed == [] && later.shorter == first.shorter)
        }
        let then = try await store.sweep(today.advanced(by: 2), Retention(days: 1), isLasting: false)
        #expect(then.removed == danger.days)
        #expect(then.shorter == nil)
        #expect(try await store.endangeredDays() == nil)
    }

    @Test("The earlier retention undoes a shorter one; a third one waits anew")
    func undone() async throws {
        let store = try await filled(TemporaryFolder(), days: -5...0)
        for (day, days) in [(0, nil), (0, 2), (1, nil), (2, nil), (2, 2), (3, 1), (4, 1)] as [(Int64, Int?)] {
            let swept = try await store.sweep(today.advanced(by: day), Retention(days: days), isLasting: false)
            #expect(swept.removed == [], "\(day)")
        }
        #expect(try await store.sweep(today.advanced(by: 5), Retention(days: 1), isLasting: false).removed.count == 6)
    }

    @Test("A shorter retention that deletes no day, and one that is confirmed, come into effect at once")
    func atOnce() async throws {
        let store = try await filled(TemporaryFolder(), days: -5...0)
        _ = try await store.sweep(today, Retention(days: 90), isLasting: false)
        #expect(try await store.sweep(today, Retention(days: 5), isLasting: false).shorter == nil)
        let next = try await store.sweep(today.advanced(by: 1), Retention(days: 5), isLasting: false)
        #expect(next.removed == [today.advanced(by: -5)])
        let confirmed = try await store.sweep(
            today.advanced(by: 1), Retention(days: 1), isLasting: false, isConfirmed: true)
        #expect(confirmed.removed.count == 4)
        #expect(confirmed.shorter == nil)
    }

    @Test("Days that were due while the server was off do not wait")
    func downtime() async throws {
        let store = try await filled(TemporaryFolder(), days: -5...0)
        _ = try await store.sweep(today, Retention(days: 5), isLasting: false)
        _ = try await store.sweep(today.advanced(by: 4), Retention(days: 5), isLasting: false)
        let back = try await store.sweep(today.advanced(by: 4), Retention(days: 5), isLasting: true)
        #expect(back.shorter == nil)
        #expect(back.removed == [today.advanced(by: -5)])
    }

    @Test("A workspace of an earlier version keeps what its last look kept")
    func unnoted() async throws {
        let store = try await filled(TemporaryFolder(), days: -5...0)
        _ = try await store.sweep(today, Retention(days: 90), isLasting: false)
        try await store.pool.write { try $0.execute(sql: "DELETE FROM retention") }
        let swept = try await store.sweep(today, Retention(days: 2), isLasting: false)
        #expect(swept.removed == [])
        #expect(try await store.endangeredDays()?.kept == 5)
        // With a number that keeps as much as before, nothing waits.
        try await store.pool.write { try $0.execute(sql: "DELETE FROM retention") }
        #expect(try await store.sweep(today, Retention(days: 5), isLasting: false).shorter == nil)
    }

    @Test("A start with a shorter retention keeps the days, and the state of the server says which")
    func start() async throws {
        let folder = try TemporaryFolder()
        let store = try await filled(folder, days: -5...0)
        _ = try await store.sweep(today, Retention(days: nil), isLasting: false)
        try store.close()
        var environment = WorkspaceEnvironment.testing
        environment.now = { StoredEvents.noon }
        for (isConfirmed, count) in [(false, 6), (true, 3)] {
            try await TestWorkspace.run(
                in: folder, environment: environment, retainDays: 2, confirmsRetention: isConfirmed
            ) { workspace async throws in
                let client = workspace.client
                func danger() async throws -> JSON? { try await client.get("/api/server").json["endangeredDays"] }
                func isBeforeTheFirstLook() async throws -> Bool {
                    if isConfirmed { return try await client.events().count > count }
                    return try await danger() == .null
                }
                while try await isBeforeTheFirstLook() {}
                #expect(try await client.events().count == count)
                let expected: JSON = [
                    "retainDays": 2, "keptBy": 0, "days": 5, "first": "2025-11-16", "last": "2025-11-20",
                    "events": 5, "from": "2025-11-23",
                ]
                #expect(try await danger() == (isConfirmed ? .null : expected))
            }
        }
    }

    @Test("The log names the days that a shorter retention is going to delete, and how to keep them")
    func log() {
        let lines = LogLines()
        let days = EndangeredDays(
            wanted: 2, kept: nil, days: [-5, -4].map(today.advanced(by:)), events: 7, from: today.advanced(by: 2))
        lines.logger.warning("\(days.warning)", metadata: days.metadata)
        for text in [
            "--retain-days 2 deletes days that were kept until now", "begins on 2025-11-23 (UTC) and cannot be undone",
            "start with --retain-days 0 before", "--confirm-retain-days 2", "days=2", "events=7", "first=2025-11-16",
            "last=2025-11-17",
        ] { #expect(lines.all.first?.contains(text) == true, "\(lines.all)") }
    }
}
