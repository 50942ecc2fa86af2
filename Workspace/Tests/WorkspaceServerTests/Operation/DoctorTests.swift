import Foundation
import GRDB
import Synchronization
import Testing
import TributaryJSON
import TributaryJournal

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The doctor", .timeLimit(.minutes(30))) struct DoctorTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.path + "/" + name }

    /// Makes a folder with three days of events, and closes it.
    private func fill(events: Int = 300) async throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        let data = try DataFolder(path: folder.path)
        let store = try Store.testing(data)
        try store.ensureSources(writeKeys: ["WK"], now: 1)
        try store.setAdminToken(Data([1]), now: 1)
        let journal = try IngestJournal(folder: data, capacity: 1 << 20)
        for day in 0..<3 as Range<Int64> {
            let ids = (0..<events).map { "m-\(day)-\($0)" }
            let place = JournalOffset(epoch: journal.journal.epoch, sequence: UInt64(day + 1))
            try await journal.append(
                AcceptedRequest(
                    form: .batch, isCompressed: false, source: 1, receivedAt: StoredEvents.day(day), uploadedAt: nil,
                    body: Array(#"{"batch":[]}"#.utf8)))
            _ = try await store.write(
                [StoredEvents.batch(ids, at: StoredEvents.day(day))], through: place, now: { 1 })
        }
        try journal.journal.removeThrough(3)
        journal.close()
        try store.close()
    }

    private func texts(_ doctor: DataDoctor, _ kind: DataDoctor.Finding.Kind) -> [String] {
        doctor.findings.filter { $0.kind == kind }.map(\.description)
    }

    /// Overwrites pages of a file from the given page on.
    private func damage(_ name: String, fromPage page: UInt64, pages: UInt64 = .max) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path(name)))
        let size = try file.seekToEnd() / 4_096
        for page in page..<min(size, page &+ min(pages, size)) {
            try file.seek(toOffset: page * 4_096)
            try file.write(contentsOf: Data(repeating: 0xA5, count: 4_096))
        }
        try file.close()
    }

    /// All files and their sizes, without the files that a read of a database makes.
    private func files() throws -> [String: Int] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        let kept = names.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
        return Dictionary(
            uniqueKeysWithValues: kept.map { ($0, FileManager.default.contents(atPath: path($0))?.count ?? 0) })
    }

    /// The events that the catalogs of all days count.
    private func counted() async throws -> Int {
        let store = try Store(folder: DataFolder(path: folder.path))
        defer { try? store.close() }
        let days = Day(milliseconds: StoredEvents.day(0))...Day(milliseconds: StoredEvents.day(2))
        return Int(try await store.storage.nameCounts(of: 1, on: days, plan: .none).reduce(0) { $0 + $1.count })
    }

    private func events() async throws -> Int {
        let store = try Store(folder: DataFolder(path: folder.path))
        defer { try? store.close() }
        return try await store.events(EventQuery(limit: 10_000)).rows.count
    }

    @Test("The doctor does not report erased messages as missing, but reports lost messages")
    func erased() async throws {
        try await fill()
        let day = "days/\(Day(milliseconds: StoredEvents.day(1))).sqlite"
        try await change(day) { db in
            try db.execute(
                sql: "UPDATE event SET userId = ?, body = ? WHERE messageId IN ('m-1-0', 'm-1-1')",
                arguments: ["erased", Data(#"{"userId":"erased"}"#.utf8)])
        }
        let store = try Store(folder: DataFolder(path: folder.path))
        #expect(try await store.storage.erase("erased").events == 2)
        try store.close()
        #expect(try await events() == 898)
        #expect(texts(DataDoctor(examining: folder.path), .problem) == [])

        try await change(day) { try $0.execute(sql: "DELETE FROM event WHERE messageId = 'm-1-2'") }
        let problems = texts(DataDoctor(examining: folder.path), .problem)
        #expect(problems.contains { $0.contains("1 messages that were stored are in no day any more (2025-11-22)") })
    }

    private func remove(day: Int64) throws {
        for suffix in ["", "-wal", "-shm"] {
            let file = path("days/\(Day(milliseconds: StoredEvents.day(day))).sqlite\(suffix)")
            guard FileManager.default.fileExists(atPath: file) else { continue }
            try FileManager.default.removeItem(atPath: file)
        }
    }

    @Test(
        "The doctor names days that are gone and were not deleted on purpose, whatever days are left",
        arguments: [[0], [1], [2], [0, 1], [0, 1, 2]] as [[Int64]])
    func goneDays(_ gone: [Int64]) async throws {
        try await fill()
        for day in gone { try remove(day: day) }
        let names = gone.map { "\(Day(milliseconds: StoredEvents.day($0)))" }.joined(separator: ", ")
        let problems = texts(DataDoctor(examining: folder.path), .problem)
        #expect(
            problems.contains {
                $0.hasPrefix("\(gone.count * 300) messages that were stored are in no day any more (\(names))")
            }, "\(problems)")
        let quick = texts(DataDoctor(examining: folder.path, quick: true), .problem)
        #expect(quick.contains { $0.contains("they are gone (\(names))") }, "\(quick)")
        #expect(try await CommandRun.finish(["doctor", folder.path]).status == 1)

        let repair = DataDoctor(examining: folder.path, repairing: true)
        #expect(repair.hasLosses)
        #expect(texts(DataDoctor(examining: folder.path), .problem) == [])
        // A loss that is noted does not hide the next one.
        guard let rest = (0..<3).first(where: { !gone.contains($0) }) else { return }
        try remove(day: rest)
        #expect(
            texts(DataDoctor(examining: folder.path), .problem).contains {
                $0.hasPrefix("300 messages that were stored are in no day any more")
            })
    }

    @Test("Days that the retention deleted are not missing, and a day that was put back is not lost any more")
    func deletedDays() async throws {
        try await fill()
        let store = try Store(folder: DataFolder(path: folder.path))
        let today = Day(milliseconds: StoredEvents.day(2))
        #expect(try await store.sweep(today, Retention(days: 1), isLasting: false).removed == [today.advanced(by: -2)])
        try store.close()
        #expect(texts(DataDoctor(examining: folder.path), .problem) == [])

        let file = path("days/\(today).sqlite")
        try FileManager.default.moveItem(atPath: file, toPath: path("away"))
        #expect(DataDoctor(examining: folder.path, repairing: true).hasLosses)
        try FileManager.default.moveItem(atPath: path("away"), toPath: file)
        try Store(folder: DataFolder(path: folder.path)).close()
        #expect(texts(DataDoctor(examining: folder.path), .problem) == [])
        try remove(day: 2)
        #expect(
            texts(DataDoctor(examining: folder.path), .problem).contains {
                $0.hasPrefix("300 messages that were stored are in no day any more (\(today))")
            })
    }

    @Test("A start names the days that are missing")
    func startWithoutDays() async throws {
        try await fill()
        try remove(day: 0)
        let log = LogLines()
        try Store(folder: DataFolder(path: folder.path), logger: log.logger).close()
        #expect(
            log.all.contains { $0.contains("days of events are missing") && $0.contains("2025-11-21") },
            "\(log.all)")
        try await TestWorkspace.run(in: folder) { workspace async throws in
            let server = try await workspace.client.get("/api/server").json
            #expect(server["missingDays"] == ["2025-11-21"])
        }
    }

    @Test("A backup names the days that it lacks")
    func backupWithoutDays() async throws {
        try await fill()
        try remove(day: 0)
        let outcome = try await CommandRun.finish(["backup", folder.path, path("backup")])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("2025-11-21"), "\(outcome)")
        // A restored folder lacks them as well.
        let restored = try WorkspaceBackup.restore(path("backup"), to: path("restored"))
        #expect(restored.days == 2)
        #expect(DataDoctor(examining: path("restored")).hasProblems)
    }

    @Test("A repair of a lost workspace database counts the figures again")
    func figures() async throws {
        try await fill()
        func figures() async throws -> Statistics {
            let store = try Store(folder: DataFolder(path: folder.path))
            defer { try? store.close() }
            return try await store.statistics(writeKey: "WK")
        }
        let before = try await figures()
        #expect(before.stored == 900)
        try FileManager.default.removeItem(atPath: path("workspace.sqlite"))
        let repair = DataDoctor(examining: folder.path, repairing: true)
        #expect(texts(repair, .mended).contains { $0.hasPrefix("the figures of 1 sources") }, "\(repair.findings)")
        #expect(texts(DataDoctor(examining: folder.path), .problem) == [])
        let after = try await figures()
        #expect(after.stored == before.stored)
        #expect(after.byType == before.byType)
        #expect(after.rejected == before.rejected)
        let store = try Store(folder: DataFolder(path: folder.path))
        #expect(try store.received(on: Day(milliseconds: StoredEvents.day(2)).number).values.first == 300)
        try store.close()
    }

    private func change(_ file: String, _ body: @escaping @Sendable (Database) throws -> Void) async throws {
        let queue = try DatabaseQueue(path: path(file))
        try await queue.write(body)
        try queue.close()
    }

    @Test func aSoundFolderHasNoProblems() async throws {
        try await fill()
        let before = try files()
        let doctor = DataDoctor(examining: folder.path)
        #expect(!doctor.hasProblems, "\(doctor.findings)")
        #expect(texts(doctor, .fine).contains("3 of 3 days are sound"))
        #expect(texts(doctor, .fine).contains("every stored message is known, so none is taken twice"))
        #expect(try files() == before)
        #expect(try await events() == 900)
    }

    @Test("The doctor reports a path that is no data folder")
    func noFolder() throws {
        #expect(texts(DataDoctor(examining: path("none")), .problem) == ["\(path("none")) is no folder"])
        #expect(DataDoctor(examining: folder.path).hasProblems)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test("A repair saves the readable rows of a damaged day")
    func damagedDay() async throws {
        try await fill()
        let name = "days/2025-11-22.sqlite"
        let size = try #require(FileManager.default.contents(atPath: path(name))?.count)
        let pages = UInt64(size / 4_096)
        try damage(name, fromPage: pages / 2, pages: 3)
        let found = DataDoctor(examining: folder.path)
        #expect(texts(found, .problem).contains { $0.hasPrefix("the day 2025-11-22 is damaged") }, "\(found.findings)")
        #expect(FileManager.default.contents(atPath: path(name))?.count == size)

        let mended = DataDoctor(examining: folder.path, repairing: true)
        #expect(!mended.hasProblems, "\(mended.findings)")
        #expect(texts(mended, .mended).contains { $0.hasPrefix("the day 2025-11-22 is damaged") })
        #expect(FileManager.default.fileExists(atPath: path("unreadable/2025-11-22.sqlite.saved")))
        #expect(!DataDoctor(examining: folder.path).hasProblems)
        let count = try await events()
        #expect(count > 600)
        #expect(try await counted() == count)
    }

    @Test("A repair of a destroyed day keeps the events of the other days")
    func destroyedDay() async throws {
        try await fill(events: 10)
        try damage("days/2025-11-22.sqlite", fromPage: 0)
        let mended = DataDoctor(examining: folder.path, repairing: true)
        #expect(!mended.hasProblems, "\(mended.findings)")
        #expect(try await events() == 20)
    }

    /// A full disk is no damage of the old file: the doctor must not report that all rows were saved.
    @Test("A repair that cannot write rows fails with an error")
    func fullDisk() async throws {
        try await fill()
        let full = try DatabaseQueue()
        try await full.writeWithoutTransaction { new in
            try DaySchema.prepare(new)
            try new.execute(sql: "PRAGMA max_page_count = \(try Int.fetchOne(new, sql: "PRAGMA page_count") ?? 0)")
        }
        let day = path("days/2025-11-22.sqlite")
        await #expect(throws: DatabaseError.self) {
            try await full.write { new in
                var salvage = try Salvage(into: new)
                _ = try salvage.copy(["event"], from: SQLitePages(path: day))
            }
        }
    }

    @Test("The doctor reports a folder of days that cannot be listed")
    func unlistedDays() async throws {
        try await fill(events: 1)
        try FileManager.default.moveItem(atPath: path("days"), toPath: path("elsewhere"))
        try Data().write(to: URL(fileURLWithPath: path("days")))
        #expect(texts(DataDoctor(examining: folder.path), .problem).contains { $0.contains("/days cannot be read") })
    }

    @Test("A repair saves a damaged workspace database and rebuilds the index of messages")
    func damagedDatabase() async throws {
        try await fill()
        let rules: JSON = [["name": "first", "destinationName": "A"]]
        let before = try Store(folder: DataFolder(path: folder.path))
        let registry = try SourceRegistry(store: before, now: { 1 })
        _ = try await registry.deployFilters(rules, to: "WK")
        _ = try await registry.deployFilters([], plan: RolloutPlan(stages: [5, 100], hold: 0), to: "WK")
        try before.close()
        // The table of the newest messages is by far the largest, so the damage hits this table.
        let size = try #require(FileManager.default.contents(atPath: path("workspace.sqlite"))?.count)
        try damage("workspace.sqlite", fromPage: UInt64(size / 4_096) - 4)
        #expect(DataDoctor(examining: folder.path).hasProblems)
        let mended = DataDoctor(examining: folder.path, repairing: true)
        #expect(!mended.hasProblems, "\(mended.findings)")
        let store = try Store(folder: DataFolder(path: folder.path))
        let sources = try store.sources()
        #expect(sources.map(\.writeKey) == ["WK"])
        #expect(sources.first?.filters == rules)
        let rollout = try await store.rollout(.filters, of: try #require(sources.first?.id))
        #expect(rollout?.isOpen == true)
        #expect(rollout?.plan.stages == [5, 100])
        #expect(try store.adminToken() == Data([1]))
        let receipts = try await store.write(
            [StoredEvents.batch(["m-0-0", "m-2-299", "new"], at: StoredEvents.day(2))],
            through: JournalOffset(epoch: 1, sequence: 9), now: { 1 })
        #expect(receipts == [Receipt(stored: 1, duplicates: 2)])
        try store.close()
    }

    @Test("A repair brings an older workspace database up to date with newer days")
    func olderDatabase() async throws {
        try await fill(events: 5)
        let queue = try DatabaseQueue(path: path("workspace.sqlite"))
        try await queue.write { db in
            try db.execute(sql: "UPDATE indexed SET sequence = 1")
            try db.execute(sql: "UPDATE position SET stream = 5")
            try db.execute(sql: "UPDATE counter SET value = 5")
            try db.execute(
                sql: "DELETE FROM recentMessages WHERE day > ?",
                arguments: [Day(milliseconds: StoredEvents.noon).number])
        }
        try queue.close()
        let doctor = DataDoctor(examining: folder.path)
        #expect(
            texts(doctor, .problem).contains { $0.hasPrefix("10 stored messages are not known") }, "\(doctor.findings)")
        #expect(!DataDoctor(examining: folder.path, repairing: true).hasProblems)
        #expect(!DataDoctor(examining: folder.path).hasProblems)
    }

    @Test("The doctor reports a torn end of the journal, and a repair cuts the end off")
    func tornJournal() async throws {
        try await fill(events: 1)
        let segment = try #require(
            try FileManager.default.contentsOfDirectory(atPath: path("journal")).filter { $0.hasSuffix(".tjl") }
                .filter { !$0.hasPrefix("spare") }.max())
        let data = try DataFolder(path: folder.path)
        let journal = try IngestJournal(folder: data, capacity: 1 << 20)
        try await journal.journal.appendDurably([UInt8](repeating: 7, count: 500))
        journal.close()
        data.release()
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path("journal/" + segment)))
        let size = try file.seekToEnd() - 100
        try file.truncate(atOffset: size)
        try file.close()
        let doctor = DataDoctor(examining: folder.path)
        #expect(texts(doctor, .note).contains { $0.contains("no whole request") }, "\(doctor.findings)")
        #expect(FileManager.default.contents(atPath: path("journal/" + segment))?.count == Int(size))
        _ = DataDoctor(examining: folder.path, repairing: true)
        #expect(!texts(DataDoctor(examining: folder.path), .note).contains { $0.contains("no whole request") })
    }

    @Test("A repair closes the data folder to other users")
    func folderMode() async throws {
        try await fill(events: 1)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        #expect(texts(DataDoctor(examining: folder.path), .problem).contains { $0.contains("other users") })
        #expect(!DataDoctor(examining: folder.path, repairing: true).hasProblems)
        #expect(!DataDoctor(examining: folder.path).hasProblems)
    }

    @Test("The doctor reports a data folder of a newer format, and a repair leaves that folder as it is")
    func newerFolder() async throws {
        try await fill(events: 1)
        let queue = try DatabaseQueue(path: path("workspace.sqlite"))
        try await queue.write { db in try db.execute(sql: "PRAGMA user_version = \(Schema.version + 1)") }
        try queue.close()
        let before = try FolderBytes(folder.path)
        let doctor = DataDoctor(examining: folder.path, repairing: true)
        #expect(texts(doctor, .problem).contains { $0.contains("format \(Schema.version + 1)") })
        #expect(try FolderBytes(folder.path) == before)
    }

    @Test("A repair moves a log without a database to unreadable")
    func orphanedLog() async throws {
        try await fill(events: 1)
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path("days/2025-12-01.sqlite-wal")))
        #expect(texts(DataDoctor(examining: folder.path), .problem).contains { $0.contains("2025-12-01") })
        #expect(!DataDoctor(examining: folder.path, repairing: true).hasProblems)
        #expect(FileManager.default.fileExists(atPath: path("unreadable/2025-12-01.sqlite-wal")))
    }

    @Test("The doctor only examines the folder of a running workspace")
    func running() async throws {
        try await TestWorkspace.run(in: folder) { workspace async throws in
            try await workspace.client.batch([Events.track(messageId: "m")])
            _ = try await workspace.client.events()
            let outcome = try await CommandRun.finish(["doctor", folder.path, "--repair"])
            #expect(outcome.output.contains("note: a workspace runs in the folder, so it is only looked at\n"))
            #expect(outcome.output.contains("fine: 1 of 1 days are sound\n"))
            #expect(try await workspace.client.events().count == 1)
        }
    }

    @Test("The doctor command ends with status 1 when it finds a problem")
    func exitStatus() async throws {
        let outcome = try await CommandRun.finish(["doctor", folder.path])
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("is no data folder"))
    }

    @Test("The doctor reports in order how many days are read, and which day is damaged")
    func progress() async throws {
        try await fill()
        try damage("days/2025-11-22.sqlite", fromPage: 0)
        let steps = Mutex<[String]>([])
        let doctor = DataDoctor(examining: folder.path) { step in steps.withLock { $0.append(step) } }
        let texts = steps.withLock { $0 }
        #expect(texts.filter { $0.hasSuffix("are read") } == (1...3).map { "\($0) of 3 days are read" })
        #expect(texts.contains("the messages of 3 of 3 days are compared"))
        #expect(self.texts(doctor, .problem).contains { $0.hasPrefix("the day 2025-11-22 is damaged") })
        #expect(self.texts(doctor, .fine).contains("2 of 3 days are sound"))
    }

    @Test(
        "A quick examination finds files that cannot be opened, but no damaged pages")
    func quick() async throws {
        try await fill()
        #expect(!DataDoctor(examining: folder.path, quick: true).hasProblems)
        let name = "days/2025-11-22.sqlite"
        let size = try #require(FileManager.default.contents(atPath: path(name))?.count)
        try damage(name, fromPage: UInt64(size / 4_096 / 2), pages: 3)
        #expect(!DataDoctor(examining: folder.path, quick: true).hasProblems)
        #expect(DataDoctor(examining: folder.path).hasProblems)
        try damage(name, fromPage: 0)
        #expect(DataDoctor(examining: folder.path, quick: true).hasProblems)
        let outcome = try await CommandRun.finish(["doctor", folder.path, "--quick"])
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("problem: the day 2025-11-22 is damaged"))
    }
}
