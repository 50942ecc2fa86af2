import ClusterTestKit
import Foundation
import GRDB
import Testing

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

/// The log of the settings of a cluster as each version wrote it, with all settings of that version's golden workspace.
///
/// `scripts/golden` writes the file of a version.
@Suite("The settings of a cluster of each version") struct GoldenSettingsTests {
    private static let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../../Tests/Golden").standardizedFileURL
    private static let name = "cluster-settings.txt"
    /// The sources that were made after the settings of the workspace were in the log.
    private static let later = (0..<6).map { "LATER-\($0)" }

    private static var versions: [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: golden.path)) ?? []
        return all.filter { FileManager.default.fileExists(atPath: golden.path + "/\($0)/\(name)") }
    }

    /// The version to write the file of; nil when the test only reads.
    private static var written: String? { ProcessInfo.processInfo.environment["TRIBUTARY_WRITE_GOLDEN"] }

    /// A copy of the workspace of a version.
    private func workspace(_ version: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let tar = Process()
        tar.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        tar.arguments = ["tar", "-xzf", "\(Self.golden.path)/\(version)/workspace.tar.gz", "-C", folder.path]
        try tar.run()
        tar.waitUntilExit()
        try #require(tar.terminationStatus == 0)
        return folder
    }

    private func records(_ version: String) throws -> [[UInt8]] {
        let text = try String(contentsOfFile: "\(Self.golden.path)/\(version)/\(Self.name)", encoding: .utf8)
        return try text.split(separator: "\n").map { try Array(#require(Data(base64Encoded: String($0)))) }
    }

    private func log(_ records: [[UInt8]]) async throws -> MemoryChangeLog {
        let log = MemoryChangeLog()
        for (place, record) in records.enumerated() {
            _ = try await log.append(record, id: "\(place)", after: UInt64(place))
        }
        return log
    }

    /// Puts the settings of the golden workspace into a log, then more changes and a snapshot.
    @Test("The log of this version is written when its golden folder is made", .enabled(if: written != nil))
    func write() async throws {
        let version = try #require(Self.written)
        let log = MemoryChangeLog()
        var options = SharedSettings.Options.testing
        (options.recordsForSnapshot, options.partBytes) = (4, 16 << 10)
        let node = try SettingsNode(workspace(version), log, options: options)
        node.settings.coordinate { true }
        for writeKey in Self.later {
            await node.lookAndMaintain()
            _ = try await node.sources.make(writeKey, name: "Later")
        }
        let lines = await log.content.map { Data($0).base64EncodedString() + "\n" }
        try lines.joined().write(
            toFile: "\(Self.golden.path)/\(version)/\(Self.name)", atomically: true, encoding: .utf8)
        try node.close()
    }

    @Test("A new node of this version reads the log from its beginning and from its snapshot", arguments: versions)
    func read(version: String) async throws {
        let records = try records(version)
        let whole = try await log(records)
        let shortened = try await log(records)
        let seal = try ChangeSeal(secret: SettingsNode.secret)
        let parts = try await whole.read(from: 1, atMost: records.count).map(seal.open)
        let snapshot = try #require(parts.lastIndex { $0.kind == .snapshot && $0.index == 0 })
        try await shortened.trim(before: UInt64(snapshot) + 1)

        let origin = try Store(folder: DataFolder(path: workspace(version).path))
        var expected = try await SettingsNode.rows(origin.pool)
        // Each workspace makes its own.
        expected[SettingsTables.healthKey] = nil
        for log in [whole, shortened] {
            let node = try SettingsNode(TemporaryFolder(), log)
            await node.look()
            #expect(node.settings.state == .following)
            let found = try await node.rows()
            for (table, rows) in expected {
                let missing = rows.filter { found[table]?.contains($0) != true }
                #expect(missing.isEmpty, "\(table): \(missing)")
            }
            #expect(await Set(node.sources.all().map(\.writeKey)).isSuperset(of: Self.later))
            try node.close()
        }
        try origin.close()
    }

    /// Logins and notices last for hours. The folder of 0.1.0 is older than links to the board.
    @Test("The golden settings have every kind of content that lasts", arguments: versions)
    func content(version: String) async throws {
        let node = try SettingsNode(TemporaryFolder(), await log(records(version)))
        await node.look()
        let empty = try await node.rows().filter(\.value.isEmpty).map(\.key).sorted()
        #expect(Set(empty).isSubset(of: ["boardLink", "login", "notice", "personLogin"]), "\(empty)")
        try node.close()
    }
}
