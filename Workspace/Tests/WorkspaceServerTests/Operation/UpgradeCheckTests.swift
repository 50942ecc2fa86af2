import Foundation
import GRDB
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The check before an upgrade", .timeLimit(.minutes(30))) struct UpgradeCheckTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try Store.testing(folder).close()
    }

    private func setFormat(_ format: Int) throws {
        let queue = try DatabaseQueue(path: folder.path + "/workspace.sqlite")
        try queue.write { try $0.execute(sql: "PRAGMA user_version = \(format)") }
        try queue.close()
    }

    private func check(_ options: String...) async throws -> CommandRun.Outcome {
        try await CommandRun.finish(["upgrade", "--check", folder.path] + options)
    }

    @Test("A folder of the present formats can go back at any time") func present() async throws {
        let found = try UpgradeCheck(of: folder.path)
        #expect(found.isReadable && !found.changesFormat)
        #expect(found.parts.first?.formats == [Schema.version])
        let run = try await check()
        #expect(run.status == 0)
        #expect(run.output.contains("workspace.sqlite: format \(Schema.version); this program reads"))
        #expect(run.output.contains("fine: a step back"))
    }

    @Test("A folder of an older format is read, and the check says that the old program refuses it later")
    func older() async throws {
        try setFormat(Schema.history.oldest)
        let run = try await check()
        #expect(run.status == 0)
        #expect(run.output.contains("the old program refuses it then"))
        #expect(run.output.contains("a step back needs a backup"))
        let json = try JSON.parse(try await check("--json").output)
        #expect(json["changesFormat"]?.boolValue == true)
        #expect(json["readable"]?.boolValue == true)
        #expect(try UpgradeCheck(of: folder.path).parts.first?.formats == [Schema.history.oldest])
    }

    @Test("A folder of a newer or of a too old format is refused, and nothing changes", arguments: [true, false])
    func unreadable(isNewer: Bool) async throws {
        let format = isNewer ? Schema.version + 1 : Schema.history.oldest - 1
        try setFormat(format)
        let run = try await check()
        #expect(run.status == 1)
        let reason = isNewer ? "problem: a newer version wrote workspace" : "has format \(format), which is too old"
        #expect(run.output.contains(reason))
        let json = try await check("--json")
        #expect(json.status == 1)
        #expect(try JSON.parse(json.output)["readable"]?.boolValue == false)
        #expect(try UpgradeCheck(of: folder.path).parts.first?.formats == [format])
    }

    private func writeHead(_ bytes: [UInt8], in file: String) throws {
        let url = URL(fileURLWithPath: folder.path + "/" + file)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes + [UInt8](repeating: 0, count: 90)).write(to: url)
    }

    @Test("A journal of a newer format is refused") func newerJournal() throws {
        try writeHead(Array("TJOURNAL".utf8) + [9, 0], in: "journal/0000000000000001.tjl")
        let found = try UpgradeCheck(of: folder.path)
        #expect(found.parts.first { $0.name == "journal" }?.formats == [9])
        #expect(found.refusals == ["a newer version wrote journal, format 9"])
    }

    @Test("Message ids of a newer format are refused, and files that this program writes are read")
    func newerMessages() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path + "/messages", withIntermediateDirectories: true)
        var writer = try MessageFileWriter(1, of: Day(number: 20_000), in: folder.path + "/messages", atMost: 1)
        try writer.append(MessageEntry(key: MessageKey(.event, "m-1"), source: 1, receivedAt: 1))
        _ = try writer.finish()
        let present = try UpgradeCheck(of: folder.path)
        #expect(present.parts.first { $0.name == "message ids" }?.formats == [1])
        #expect(present.isReadable && !present.changesFormat)
        try writeHead(Array("TRBIDS02".utf8), in: "messages/2.ids")
        #expect(try UpgradeCheck(of: folder.path).refusals == ["a newer version wrote message ids, format 2"])
    }

    @Test(
        "The doctor names a newer format, and a repair leaves the folder as it is",
        arguments: [
            ("messages/2.ids", Array("TRBIDS02".utf8)),
            ("journal/0000000000000009.tjl", Array("TJOURNAL".utf8) + [9, 0]),
        ])
    func doctor(_ file: String, _ head: [UInt8]) throws {
        try writeHead(head, in: file)
        let before = try FolderBytes(folder.path)
        let doctor = DataDoctor(examining: folder.path, repairing: true)
        let problems = doctor.findings.filter { $0.kind == .problem }.map(\.description)
        #expect(problems.count == 1 && problems[0].contains("a newer version wrote"), "\(problems)")
        #expect(try FolderBytes(folder.path) == before)
    }

    @Test("A file of message ids of a newer format is not said to be damaged") func newerMessageFile() throws {
        try writeHead(Array("TRBIDS02".utf8), in: "messages/2.ids")
        let error = #expect(throws: MessageFile.Damage.self) { try MessageFile(2, in: folder.path + "/messages") }
        #expect(error?.description.contains("a newer version wrote") == true)
        try writeHead(Array("TRBIDSxx".utf8), in: "messages/3.ids")
        let other = #expect(throws: MessageFile.Damage.self) { try MessageFile(3, in: folder.path + "/messages") }
        #expect(other?.description.contains("is damaged") == true)
    }

    @Test("Parts decide together: the oldest says what changes, and one that is not readable refuses all")
    func parts() {
        func part(_ formats: [Int]) -> UpgradeCheck.Part { .init(name: "days", formats: formats, readable: 3...5) }
        #expect(!UpgradeCheck([part([]), part([5]), part([0])]).changesFormat)
        #expect(UpgradeCheck([part([5]), part([5, 3])]).changesFormat)
        #expect(!UpgradeCheck([part([3]), part([6])]).changesFormat)
        #expect(UpgradeCheck([part([3]), part([6])]).refusals.count == 1)
    }

    @Test("A folder that is none is an error") func noFolder() async throws {
        let empty = try TemporaryFolder()
        #expect(throws: WorkspaceError.self) { try UpgradeCheck(of: empty.path) }
        let run = try await CommandRun.finish(["upgrade", "--check", empty.path])
        #expect(run.status != 0)
        #expect(run.errors.contains("is no data folder"))
        #expect(try await CommandRun.finish(["upgrade", folder.path]).status == 64)
    }
}
