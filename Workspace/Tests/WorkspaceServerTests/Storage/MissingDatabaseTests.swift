import Foundation
import GRDB
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// Rows and waiting requests have the number of their source; only workspace.sqlite maps numbers to sources.
@Suite("Missing and foreign workspace databases", .timeLimit(.minutes(30)))
struct MissingDatabaseTests {
    private let folder: TemporaryFolder
    private let other: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        other = try TemporaryFolder()
    }

    /// A folder with an event of a source, as a server leaves it.
    private func fill(_ folder: TemporaryFolder, _ writeKey: String, _ messageId: String) async throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        try await TestWorkspace.run(in: folder, writeKeys: [writeKey], environment: .system) { workspace async throws in
            try await workspace.client.batch([Events.track(messageId: messageId)], writeKey: writeKey)
            #expect(try await workspace.client.events().count == 1)
        }
    }

    private func start(_ writeKeys: [String] = ["NEW"]) async throws -> [JSON] {
        try await TestWorkspace.run(in: folder, writeKeys: writeKeys, environment: .system) { workspace async throws in
            try await workspace.client.events()
        }
    }

    private func expectRefusal(_ text: String) async {
        await #expect {
            _ = try await start()
        } throws: { error in
            guard let error = error as? WorkspaceError else { return false }
            return error.reason == .dataFolder && error.description.contains(text)
                && error.description.contains("doctor")
        }
    }

    private func remove(_ names: String...) throws {
        for name in names { try FileManager.default.removeItem(atPath: folder.path + "/" + name) }
    }

    @Test(
        "A start without workspace.sqlite is refused when other files of the workspace remain",
        arguments: ["days", "journal", "unreadable"])
    func missing(beside remains: String)
        async throws
    {
        try await fill(folder, "WK", "m")
        try remove("workspace.sqlite")
        switch remains {
        case "days": try remove("journal")
        case "journal": try remove("days")
        default:
            try remove("journal")
            try FileManager.default.moveItem(atPath: folder.path + "/days", toPath: folder.path + "/unreadable")
        }
        await expectRefusal("workspace.sqlite is missing")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/workspace.sqlite"))
        #expect(throws: WorkspaceError.self) { try Workspace.resetAdminToken(dataFolder: folder.path) }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/workspace.sqlite"))
    }

    @Test("The doctor makes a missing workspace.sqlite from the days")
    func repair() async throws {
        try await fill(folder, "WK", "m")
        try remove("workspace.sqlite")
        #expect(DataDoctor(examining: folder.path).hasProblems)
        let doctor = DataDoctor(examining: folder.path, repairing: true)
        #expect(!doctor.hasProblems, "\(doctor.findings)")
        #expect(!DataDoctor(examining: folder.path).hasProblems)
        #expect(try await start().map { $0["writeKey"] } == ["WK"])
        // The write key of devices is valid, and their repeated events are recognised.
        try await TestWorkspace.run(in: folder, environment: .system) { workspace async throws in
            try await workspace.client.batch([Events.track(messageId: "m"), Events.track(messageId: "n")])
            #expect(try await workspace.client.events().map { $0["messageId"] } == ["m", "n"])
        }
    }

    @Test("The workspace.sqlite of another folder is refused, and the doctor recovers the sources")
    func foreignDatabase() async throws {
        try await fill(folder, "WK", "m")
        try await fill(other, "OTHER", "o")
        try remove("workspace.sqlite")
        try FileManager.default.copyItem(
            atPath: other.path + "/workspace.sqlite", toPath: folder.path + "/workspace.sqlite")
        await expectRefusal("has events of the source WK")
        #expect(DataDoctor(examining: folder.path).hasProblems)
        let doctor = DataDoctor(examining: folder.path, repairing: true)
        #expect(!doctor.hasProblems, "\(doctor.findings)")
        #expect(try await start(["OTHER"]).map { $0["writeKey"] } == ["WK"])
    }

    @Test("A foreign source with the same write key gets no events of the old source")
    func sameKey() async throws {
        try await fill(folder, "WK", "m")
        try await fill(other, "WK", "o")
        try remove("workspace.sqlite")
        try FileManager.default.copyItem(
            atPath: other.path + "/workspace.sqlite", toPath: folder.path + "/workspace.sqlite")
        await expectRefusal("has events of the source WK")
        #expect(!DataDoctor(examining: folder.path, repairing: true).hasProblems)
        let events = try await start(["WK"])
        #expect(events.count == 1)
        #expect(events.first?["writeKey"]?.stringValue?.hasPrefix("recovered-") == true)
    }

    @Test("The journal of another folder is refused, and the doctor recovers its source")
    func foreignJournal() async throws {
        try await fill(folder, "WK", "m")
        try await fill(other, "OTHER", "o")
        let data = try DataFolder(path: other.path)
        let journal = try IngestJournal(folder: data, capacity: 1 << 20)
        try await journal.append(
            AcceptedRequest(
                form: .batch, isCompressed: false, source: 77, receivedAt: 5, uploadedAt: nil,
                body: Array(#"{"batch":[{"type":"identify","userId":"u","messageId":"waits"}]}"#.utf8)))
        journal.close()
        data.release()
        try remove("journal")
        try FileManager.default.moveItem(atPath: other.path + "/journal", toPath: folder.path + "/journal")
        await expectRefusal("requests wait in the journal")
        let doctor = DataDoctor(examining: folder.path, repairing: true)
        #expect(!doctor.hasProblems, "\(doctor.findings)")
        let events = try await start(["WK"])
        #expect(events.map { $0["messageId"] } == ["m", "waits"])
        #expect(events.map { $0["writeKey"] } == ["WK", "recovered-4d"])
    }

    @Test("Sources of different folders have different numbers")
    func sourceNumbers() async throws {
        try await fill(folder, "WK", "m")
        try await fill(other, "WK", "m")
        func number(_ folder: TemporaryFolder) throws -> Int64? {
            try DatabaseState.read(folder.path + "/workspace.sqlite") {
                try Int64.fetchOne($0, sql: "SELECT id FROM source")
            }
        }
        #expect(try number(folder) != number(other))
        #expect(try number(folder) ?? 0 >= 1 << 62)
    }
}
