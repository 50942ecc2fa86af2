import ClusterTestKit
import Foundation
import Testing

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The key of a cluster is replaced") struct NewKeyTests {
    private let log = MemoryChangeLog()
    private let folders: [TemporaryFolder]
    private static let new = "the next secret of the operator"

    init() throws { folders = try (0..<3).map { _ in try TemporaryFolder() } }

    private func old(_ index: Int) throws -> SettingsNode { try SettingsNode(folders[index], log) }

    /// A node with the new key, which opens what is sealed with the one of before.
    private func new(_ index: Int, opens: [String] = [SettingsNode.secret]) throws -> SettingsNode {
        try SettingsNode(folders[index], log, secret: Self.new, old: opens)
    }

    /// Lets nodes know of one another.
    private func count(_ nodes: [SettingsNode]) {
        for _ in 0..<KeyChoice.enough {
            for node in nodes { node.settings.note(readers: nodes.map(\.settings.seal.marks)) }
        }
    }

    @Test("Node by node: all follow all the time, and the new key is used when every node has it") func rolling()
        async throws
    {
        var nodes = try (0..<3).map(old)
        for node in nodes { await node.look() }
        for round in 0..<3 {
            try nodes[round].close()
            nodes[round] = try new(round)
            await nodes[round].look()
            count(nodes)
            for (index, node) in nodes.enumerated() {
                _ = try await node.sources.make("WK-\(round)-\(index)", name: nil)
            }
            for node in nodes {
                await node.look()
                #expect(node.settings.state == .following)
            }
            #expect(nodes[round].settings.usesNewKey == (round == 2))
        }
        // The first record is the old key's.
        #expect(await nodes[0].settings.needsOldKey() == true)
        let last = try #require(await log.content.last)
        let place = UInt64(await log.content.count)
        #expect(throws: Never.self) {
            try ChangeSeal(secret: Self.new).open(LogRecord(place: place, bytes: last))
        }
        for node in nodes { #expect(try await node.rows() == nodes[0].rows()) }
    }

    @Test("A node without the new key says which option it lacks, and goes on when it has it") func left() async throws
    {
        let (one, other) = (try old(0), try old(1))
        _ = try await one.sources.make("WK", name: nil)
        await other.look()
        try one.close()
        let renewed = try new(0)
        await renewed.look()
        count([renewed])
        _ = try await renewed.sources.make("WK-2", name: nil)
        await other.look()
        #expect(other.settings.state.isDiverged)
        #expect("\(other.settings.state)".contains("another key; --cluster-key-file has to be the same on all nodes"))
        #expect(await other.sources.all().map(\.writeKey) == ["WK"])
        try other.close()
        let again = try new(1)
        await again.look()
        #expect(again.settings.state == .following)
        #expect(try await again.rows() == renewed.rows())
    }

    @Test("A node that has only the new key says that it needs the earlier one", arguments: [false, true])
    func withoutOld(_ hasJoined: Bool) async throws {
        let one = try old(0)
        _ = try await one.sources.make("WK", name: nil)
        if hasJoined {
            let other = try old(1)
            await other.look()
            try other.close()
        }
        let before = await log.content.count
        let renewed = try new(1, opens: [])
        await renewed.look()
        #expect(renewed.settings.state.isDiverged)
        #expect("\(renewed.settings.state)".contains("a key of before belongs in --cluster-old-key-file"))
        await #expect(throws: Refusal.self) { _ = try await renewed.sources.make("WK-2", name: nil) }
        #expect(await log.content.count == before)
    }

    @Test("A cluster that began with the key needs no old one") func fresh() async throws {
        let node = try old(0)
        #expect(await node.settings.needsOldKey() == false)
        _ = try await node.sources.make("WK", name: nil)
        #expect(await node.settings.needsOldKey() == false)
        #expect(node.settings.usesNewKey)
        await log.setAway(true)
        #expect(await node.settings.needsOldKey() == nil)
    }
}
