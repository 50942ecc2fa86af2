import Foundation
import GRDB
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// SQLite silently drops the log behind a damage, and silently takes an empty file for a new database.
@Suite("A start with damaged files", .timeLimit(.minutes(30))) struct DamagedStartTests {
    private let folder: TemporaryFolder
    private let killed: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        killed = try TemporaryFolder()
    }

    private func path(_ name: String) -> String { killed.path + "/" + name }
    private var database: String { path("workspace.sqlite") }

    private func day() throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: path("days"))
        return path("days/" + (try #require(names.first { $0.hasSuffix(".sqlite") })))
    }

    /// Makes the folder of a killed server, with its logs. The server committed the names of twenty sources and twenty
    /// events one by one.
    private func kill() async throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: killed.path)
        try await TestWorkspace.run(in: folder) { workspace async throws in
            for number in 0..<20 {
                try await workspace.client.batch([Events.track(messageId: "m-\(number)")])
                #expect(try await workspace.client.events().count == number + 1)
                let path = "/api/sources/K\(number)"
                #expect(try await workspace.client.put(path, #"{"name":"Name \#(number)"}"#).status == 201)
            }
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name != "lock" {
                try FileManager.default.copyItem(atPath: folder.path + "/" + name, toPath: path(name))
            }
        }
    }

    private func flipBit(inLogOf database: String, frame: Int) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: database + "-wal"))
        let place = UInt64(32 + (frame * (24 + SQLitePages.pageSize)) + 1_000)
        try file.seek(toOffset: place)
        let byte = try #require(try file.read(upToCount: 1)?.first)
        try file.seek(toOffset: place)
        try file.write(contentsOf: Data([byte ^ 4]))
        try file.close()
    }

    private func start() async throws -> [JSON] {
        try await TestWorkspace.run(in: killed, writeKeys: []) { workspace async throws in
            try await workspace.client.events()
        }
    }

    private func expectRefusal(_ text: String) async {
        await #expect {
            _ = try await start()
        } throws: { error in
            guard let error = error as? WorkspaceError else { return false }
            return error.reason == .dataFolder && error.description.contains(text)
                && error.description.contains("`tributary doctor --repair \(killed.path)`")
        }
    }

    private func names() throws -> Set<String> {
        try DatabaseState.read(database) { Set(try String.fetchAll($0, sql: "SELECT name FROM source")) }
    }

    @Test("A start after a kill loses no acknowledged event")
    func sound() async throws {
        try await kill()
        #expect(!DataDoctor(examining: killed.path).hasProblems)
        #expect(try await start().count == 20)
    }

    @Test(
        "With a damaged log of workspace.sqlite the server does not start, and the doctor saves the rows")
    func workspaceLog() async throws {
        try await kill()
        let before = try names()
        #expect(before.count == 21)
        try flipBit(inLogOf: database, frame: 3)
        await expectRefusal("transactions stand behind the damage")
        #expect(DataDoctor(examining: killed.path).hasProblems)
        let doctor = DataDoctor(examining: killed.path, repairing: true)
        #expect(!doctor.hasProblems, "\(doctor.findings)")
        #expect(try names().isSuperset(of: before.subtracting(["Name 0"])), "\(doctor.findings)")
        #expect(!DataDoctor(examining: killed.path).hasProblems)
        #expect(try await start().count == 20)
    }

    @Test("A day with a damaged log is moved to unreadable, and the doctor saves the day")
    func dayLog() async throws {
        try await kill()
        let day = try day()
        try flipBit(inLogOf: day, frame: 1)
        let name = URL(fileURLWithPath: day).lastPathComponent
        #expect(try await start().isEmpty)
        #expect(ByteFile.exists(path("unreadable/\(name)")))
        #expect(ByteFile.exists(path("unreadable/\(name)-wal")))
        let doctor = DataDoctor(examining: killed.path, repairing: true)
        #expect(!doctor.hasProblems, "\(doctor.findings)")
        #expect(try await start().count == 20, "\(doctor.findings)")
    }

    @Test("A last transaction that a power cut truncated does not count as damage")
    func tornEnd() async throws {
        try await kill()
        for file in [database, try day()] {
            let bytes = try ByteFile(path: file + "-wal").byteCount
            try flipBit(inLogOf: file, frame: (bytes - 32) / (24 + SQLitePages.pageSize) - 1)
        }
        // The journal or the day still has the requests, and the newest source was not acknowledged.
        #expect(try await start().count >= 19)
        #expect(!ByteFile.exists(path("unreadable")))
    }

    @Test("An empty workspace.sqlite beside events counts as lost", arguments: [true, false])
    func emptyDatabase(hasLog: Bool) async throws {
        try await kill()
        try Data().write(to: URL(fileURLWithPath: database))
        if !hasLog { try FileManager.default.removeItem(atPath: database + "-wal") }
        await expectRefusal("workspace.sqlite is missing")
        #expect(DataDoctor(examining: killed.path).hasProblems)
        #expect(ByteFile.exists(database + "-wal") == hasLog, "looking deletes nothing")
        let doctor = DataDoctor(examining: killed.path, repairing: true)
        #expect(!doctor.hasProblems, "\(doctor.findings)")
        #expect(try await start().count == 20)
    }

    @Test("An empty day with known messages is moved to unreadable", arguments: [true, false])
    func emptyDay(hasLog: Bool) async throws {
        try await kill()
        let day = try day()
        try Data().write(to: URL(fileURLWithPath: day))
        if !hasLog { try FileManager.default.removeItem(atPath: day + "-wal") }
        #expect(try await start().isEmpty)
        let aside = "unreadable/" + URL(fileURLWithPath: day).lastPathComponent
        #expect(ByteFile.exists(path(aside)))
        #expect(ByteFile.exists(path(aside + "-wal")) == hasLog)
    }

    @Test("An empty day without known messages counts as a new day")
    func newDay() async throws {
        try await kill()
        try Data().write(to: URL(fileURLWithPath: path("days/1999-12-31.sqlite")))
        #expect(try await start().count == 20)
        #expect(!ByteFile.exists(path("unreadable")))
    }
}
