import ClusterTestKit
import Foundation
import GRDB
import HTTPTypes
import Testing
import TributaryJSON

@testable import ClusterNATS
@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("JetStream keeps to the contract of logs of changes", JetStreams.isInstalled, .serialized)
struct JetStreamChangeLogContractTests {
    @Test(arguments: ChangeLogContract.Rule.allCases) func keepsTo(_ rule: ChangeLogContract.Rule) async throws {
        let connection = try await JetStreams.connection()
        defer { connection.close() }
        try await ChangeLogContract(JetStreamChangeLog(connection, name: JetStreams.name())).check(rule)
    }
}

@Suite("The log of settings in JetStream", JetStreams.isInstalled, .serialized) struct JetStreamChangeLogTests {
    /// A node with a folder of its own.
    private func node(
        _ log: any ChangeLog, options: SharedSettings.Options = SharedSettings.Options()
    ) throws -> ClusterNodeParts {
        let databases = try StoreDatabases(
            folder: DataFolder(path: NSTemporaryDirectory() + "settings-" + UUID().uuidString))
        let days = try databases.days()
        let seal = try ChangeSeal(secret: "a secret of the operator for tests")
        let (store, settings) = Store.ofCluster(databases, storage: days, log: log, seal: seal, options: options)
        return ClusterNodeParts(store: store, settings: settings)
    }

    private func remove(_ nodes: [ClusterNodeParts]) throws {
        for node in nodes {
            try node.store.close()
            try FileManager.default.removeItem(atPath: node.store.folder.path)
        }
    }

    @Test("Nodes change settings at once while each server is killed in turn, and end with the same ones")
    func killedServers() async throws {
        let engines = try await NATSEngines()
        let connections = try (0..<3).map { _ in try JetStreams.connection(to: engines) }
        defer { for connection in connections { connection.close() } }
        let nodes = try await withThrowingTaskGroup(of: ClusterNodeParts.self) { group in
            for connection in connections {
                group.addTask {
                    try self.node(
                        try await JetStreamChangeLog(connection, name: "settings", patience: .seconds(60)))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let following = nodes.map { node in Task { await node.settings.follow() } }
        for (round, server) in engines.servers.enumerated() {
            async let made: Void = makeSources(nodes, round)
            server.kill()
            try await made
            try server.start()
        }
        // The others follow by themselves.
        let sources = try await allSources(nodes, count: 3 * 3 * 8)
        for found in sources { #expect(found == sources[0]) }
        #expect(nodes[0].settings.state == .following)
        let entries = try await nodes[2].store.newestAudit(limit: 1_000)
        #expect(entries.count == 3 * 3 * 8)
        for task in following {
            task.cancel()
            await task.value
        }
        try remove(nodes)
    }

    /// Makes eight sources on each node, and tries again while the log is away.
    private func makeSources(_ nodes: [ClusterNodeParts], _ round: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, node) in nodes.enumerated() {
                group.addTask {
                    for step in 0..<8 {
                        let key = "source-\(round)-\(index)-\(step)"
                        while true {
                            do {
                                try await node.store.addSources([key], now: 1)
                                break
                            } catch let error as Refusal where error.reason == .unavailable {
                                await Task.yield()
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func allSources(
        _ nodes: [ClusterNodeParts], count: Int
    ) async throws -> [[String]] {
        var all: [[String]] = []
        for node in nodes {
            while true {
                let sources = try await node.store.pool.read { try Store.allSources($0) }
                if sources.count >= count || node.settings.state.isDiverged {
                    all.append(sources.map { "\($0.id) \($0.writeKey) \($0.revision)" })
                    break
                }
                await Task.yield()
            }
        }
        return all
    }

    @Test("A node starts and reads its settings without a majority, and changes them when there is one again")
    func noMajority() async throws {
        let engines = try await NATSEngines()
        let connection = try JetStreams.connection(to: engines)
        defer { connection.close() }
        let log = try await JetStreamChangeLog(connection, name: "settings", patience: .seconds(1))
        let node = try node(log)
        try await node.store.addSources(["WK"], now: 1)
        engines.servers[1].kill()
        engines.servers[2].kill()
        await #expect(throws: Refusal.self) { try await node.store.addSources(["WK-2"], now: 1) }
        #expect(try node.store.sources().map(\.writeKey) == ["WK"])
        try engines.servers[1].start()
        try engines.servers[2].start()
        while true {
            do {
                try await node.store.addSources(["WK-2"], now: 1)
                break
            } catch let error as Refusal where error.reason == .unavailable {
                await Task.yield()
            }
        }
        #expect(try node.store.sources().map(\.writeKey).sorted() == ["WK", "WK-2"])
        #expect(try await node.store.newestAudit(of: "WK-2", limit: 9).count == 1)
        try remove([node])
    }

    /// Looks into the log, and does what a coordinating node does.
    private func look(_ node: ClusterNodeParts) async {
        await node.settings.turns.run {
            await node.settings.lookIntoLog()
            await node.settings.maintainLog()
        }
    }

    @Test("The log is trimmed behind snapshots, and nodes that join or were away begin with one") func snapshots()
        async throws
    {
        let connection = try await JetStreams.connection()
        defer { connection.close() }
        let log = try await JetStreamChangeLog(connection, name: JetStreams.name())
        var options = SharedSettings.Options()
        (options.recordsForSnapshot, options.partBytes) = (5, 400)
        let (one, away) = (try node(log, options: options), try node(log))
        one.settings.coordinate { true }
        await look(one)
        await look(away)
        for index in 0..<20 {
            try await one.store.addSources(["WK-\(index)"], now: 1)
            await look(one)
        }
        let first = try await log.standing().first
        #expect(first > away.settings.place + 1)
        let joined = try node(log)
        for node in [away, joined] {
            await look(node)
            #expect(node.settings.state == .following)
            #expect(try node.store.sources().map(\.writeKey) == one.store.sources().map(\.writeKey))
        }
        try remove([one, away, joined])
    }

    @Test("A stream that an older version made is used, and kept whole") func olderStream() async throws {
        let connection = try await JetStreams.connection()
        defer { connection.close() }
        let name = JetStreams.name()
        var settings = JetStreamChangeLog.settings(name, replicas: 3)
        settings["deny_purge"] = true
        _ = try await connection.ask("$JS.API.STREAM.CREATE.\(name)", JSON.object(settings).encoded()).result()
        let log = try await JetStreamChangeLog(connection, name: name)
        var options = SharedSettings.Options()
        options.recordsForSnapshot = 3
        let one = try node(log, options: options)
        one.settings.coordinate { true }
        for index in 0..<10 {
            try await one.store.addSources(["WK-\(index)"], now: 1)
            await look(one)
        }
        #expect(one.settings.state == .following)
        let standing = try await log.standing()
        #expect(standing.first == 1)
        #expect(standing.last > 11)
        await #expect(throws: LogError.self) { try await log.trim(before: 2) }
        // NATS refuses to change that.
        settings["deny_purge"] = false
        await #expect(throws: JetStreamFailure.self) {
            try await connection.ask("$JS.API.STREAM.UPDATE.\(name)", JSON.object(settings).encoded()).result()
        }
        try remove([one])
    }

    @Test("A stream that was deleted and made again is another log") func newStream() async throws {
        let connection = try await JetStreams.connection()
        defer { connection.close() }
        let name = JetStreams.name()
        let node = try node(try await JetStreamChangeLog(connection, name: name))
        try await node.store.addSources(["WK"], now: 1)
        _ = try await connection.ask("$JS.API.STREAM.DELETE.\(name)").result()
        _ = try await JetStreamChangeLog(connection, name: name)
        await node.settings.turns.run { await node.settings.lookIntoLog() }
        #expect(node.settings.state.isDiverged)
        try remove([node])
    }
}

/// A node with its settings.
private struct ClusterNodeParts: Sendable {
    let store: Store
    let settings: SharedSettings
}

extension Store {
    /// The newest entries of the audit log.
    fileprivate func newestAudit(of writeKey: String? = nil, limit: Int) async throws -> [JSON] {
        var query = AuditQuery()
        (query.writeKey, query.limit) = (writeKey, limit)
        return try await audit(query).entries
    }
}
