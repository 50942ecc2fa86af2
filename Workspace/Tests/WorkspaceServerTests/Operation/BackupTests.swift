import Foundation
import GRDB
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Backups", .timeLimit(.minutes(30))) struct BackupTests {
    private let data: TemporaryFolder
    private let target: TemporaryFolder
    /// The folder is deleted with the target.
    private let restored: TemporaryFolder
    private var backup: String { target.path + "/backup" }

    init() throws {
        data = try TemporaryFolder()
        target = try TemporaryFolder()
        restored = TemporaryFolder(path: target.path + "/restored")
    }

    private func ids(_ workspace: TestWorkspace) async throws -> [String] {
        try await workspace.client.events().compactMap { $0["messageId"]?.stringValue }
    }

    @Test("A backup of a running workspace has each acknowledged event once")
    func running() async throws {
        let sent = 40
        try await TestWorkspace.run(in: data) { workspace async throws in
            for number in 0..<sent {
                try await workspace.client.batch([
                    Events.track(messageId: "m-\(number)"), ["type": "identify", "userId": .string("u-\(number)")],
                ])
            }
            // Other clients send events during the backup.
            async let others: Void = {
                for number in 0..<sent {
                    try await workspace.client.batch([Events.track(messageId: "n-\(number)")])
                }
            }()
            let summary = try WorkspaceBackup.make(of: data.path, at: backup)
            #expect(summary.bytes > 0)
            try await others
        }
        _ = try WorkspaceBackup.restore(backup, to: restored.path)
        #expect(!DataDoctor(examining: restored.path).hasProblems)
        try await TestWorkspace.run(in: restored) { workspace async throws in
            let found = try await workspace.client.events()
            let own = found.filter { $0["messageId"]?.stringValue?.hasPrefix("m-") == true }
            let made = found.filter { $0["type"] == "identify" }
            #expect(own.count == sent)
            #expect(made.count == sent)
            #expect(Set(found.map { $0["messageId"] }).count == found.count)
            // A repeated event is recognised, and new events without a message id count as new.
            try await workspace.client.batch([Events.track(messageId: "m-0")])
            for number in 0..<(3 * sent) {
                try await workspace.client.batch([["type": "identify", "userId": .string("later-\(number)")]])
            }
            #expect(try await workspace.client.events().count == found.count + 3 * sent)
        }
    }

    @Test("A backup has the requests that wait in the journal")
    func waitingRequests() async throws {
        try await TestWorkspace.run(in: data) { _ in }
        let folder = try DataFolder(path: data.path)
        let journal = try IngestJournal(folder: folder, capacity: 1 << 20)
        let body = #"{"batch":[{"type":"identify","userId":"u","messageId":"waits"}]}"#
        try await journal.append(
            AcceptedRequest(
                form: .batch, isCompressed: false, source: 1, receivedAt: 5, uploadedAt: nil, body: Array(body.utf8)))
        journal.close()
        folder.release()
        #expect(try WorkspaceBackup.make(of: data.path, at: backup).waitingRequests == 1)
        #expect(try WorkspaceBackup.restore(backup, to: restored.path).waitingRequests == 1)
        try await TestWorkspace.run(in: restored) { workspace async throws in
            #expect(try await ids(workspace) == ["waits"])
        }
    }

    @Test func aBackupThatChangedIsNotRestored() async throws {
        try await TestWorkspace.run(in: data) { workspace async throws in
            try await workspace.client.batch([Events.track(messageId: "m")])
            _ = try await workspace.client.events()
        }
        _ = try WorkspaceBackup.make(of: data.path, at: backup)
        let file = try #require(try FileManager.default.contentsOfDirectory(atPath: backup + "/days").first)
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: backup + "/days/" + file))
        try handle.seek(toOffset: 100)
        try handle.write(contentsOf: Data([1]))
        try handle.close()
        #expect {
            _ = try WorkspaceBackup.restore(backup, to: restored.path)
        } throws: { ($0 as? WorkspaceError)?.description.contains("days/\(file)") == true }
        #expect(!FileManager.default.fileExists(atPath: restored.path))
        #expect(!FileManager.default.fileExists(atPath: restored.path + ".partial"))
        try FileManager.default.removeItem(atPath: backup + "/days/" + file)
        #expect(throws: WorkspaceError.self) { _ = try WorkspaceBackup.restore(backup, to: restored.path) }
    }

    @Test("Backup and restore refuse existing targets and unsuitable sources")
    func existing() async throws {
        try await TestWorkspace.run(in: data) { _ in }
        _ = try WorkspaceBackup.make(of: data.path, at: backup)
        let before = [try FolderBytes(data.path), try FolderBytes(target.path)]
        #expect(throws: WorkspaceError.self) { _ = try WorkspaceBackup.make(of: data.path, at: backup) }
        #expect(throws: WorkspaceError.self) { _ = try WorkspaceBackup.restore(backup, to: data.path) }
        #expect(throws: WorkspaceError.self) { _ = try WorkspaceBackup.make(of: target.path, at: backup + "2") }
        #expect(throws: WorkspaceError.self) { _ = try WorkspaceBackup.restore(target.path, to: restored.path) }
        #expect([try FolderBytes(data.path), try FolderBytes(target.path)] == before)
    }

    @Test("The commands make a backup and restore the backup")
    func commands() async throws {
        try await TestWorkspace.run(in: data) { workspace async throws in
            try await workspace.client.batch([Events.track(messageId: "m")])
            _ = try await workspace.client.events()
            let made = try await CommandRun.finish(["backup", data.path, backup])
            #expect(made.status == 0, "\(made.errors)")
            #expect(made.output.hasPrefix("backup of 1 days, "))
        }
        let back = try await CommandRun.finish(["restore", backup, restored.path])
        #expect(back.status == 0, "\(back.errors)")
        try await TestWorkspace.run(in: restored) { workspace async throws in
            #expect(try await ids(workspace) == ["m"])
        }
        let again = try await CommandRun.finish(["restore", backup, restored.path])
        #expect(again.status == 1)
        #expect(again.errors.contains("is there already"))
    }

    private func inode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? NSNumber).intValue
    }

    @Test(
        "A backup with a base links unchanged days, copies other days, and is complete without the base"
    )
    func base() async throws {
        var store = try Store.testing(data)
        try store.ensureSources(writeKeys: ["WK"], now: 1)
        func write(_ ids: [String], day: Int64, _ sequence: UInt64) async throws {
            _ = try await store.write(
                [StoredEvents.batch(ids, at: StoredEvents.day(day))],
                through: JournalOffset(epoch: 1, sequence: sequence), now: { 1 })
        }
        try await write(["a"], day: 0, 1)
        try await write(["b"], day: 1, 2)
        try store.messages.moveToFiles(store.pool, atLeast: 1)
        try store.close()
        _ = try WorkspaceBackup.make(of: data.path, at: backup)

        store = try Store(folder: DataFolder(path: data.path))
        try await write(["c"], day: 1, 3)
        try store.close()
        let second = target.path + "/second"
        var steps: [Int] = []
        _ = try WorkspaceBackup.make(of: data.path, at: second, base: backup) { done, _ in steps.append(done) }
        #expect(steps == [1, 2])
        let days = try FileManager.default.contentsOfDirectory(atPath: second + "/days").sorted()
        #expect(try inode("\(backup)/days/\(days[0])") == inode("\(second)/days/\(days[0])"))
        #expect(try inode("\(backup)/days/\(days[1])") != inode("\(second)/days/\(days[1])"))
        #expect(try inode("\(backup)/messages/1.ids") == inode("\(second)/messages/1.ids"))

        try FileManager.default.removeItem(atPath: backup)
        _ = try WorkspaceBackup.restore(second, to: restored.path)
        #expect(!DataDoctor(examining: restored.path).hasProblems)
        store = try Store(folder: DataFolder(path: restored.path))
        #expect(try await store.events(EventQuery()).rows.count == 3)
        try store.close()
        #expect(throws: WorkspaceError.self) {
            _ = try WorkspaceBackup.make(of: data.path, at: target.path + "/third", base: data.path)
        }
    }
}
