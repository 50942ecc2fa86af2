import Foundation
import GRDB
import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The index of messages") struct MessageIndexTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
    }

    private func open() throws -> Store {
        let store = try Store.testing(folder)
        try store.ensureSources(writeKeys: ["WK", "OTHER"], now: 1)
        return store
    }

    /// - Returns: how many of the events were new.
    private func write(
        _ store: Store, _ ids: [String], day: Int64 = 0, source: Int64 = 1, _ sequence: UInt64
    ) async throws -> Int {
        let batch = StoredEvents.batch(ids, at: StoredEvents.day(day), source: source)
        let place = JournalOffset(epoch: 1, sequence: sequence)
        return try await store.write([batch], through: place, now: { StoredEvents.noon })[0].stored
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path + "/messages").sorted()
    }

    private func ids(_ range: Range<Int>) -> [String] { range.map { "m-\($0)" } }

    /// Fills some days, each with files and with messages that are in no file yet.
    private func fill(_ store: Store) async throws {
        var sequence: UInt64 = 0
        for day in 0..<3 {
            for part in 0..<3 {
                sequence += 1
                let first = 100 * day + 30 * part
                #expect(try await write(store, ids(first..<first + 30), day: Int64(day), sequence) == 30)
                if part < 2 { try store.messages.moveToFiles(store.pool, atLeast: 1) }
            }
        }
    }

    private let all = [0..<90, 100..<190, 200..<290]

    @Test("Each source recognises its repeated messages in memory, in files, in merged files and after a restart")
    func repeats() async throws {
        var store = try open()
        try await fill(store)
        #expect(try files().count == 8)
        for range in all { #expect(try await write(store, ids(range), day: 5, 20) == 0) }
        #expect(try await store.event(messageId: "m-101") != nil)
        while try store.messages.mergeOnce(store.pool) {}
        #expect(try files().count == 4)
        for range in all { #expect(try await write(store, ids(range), day: 5, 21) == 0) }
        try store.close()
        store = try open()
        for range in all { #expect(try await write(store, ids(range), day: 5, 22) == 0) }
        #expect(try await write(store, ids(0..<1), day: 5, source: 2, 23) == 1)
        #expect(try await write(store, ids(90..<100), day: 5, 24) == 10)
        #expect(try await store.event(messageId: "m-289") != nil)
        #expect(try await store.event(messageId: "none") == nil)
        try store.close()
        #expect(!DataDoctor(examining: folder.path).hasProblems)
    }

    @Test("The files of a forgotten day are deleted, and the files of other days stay")
    func forgottenDay() async throws {
        let store = try open()
        try await fill(store)
        try await store.messages.forget(before: Day(milliseconds: StoredEvents.day(1)), in: store.pool)
        #expect(try files().count == 5)
        #expect(try await write(store, ids(100..<190), day: 5, 20) == 0)
        #expect(try await write(store, ids(0..<90), day: 5, 21) == 90)
    }

    @Test("Messages of a reset source are new once, also when files are merged before or after the reset")
    func reset() async throws {
        let store = try open()
        try await fill(store)
        #expect(try await write(store, ids(0..<30), source: 2, 20) == 30)
        try store.messages.moveToFiles(store.pool, atLeast: 1)
        #expect(try await store.deleteEvents(writeKey: "WK", now: 1) == 270)
        #expect(try await write(store, ids(0..<10), 21) == 10)
        #expect(try await write(store, ids(0..<10), 22) == 0)
        try store.messages.moveToFiles(store.pool, atLeast: 1)
        while try store.messages.mergeOnce(store.pool) {}
        #expect(try await write(store, ids(0..<20), 23) == 10)
        #expect(try await write(store, ids(0..<30), source: 2, 24) == 0)
        try store.close()
        #expect(!DataDoctor(examining: folder.path).hasProblems)
    }

    @Test("Files that a crash left are deleted at the next start, and nothing is missing")
    func crash() async throws {
        var store = try open()
        try await fill(store)
        // The crash comes after the file is written and before the database names the file.
        try await store.pool.write { db in
            try db.execute(
                sql: "CREATE TRIGGER death BEFORE INSERT ON messageFile BEGIN SELECT RAISE(ABORT, 'death'); END")
        }
        let before = try files()
        #expect(throws: DatabaseError.self) { try store.messages.moveToFiles(store.pool, atLeast: 1) }
        #expect(try await write(store, ids(260..<290), day: 5, 20) == 0)
        #expect(try files() == before)
        try await store.pool.write { db in try db.execute(sql: "DROP TRIGGER death") }
        try store.close()
        for name in ["99.ids", "100.ids.partial"] {
            try Data([1]).write(to: URL(fileURLWithPath: folder.path + "/messages/" + name))
        }
        store = try open()
        #expect(try files() == before)
        for range in all { #expect(try await write(store, ids(range), day: 5, 21) == 0) }
    }

    @Test("A missing or damaged file stops the start, and a repair makes the index from the days")
    func damagedFile() async throws {
        var store = try open()
        try await fill(store)
        try store.close()
        let names = try files()
        try FileManager.default.removeItem(atPath: folder.path + "/messages/" + names[0])
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: folder.path + "/messages/" + names[3]))
        #expect {
            _ = try open()
        } throws: { "\($0)".contains("`tributary doctor --repair") }
        #expect(DataDoctor(examining: folder.path).hasProblems)
        #expect(!DataDoctor(examining: folder.path, repairing: true).hasProblems)
        #expect(!DataDoctor(examining: folder.path).hasProblems)
        store = try open()
        for range in all { #expect(try await write(store, ids(range), day: 5, 20) == 0) }
    }
}
