import Foundation
import GRDB
import Testing

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
        let swept = try await store.sweep(today, Retention(days: 2), isLasting: false)
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
}
