import ClusterTestKit
import Foundation
import GRDB
import HTTPTypes
import Testing

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Nodes of two versions share settings") struct TwoVersionsTests {
    private let log = MemoryChangeLog()
    private let folders: [TemporaryFolder]

    init() throws { folders = try (0..<3).map { _ in try TemporaryFolder() } }

    /// What a version behind this one may add.
    static let next = Schema.history.next(
        "ALTER TABLE source ADD COLUMN region TEXT NOT NULL DEFAULT 'eu'; ALTER TABLE audit ADD COLUMN note TEXT")

    private func node(_ index: Int, _ schema: SchemaHistory = Schema.history) throws -> SettingsNode {
        try SettingsNode(folders[index], log, schema: schema)
    }

    private func refusal(_ work: () async throws -> Void) async throws -> String {
        do {
            try await work()
        } catch let error as Refusal {
            #expect(error.reason == .unavailable)
            return error.message
        }
        Issue.record("the change was not refused")
        return ""
    }

    @Test("A newer node applies the changes of older ones, in tables with more columns") func olderChanges()
        async throws
    {
        let (old, new) = (try node(0), try node(1, Self.next))
        let source = try await old.sources.make("WK", name: "Shop")
        _ = try await old.sources.addKey("KEY", name: "k", to: "WK")
        await new.look()
        #expect(await new.sources.source(ofClientWith: "KEY")?.name == "Shop")
        _ = try await old.sources.put("WK", name: "Renamed")
        _ = try await old.sources.make("WK-2", name: nil)
        await new.look()
        #expect(new.settings.state == .following)
        #expect(try await new.rows()["source"]?.map { $0["region"] as String } == ["eu", "eu"])
        #expect(await new.sources.source("WK")?.name == "Renamed")
        _ = try await old.store.removeSource(source, events: 0, by: .server, now: 2)
        await new.look()
        #expect(await new.sources.all().map(\.writeKey) == ["WK-2"])
    }

    @Test("An older node stops before a newer change, serves its settings, and goes on there with a newer program")
    func newerChange() async throws {
        let (old, new) = (try node(0), try node(1, Self.next))
        _ = try await old.sources.make("WK", name: "Shop")
        _ = try await new.sources.make("WK-2", name: nil)
        _ = try await new.sources.put("WK", name: "Renamed")
        await old.look()
        let (rows, place) = (try await old.rows(), old.settings.place)
        guard case .outdated(let reason) = old.settings.state else {
            Issue.record("the older node is \(old.settings.state)")
            return
        }
        #expect(reason.contains("a newer version of the server changed the settings; upgrade this node"))
        #expect(await old.sources.source("WK")?.name == "Shop")
        let message = try await refusal { _ = try await old.sources.make("WK-3", name: nil) }
        #expect(message.contains("upgrade this node") && message.contains("nothing was changed"))
        // What changes nothing is no change.
        try await old.store.addSources(["WK"], now: 1)
        await old.look()
        #expect(try await old.rows() == rows)
        #expect(old.settings.place == place)
        try old.close()

        let again = try node(0)
        await again.look()
        #expect(again.settings.isOutdated)
        #expect(again.settings.place == place)
        #expect(await again.sources.source("WK")?.name == "Shop")
        try again.close()

        let upgraded = try node(0, Self.next)
        #expect(await upgraded.sources.source("WK")?.name == "Shop")
        await upgraded.look()
        #expect(upgraded.settings.state == .following)
        #expect(try await upgraded.rows() == new.rows())
        _ = try await upgraded.sources.make("WK-3", name: nil)
        await new.look()
        #expect(try await upgraded.rows() == new.rows())
    }

    @Test("Rows that are older than a column are changed and removed on all nodes") func olderRows() async throws {
        var nodes = try (0..<2).map { try node($0) }
        let source = try await nodes[0].sources.make("WK", name: "Shop")
        _ = try await nodes[0].sources.make("WK-2", name: nil)
        await nodes[1].look()
        for (index, node) in nodes.enumerated() {
            try node.close()
            nodes[index] = try self.node(index, Self.next)
        }
        _ = try await nodes[0].sources.put("WK", name: "Renamed")
        _ = try await nodes[1].sources.put("WK-2", name: "Renamed, too")
        await nodes[0].look()
        _ = try await nodes[0].store.removeSource(source, events: 0, by: .server, now: 2)
        await nodes[1].look()
        for node in nodes { #expect(node.settings.state == .following) }
        #expect(try await nodes[0].rows() == nodes[1].rows())
    }

    @Test("Nodes join a cluster that an older version founded, and not one that a newer version founded") func joining()
        async throws
    {
        let old = try node(0)
        _ = try await old.sources.make("WK", name: nil)
        let new = try node(1, Self.next)
        await new.look()
        #expect(await new.sources.all().map(\.writeKey) == ["WK"])

        let other = MemoryChangeLog()
        let founder = try SettingsNode(TemporaryFolder(path: folders[1].path + "/new"), other, schema: Self.next)
        _ = try await founder.sources.make("WK", name: nil)
        let late = try SettingsNode(TemporaryFolder(path: folders[2].path + "/old"), other)
        await late.look()
        #expect(late.settings.isOutdated)
        #expect(late.settings.place == 0)
        #expect(await late.sources.all().isEmpty)
        #expect(await other.content.count == 2)
    }

    @Test("A node that ended while it founded the cluster, and was replaced then, is still a part of it")
    func replacedFounder() async throws {
        let alone = try Store.testing(folders[0])
        try alone.ensureSources(writeKeys: ["WK"], now: 1)
        let content = try await SettingsRecording.content(of: alone.pool)
        try alone.close()
        let part = ChangePart(index: 0, count: 1, bytes: content)
        _ = try await log.append(ChangeSeal(secret: SettingsNode.secret).seal(part, after: 0), id: "1", after: 0)
        let new = try node(0, Self.next)
        await new.look()
        #expect(new.settings.state == .following)
        #expect(await new.sources.all().map(\.writeKey) == ["WK"])
    }

    @Test("A change that SQLite would leave out stops the node") func leftOut() async throws {
        let (old, new) = (try node(0), try node(1, Self.next))
        _ = try await old.sources.make("WK", name: nil)
        await new.look()
        let (_, changes) = try await SettingsRecording.rehearse(in: new.store.pool) { db in
            try db.execute(sql: "UPDATE source SET name = 'left out', region = 'us'")
        }
        let seal = try ChangeSeal(secret: SettingsNode.secret)
        let last = old.settings.place
        let part = ChangePart(index: 0, count: 1, bytes: changes)
        _ = try await log.append(seal.seal(part, after: last), id: "1", after: last)
        await old.look()
        guard case .diverged(let reason) = old.settings.state else {
            Issue.record("the node is \(old.settings.state)")
            return
        }
        #expect(
            reason.contains("a change of the table source does not fit: the table has fewer columns, or another key"))
        #expect(old.settings.place == last)
    }

    @Test("Changes of a version that is too old to be read stop the node") func tooOld() async throws {
        _ = try await node(0).sources.make("WK", name: nil)
        let later = SchemaHistory(
            oldest: Schema.version + 1, tables: Schema.history.tables + Self.next.steps, steps: [])
        let new = try node(1, later)
        await new.look()
        #expect(new.settings.state.isDiverged)
        #expect("\(new.settings.state)".contains("this version reads \(Schema.version + 1) and later"))
    }

    @Test("A record of a form that is not known yet stops the node in front of it") func newerForm() async throws {
        let old = try node(0)
        _ = try await old.sources.make("WK", name: nil)
        let place = old.settings.place
        _ = try await log.append([9] + [UInt8](repeating: 0, count: 99), id: "1", after: place)
        await old.look()
        #expect(old.settings.isOutdated)
        #expect(old.settings.place == place)
    }

    @Test("A server starts with the settings that it has, and not without any") func start() {
        #expect(throws: Never.self) { try Workspace.accept(.outdated("newer"), place: 1) }
        #expect(throws: WorkspaceError.self) { try Workspace.accept(.outdated("newer"), place: 0) }
    }
}
