import Foundation
import Testing

@testable import WorkspaceCore

@Suite("The folder of a cluster's node") struct NodeFolderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func refusal() -> String? {
        do {
            try FolderContents(of: folder.path).checkNode()
            return nil
        } catch {
            return error.description
        }
    }

    @Test(
        "A node takes an empty folder and one with settings, and refuses events of one machine with the way to move them"
    )
    func events() async throws {
        #expect(refusal() == nil)
        let store = try Store.testing(folder)
        try store.ensureSources(writeKeys: ["WK"], now: 1)
        #expect(refusal() == nil)
        _ = try await store.write(
            [StoredEvents.batch(["a"])], through: JournalOffset(epoch: 1, sequence: 1), now: { StoredEvents.noon })
        try store.close()
        #expect(refusal()?.contains("tributary cluster import") == true)
        try FileManager.default.removeItem(atPath: folder.path + "/workspace.sqlite")
        #expect(refusal()?.contains("workspace.sqlite is missing") == true)
    }
}
