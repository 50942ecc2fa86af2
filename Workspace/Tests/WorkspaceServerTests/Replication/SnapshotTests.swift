import ClusterTestKit
import Foundation
import GRDB
import Testing

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Snapshots of settings in their log") struct SnapshotTests {
    private let log = MemoryChangeLog()
    private let folders: [TemporaryFolder]

    init() throws { folders = try (0..<3).map { _ in try TemporaryFolder() } }

    /// A node that makes a snapshot after some records, when it coordinates.
    private func node(
        _ index: Int, records: Int = 4, partBytes: Int = 512 << 10, secret: String = SettingsNode.secret,
        old: [String] = [], coordinates: Bool = true
    ) throws -> SettingsNode {
        var options = SharedSettings.Options.testing
        (options.recordsForSnapshot, options.partBytes) = (records, partBytes)
        let node = try SettingsNode(folders[index], log, secret: secret, old: old, options: options)
        node.settings.coordinate { coordinates }
        return node
    }

    /// Changes something so often, with a look behind each change.
    private func change(_ node: SettingsNode, _ count: Int, _ name: String) async throws {
        for index in 0..<count {
            _ = try await node.sources.make("\(name)-\(index)", name: nil)
            await node.lookAndMaintain()
        }
    }

    private var first: UInt64 { get async throws { try await log.standing().first } }

    @Test("A new node begins with a snapshot, and has the same as the others") func joining() async throws {
        let one = try node(0)
        try await change(one, 15, "WK")
        #expect(try await first > 1)
        let other = try node(1)
        await other.look()
        #expect(other.settings.state == .following)
        #expect(try await other.rows() == one.rows())
        _ = try await other.sources.make("WK-other", name: nil)
        await one.look()
        #expect(try await other.rows() == one.rows())
    }

    @Test("Who follows passes over snapshots, and starts again behind them") func following() async throws {
        let (one, other) = (try node(0), try node(1, coordinates: false))
        await one.look()
        await other.look()
        for round in 0..<12 {
            try await change(one, 1, "WK-\(round)")
            await other.look()
        }
        #expect(try await first > 1)
        #expect(other.settings.state == .following)
        #expect(try await other.rows() == one.rows())
        try other.close()
        let again = try node(1, coordinates: false)
        await again.look()
        #expect(again.settings.state == .following)
        _ = try await again.sources.make("WK-again", name: nil)
        await one.look()
        #expect(try await again.rows() == one.rows())
    }

    @Test("A node that was away for longer than the log reaches takes the snapshot over, and keeps its own counts")
    func wasAway() async throws {
        let one = try node(0)
        let source = try await one.sources.make("WK", name: nil)
        let gone = try await one.sources.make("GONE", name: nil)
        let late = try node(1)
        await late.look()
        try await late.store.pool.write { db in
            for id in [source.id, gone.id] {
                try db.execute(sql: "INSERT INTO counter VALUES (?, 'events', 7)", arguments: [id])
            }
        }
        try late.close()
        _ = try await one.store.removeSource(gone, events: 0, by: .server, now: 2)
        try await change(one, 15, "WK-n")
        let again = try node(1)
        #expect(await again.sources.source("GONE") != nil)
        await again.look()
        #expect(again.settings.state == .following)
        #expect(try await again.rows() == one.rows())
        #expect(await again.sources.source("GONE") == nil)
        let counted = try await again.store.pool.read { db in
            try Row.fetchAll(db, sql: "SELECT source, value FROM counter").map { [$0["source"] as Int64, $0["value"]] }
        }
        #expect(counted == [[source.id, 7]])
        _ = try await again.sources.make("WK-again", name: nil)
        await one.look()
        #expect(try await again.rows() == one.rows())
    }

    @Test("A node that runs and falls behind takes the snapshot over, too") func fellBehind() async throws {
        let (one, late) = (try node(0), try node(1))
        await one.look()
        await late.look()
        try await change(one, 15, "WK")
        #expect(try await late.settings.place + 1 < first)
        _ = try await late.sources.make("WK-late", name: nil)
        await one.look()
        #expect(try await late.rows() == one.rows())
    }

    @Test("A snapshot of several records that is not whole is none, and the next one counts") func halfway()
        async throws
    {
        let one = try node(0, records: 1_000, partBytes: 100)
        try await change(one, 3, "WK")
        // The coordinating node ends behind the first part of its snapshot.
        let seal = try ChangeSeal(secret: SettingsNode.secret)
        let content = try await SettingsRecording.content(of: one.store.pool)
        let part = try #require(ChangePart.parts(of: content, size: 100, kind: .snapshot).first)
        #expect(part.count > 2)
        let last = await UInt64(log.content.count)
        _ = try await log.append(seal.seal(part, after: last), id: "1", after: last)
        try one.close()
        let other = try node(1, records: 1, partBytes: 100)
        await other.lookAndMaintain()
        #expect(other.settings.state == .following)
        try await change(other, 6, "WK-other")
        #expect(try await first > last)
        let joined = try node(2)
        await joined.look()
        #expect(try await joined.rows() == other.rows())
    }

    @Test("Two nodes that coordinate at once do no harm") func two() async throws {
        let nodes = [try node(0, partBytes: 100), try node(1, partBytes: 100)]
        for node in nodes { await node.look() }
        let following = nodes.map { node in Task { await node.settings.follow() } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, node) in nodes.enumerated() {
                group.addTask {
                    for step in 0..<15 { _ = try await node.sources.make("WK-\(index)-\(step)", name: nil) }
                }
            }
            try await group.waitForAll()
        }
        for task in following {
            task.cancel()
            await task.value
        }
        let joined = try node(2)
        for node in nodes + [joined] {
            await node.look()
            #expect(node.settings.state == .following)
        }
        for node in nodes { #expect(try await node.rows() == joined.rows()) }
    }

    @Test("A snapshot with a new key makes the old one needless") func newKey() async throws {
        let one = try node(0)
        try await change(one, 3, "WK")
        try one.close()
        let new = "the next secret of the operator"
        let renewed = try node(0, secret: new, old: [SettingsNode.secret])
        await renewed.look()
        for _ in 0..<KeyChoice.enough { renewed.settings.note(readers: [renewed.settings.seal.marks]) }
        #expect(await renewed.settings.needsOldKey() == true)
        try await change(renewed, 15, "WK-new")
        #expect(await renewed.settings.needsOldKey() == false)
        let joined = try node(1, secret: new)
        await joined.look()
        #expect(joined.settings.state == .following)
        #expect(try await joined.rows() == renewed.rows())
    }

    @Test("A log that lost its beginning without a snapshot stops nodes that need it", arguments: [false, true])
    func withoutSnapshot(_ hasJoined: Bool) async throws {
        let one = try node(0, records: 1_000)
        if hasJoined {
            let late = try node(1)
            await one.look()
            await late.look()
            try late.close()
        }
        try await change(one, 5, "WK")
        try await log.trim(before: 4)
        let late = try node(1)
        await late.look()
        #expect(late.settings.state.isDiverged)
        #expect("\(late.settings.state)".contains("begins at 4 without a snapshot"))
        await #expect(throws: Refusal.self) { _ = try await late.sources.make("WK-late", name: nil) }
        // Who has all of it goes on.
        await one.look()
        #expect(one.settings.state == .following)
    }

    @Test("A folder with settings of its own does not take a snapshot over") func foreign() async throws {
        try await change(node(0), 15, "WK")
        let alone = try Store.testing(folders[1])
        try alone.ensureSources(writeKeys: ["OTHER"], now: 1)
        let rows = try await SettingsNode.rows(alone.pool)
        try alone.close()
        let other = try node(1)
        await other.look()
        #expect("\(other.settings.state)".contains("this folder has settings of its own"))
        #expect(try await other.rows() == rows)
    }

    @Test("A node that does not coordinate writes none") func others() async throws {
        let one = try node(0, coordinates: false)
        try await change(one, 15, "WK")
        #expect(await log.content.count == 16)
        #expect(try await first == 1)
    }
}
