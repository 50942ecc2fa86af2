import Foundation
import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

/// Other users of the machine may not read the secrets in the database and the events in the journal.
@Suite("Modes of the data folder", .timeLimit(.minutes(30)))
struct FolderModesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func serve() async throws {
        try await TestWorkspace.run(in: folder, writeKeys: ["WK"], environment: .system) { workspace async throws in
            try await workspace.client.batch([Events.track(messageId: "m")], writeKey: "WK")
            #expect(try await workspace.client.events().count == 1)
        }
    }

    /// The folder and everything in it.
    private func paths() throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return [folder.path] + names.map { folder.path + "/" + $0 }
    }

    private func mode(of path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? NSNumber).intValue
    }

    private func setMode(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test("A start closes the folder and its files to other users") func closed() async throws {
        try await serve()
        let written = try paths()
        #expect(written.contains(folder.path + "/workspace.sqlite"))
        #expect(written.contains { $0.hasPrefix(folder.path + "/days/") })
        for path in written { try setMode(0o755, of: path) }
        try await serve()
        // The lock file is empty.
        for path in try paths() where path != folder.path + "/lock" {
            #expect(try mode(of: path) & 0o077 == 0, "others may use \(path)")
        }
    }

    @Test("A new data folder does not change the mode of a folder with other files") func shared() async throws {
        let other = folder.path + "/notes.txt"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: other))
        try setMode(0o755, of: folder.path)
        try setMode(0o644, of: other)
        try await serve()
        #expect(try mode(of: folder.path) == 0o755)
        #expect(try mode(of: other) == 0o644)
    }
}
