import ClusterTestKit
import Foundation
import GRDB
import HTTPTypes
import Synchronization
import Testing

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Settings that nodes share, when something goes wrong") struct SettingsFaultTests {
    /// What happens to the next calls of the log.
    private final class Faults: Sendable {
        let next = Mutex<[MemoryChangeLog.Fault?]>([])

        func take() -> MemoryChangeLog.Fault? { next.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
        func plan(_ faults: [MemoryChangeLog.Fault?]) { next.withLock { $0 = faults } }
    }

    private let faults: Faults
    private let log: MemoryChangeLog
    private let folders: [TemporaryFolder]

    init() throws {
        let faults = Faults()
        self.faults = faults
        log = MemoryChangeLog { faults.take() }
        folders = try (0..<3).map { _ in try TemporaryFolder() }
    }

    private func node(_ index: Int, secret: String = SettingsNode.secret) throws -> SettingsNode {
        try SettingsNode(folders[index], log, secret: secret)
    }

    private func refusal(_ work: () async throws -> Void) async throws -> String {
        do {
            try await work()
        } catch let error as Refusal {
            #expect(error.reason == .unavailable)
            #expect(error.retryAfter != nil)
            return error.message
        }
        Issue.record("the change was not refused")
        return ""
    }

    private func reason(of node: SettingsNode) -> String {
        guard case .diverged(let reason) = node.settings.state else {
            Issue.record("the node has not diverged: \(node.settings.state)")
            return ""
        }
        return reason
    }

    // MARK: The log is away

    @Test("A node that starts while the log is away has its settings, and refuses changes") func coldStart()
        async throws
    {
        let first = try node(0)
        _ = try await first.sources.make("WK", name: "Shop")
        let rows = try await first.rows()
        let place = first.settings.place
        #expect(place > 0)
        try first.close()
        await log.setAway(true)
        let again = try node(0)
        await again.look()
        #expect(again.settings.state == .away("the log cannot be used now: it is away"))
        // By this a server knows that it may start.
        #expect(again.settings.place == place)
        #expect(await again.sources.source(ofClientWith: "WK")?.name == "Shop")
        let message = try await refusal { _ = try await again.sources.make("WK-2", name: nil) }
        #expect(message.contains("cannot be changed now") && message.contains("nothing was changed"))
        #expect(try await again.rows() == rows)
        // What changes nothing needs no log.
        try await again.store.pruneDeadLetters(before: .max)
        await log.setAway(false)
        _ = try await again.sources.make("WK-2", name: nil)
        #expect(again.settings.state == .following)
    }

    @Test("A change while the log is known to be away fails without a wait") func failsFast()
        async throws
    {
        var options = SharedSettings.Options.testing
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        options.wait = { _ in
            ask.yield()
            let (never, hold) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
            hold.finish()
            throw CancellationError()
        }
        let node = try SettingsNode(folders[0], log, options: options)
        await log.setAway(true)
        let following = Task { await node.settings.follow() }
        for await _ in asked { break }
        let calls = await log.calls
        let message = try await refusal { _ = try await node.sources.make("WK", name: nil) }
        #expect(message.contains("it is away"))
        #expect(await log.calls == calls)
        following.cancel()
        await following.value
    }

    @Test("An append counts although its answer is lost") func lostAnswer() async throws {
        let (one, other) = (try node(0), try node(1))
        await one.look()
        faults.plan([nil, .lostAnswer])
        _ = try await one.sources.make("WK", name: nil)
        await other.look()
        #expect(await other.sources.source("WK") != nil)
        #expect(try await other.rows() == one.rows())
    }

    @Test(
        "When nobody knows whether a change was made, the answer says so, and it is made once or never",
        arguments: [MemoryChangeLog.Fault.lostAnswer, .unavailable, .late])
    func unknown(_ fault: MemoryChangeLog.Fault) async throws {
        let (one, other) = (try node(0), try node(1))
        await one.look()
        let before = await log.content.count
        // The look at the log fails, too.
        faults.plan([nil, fault, .unavailable])
        let message = try await refusal { _ = try await one.sources.make("WK", name: nil) }
        #expect(message.contains("may have been changed"))
        await one.look()
        #expect(await one.sources.source("WK") != nil || fault == .unavailable)
        do {
            _ = try await one.sources.make("WK", name: nil)
            #expect(fault == .unavailable)
        } catch let error as Refusal {
            #expect(error.reason == .conflict)
        }
        #expect(await log.content.count == before + 1)
        await other.look()
        #expect(try await other.rows() == one.rows())
    }

    @Test("A late append does not get behind a change that was made meanwhile") func late() async throws {
        let (one, other) = (try node(0), try node(1))
        for node in [one, other] { await node.look() }
        faults.plan([nil, .late, .unavailable])
        // The log carries it out with the next call, which is the look of the other node in front of its change.
        _ = try await refusal { _ = try await one.sources.make("WK", name: "one") }
        await #expect(throws: Refusal.self) { _ = try await other.sources.make("WK", name: "other") }
        await one.look()
        #expect(try await one.rows() == other.rows())
        #expect(await one.sources.source("WK")?.name == "one")
    }

    @Test("A caller that goes away does not stop its change halfway") func cancelled() async throws {
        let node = try node(0)
        let change = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await node.sources.make("WK", name: nil)
        }
        _ = try await change.value
        #expect(await node.sources.source("WK") != nil)
    }

    // MARK: What does not fit

    @Test("A node with another key follows nothing and changes nothing", arguments: [false, true])
    func wrongKey(_ hasJoined: Bool) async throws {
        let one = try node(0)
        _ = try await one.sources.make("WK", name: nil)
        if hasJoined {
            let other = try node(1)
            await other.look()
            try other.close()
        }
        let other = try node(1, secret: "another secret of an operator")
        await other.look()
        #expect(reason(of: other).contains("--cluster-key"))
        let before = await log.content.count
        let message = try await refusal { _ = try await other.sources.make("WK-2", name: nil) }
        #expect(message.contains("--cluster-key"))
        #expect(await log.content.count == before)
        #expect(await other.sources.source("WK") != nil || !hasJoined)
    }

    @Test("A changed, moved or repeated record stops the node before it") func tampered()
        async throws
    {
        for kind in ["changed", "moved", "repeated"] {
            let log = MemoryChangeLog()
            let one = try SettingsNode(TemporaryFolder(path: folders[0].path + "/" + kind), log)
            let other = try SettingsNode(TemporaryFolder(path: folders[1].path + "/" + kind), log)
            _ = try await one.sources.make("WK", name: nil)
            await other.look()
            _ = try await one.sources.make("WK-2", name: nil)
            _ = try await one.sources.make("WK-3", name: nil)
            let records = await log.content
            switch kind {
            case "changed": await log.replace(3, by: records[2].dropLast() + [records[2].last! ^ 1])
            case "moved": await log.replace(3, by: records[3])
            default: await log.replace(3, by: records[1])
            }
            await other.look()
            #expect(reason(of: other).contains("the change 3 of the settings was changed, or put to another place"))
            #expect(await other.sources.all().map(\.writeKey) == ["WK"])
            #expect(other.settings.place == 2)
        }
    }

    @Test("A row that is not as it was stops the node, and nothing of the change is applied") func conflict()
        async throws
    {
        let (one, other) = (try node(0), try node(1))
        _ = try await one.sources.make("WK", name: nil)
        await other.look()
        let place = other.settings.place
        try await other.store.pool.write { db in try db.execute(sql: "UPDATE source SET name = 'by hand'") }
        _ = try await one.sources.put("WK", name: "Shop")
        _ = try await one.sources.make("WK-2", name: nil)
        await other.look()
        #expect(
            reason(of: other).contains(
                "a change of the table source does not fit: a row that it changes has other values"))
        #expect(other.settings.place == place)
        #expect(await other.sources.all().map(\.writeKey) == ["WK"])
        #expect(try await other.rows()["audit"]?.count == 1)
        let message = try await refusal { _ = try await other.sources.make("WK-3", name: nil) }
        #expect(message.contains("does not follow the settings of the cluster any more"))
        // It does not go on by itself.
        await other.look()
        #expect(other.settings.place == place)
    }

    @Test("A shared row that would point nowhere stops the node") func brokenReference() async throws {
        let (one, other) = (try node(0), try node(1))
        let source = try await one.sources.make("WK", name: nil)
        await other.look()
        try await other.store.pool.write { db in
            try db.execute(
                sql: "INSERT INTO sourceKey (key, source, name, createdAt) VALUES ('K', ?, 'by hand', 1)",
                arguments: [source.id])
        }
        _ = try await one.store.removeSource(source, events: 0, by: .server, now: 2)
        await other.look()
        #expect(reason(of: other).contains("point at rows that are gone"))
        #expect(try await other.rows()["source"]?.count == 1)
    }

    @Test("A log that lost changes is not believed at once, and then stops the node") func wentBack() async throws {
        let node = try node(0)
        _ = try await node.sources.make("WK", name: nil)
        await log.cut(behind: 1)
        for _ in 1..<node.settings.options.shortLogs {
            await node.look()
            #expect(node.settings.state == .away("the log ends at 1, and it had the record 2: it went back"))
        }
        await node.look()
        #expect(reason(of: node).contains("it went back"))
    }

    @Test("A log that was deleted and made again stops the node") func replacedLog() async throws {
        let node = try node(0)
        _ = try await node.sources.make("WK", name: nil)
        await log.replace()
        await node.look()
        #expect(reason(of: node).contains("was deleted and made again"))
    }

    // MARK: Folders of before

    @Test("The settings of one machine become the settings of a new cluster") func founding() async throws {
        let alone = try Store.testing(folders[0])
        try alone.ensureSources(writeKeys: ["WK", "WK-2"], now: 1)
        let rows = try await SettingsNode.rows(alone.pool)
        try alone.close()
        let (one, other) = (try node(0), try node(1))
        await one.look()
        await other.look()
        #expect(try await one.rows() == rows)
        #expect(try await other.rows() == rows)
        _ = try await other.sources.addKey("KEY", name: "k", to: "WK")
        await one.look()
        #expect(try await other.rows() == one.rows())
    }

    @Test("A node that ended while it founded the cluster is still a part of it") func foundingTwice() async throws {
        let alone = try Store.testing(folders[0])
        try alone.ensureSources(writeKeys: ["WK"], now: 1)
        try alone.close()
        let one = try node(0)
        faults.plan([nil, .lostAnswer, .unavailable])
        await one.look()
        #expect(await log.content.count == 1)
        #expect(try await one.store.pool.read(AppliedChange.read) == nil)
        try one.close()
        let again = try node(0)
        await again.look()
        #expect(again.settings.state == .following)
        #expect(again.settings.place == 1)
        #expect(await log.content.count == 1)
    }

    @Test("A folder with settings of its own does not join a cluster that has others") func foreignFolder() async throws
    {
        _ = try await node(0).sources.make("WK", name: nil)
        let alone = try Store.testing(folders[1])
        try alone.ensureSources(writeKeys: ["OTHER"], now: 1)
        let rows = try await SettingsNode.rows(alone.pool)
        try alone.close()
        let other = try node(1)
        await other.look()
        #expect(reason(of: other).contains("this folder has settings of its own"))
        #expect(try await other.rows() == rows)
    }

    @Test("A folder of a cluster is not changed by a machine alone") func leftCluster() async throws {
        let node = try node(0)
        _ = try await node.sources.make("WK", name: nil)
        let rows = try await node.rows()
        try node.close()
        let alone = try Store.testing(folders[0])
        try alone.ensureSources(writeKeys: ["WK"], now: 2)
        let error = #expect(throws: WorkspaceError.self) { try alone.ensureSources(writeKeys: ["WK-2"], now: 2) }
        #expect(error?.description.contains("those of a cluster") == true)
        await #expect(throws: Refusal.self) { try await alone.addSources(["WK-2"], now: 2) }
        #expect(try await SettingsNode.rows(alone.pool) == rows)
    }
}
