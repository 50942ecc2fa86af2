import ClusterTestKit
import Foundation
import GRDB
import HTTPTypes
import Logging
import Testing
import TributaryJSON

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Settings that nodes share") struct SharedSettingsTests {
    private let log = MemoryChangeLog()
    private let folders: [TemporaryFolder]

    init() throws { folders = try (0..<3).map { _ in try TemporaryFolder() } }

    private func node(_ index: Int, secret: String = SettingsNode.secret) throws -> SettingsNode {
        try SettingsNode(folders[index], log, secret: secret)
    }

    private func refusal(_ work: () async throws -> Void) async throws -> Refusal {
        do {
            try await work()
        } catch let error as Refusal {
            return error
        }
        throw CancellationError()
    }

    @Test("Each table of the schema is either shared or not") func tables() async throws {
        let store = try Store.testing(folders[0])
        let all = try await store.pool.read { db in
            try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        }
        let named = SettingsTables.shared + SettingsTables.localOfSource + SettingsTables.local
        #expect(named.sorted() == all.sorted())
    }

    @Test("A change on one node reaches the others, with its entry in the audit log and in memory") func change()
        async throws
    {
        let nodes = try (0..<3).map { try node($0) }
        _ = try await nodes[0].sources.make("WK", name: "Shop")
        _ = try await nodes[1].sources.addKey("WK-2", name: "second", to: "WK")
        await nodes[2].look()
        #expect(await nodes[2].sources.source(ofClientWith: "WK-2")?.name == "Shop")
        #expect(try await nodes[2].store.newestAudit(of: "WK", limit: 9).count == 2)
        await nodes[0].look()
        let rows = try await nodes[0].rows()
        for node in nodes {
            #expect(try await node.rows() == rows)
            #expect(node.settings.state == .following)
        }
    }

    @Test("A change on one node answers the requests that another node holds for that source") func held() async throws
    {
        let waits = SettingsWaits(seconds: 45, limit: 10)
        let other = try SettingsNode(folders[1], log, onChange: { waits.noteChange(of: $0) })
        let one = try node(0)
        let shop = try await one.sources.make("WK", name: nil)
        _ = try await one.sources.make("OTHER", name: nil)
        await other.look()
        let before = waits.changes
        _ = try await one.sources.put("OTHER", name: "Other")
        let waiting = Task { await waits.wait(for: shop.id, after: before, until: .max) }
        while waits.count == 0 { await Task.yield() }
        await other.look()
        #expect(waits.count == 1)
        _ = try await one.sources.put("WK", name: "Shop")
        await other.look()
        #expect(await waiting.value == .changed)
    }

    @Test("Following applies changes by itself, and tells listeners") func following() async throws {
        let (one, other) = (try node(0), try node(1))
        let (changes, change) = AsyncStream.makeStream(of: Void.self)
        other.settings.whenChanged { change.yield() }
        let following = Task { await other.settings.follow() }
        _ = try await one.sources.make("WK", name: nil)
        for await _ in changes where await other.sources.source("WK") != nil { break }
        following.cancel()
        await following.value
    }

    @Test("All nodes have the same secret for digests of devices") func healthKey() async throws {
        let nodes = try (0..<3).map { try node($0) }
        await withTaskGroup(of: Void.self) { group in for node in nodes { group.addTask { await node.look() } } }
        for node in nodes { await node.look() }
        let keys = try await nodes[0].rows()[SettingsTables.healthKey]
        #expect(keys?.count == 1)
        for node in nodes { #expect(try await node.rows()[SettingsTables.healthKey] == keys) }
    }

    @Test("A refused change changes nothing, and takes no place in the log") func refused() async throws {
        let (one, other) = (try node(0), try node(1))
        _ = try await one.sources.make("WK", name: nil)
        let before = await log.content.count
        let error = try await refusal { _ = try await other.sources.make("WK", name: nil) }
        #expect(error.reason == .conflict)
        #expect(await log.content.count == before)
    }

    @Test("A change that changes nothing takes no place in the log") func nothing() async throws {
        let one = try node(0)
        try await one.store.addSources(["WK"], now: 1)
        let before = await log.content.count
        try await one.store.addSources(["WK"], now: 2)
        try await one.store.pruneDeadLetters(before: .max)
        #expect(await log.content.count == before)
    }

    @Test("A removal deletes every node's counts of the source, and the logins of a token") func removal()
        async throws
    {
        let nodes = try (0..<2).map { try node($0) }
        let source = try await nodes[0].sources.make("WK", name: nil)
        _ = try await nodes[0].store.putDestination(
            "D", of: source, .webhook, secret: Array("the secret".utf8), now: 1)
        let token = NamedToken(name: "T", role: .administer, digest: Data([7]), createdAt: 1)
        try await nodes[0].store.addToken(token)
        try await nodes[0].store.setLogin(Data([1]), (usedAt: 1, token: "T"))
        for node in nodes {
            await node.look()
            try await node.store.pool.write { db in
                try db.execute(
                    sql: """
                        INSERT INTO counter VALUES (?1, 'events', 1); INSERT INTO healthHour VALUES (?1, 1, '', x'7b7d');
                        INSERT INTO healthDevice VALUES (?1, x'01', 1, 1, 1, 0, 0);
                        INSERT INTO appVersion VALUES (?1, 1, x'7b7d', 1);
                        INSERT INTO rolloutDevice VALUES (?1, 'filters', 'version', x'01', x'7b7d')
                        """, arguments: [source.id, source.id, source.id, source.id, source.id])
            }
        }
        _ = try await nodes[0].store.removeSource(source, events: 0, by: .server, now: 2)
        try await nodes[1].store.removeToken(named: "T", now: 3)
        await nodes[0].look()
        for node in nodes {
            #expect(node.settings.state == .following)
            try await node.store.pool.read { db in
                for table in SettingsTables.localOfSource + ["source", "destination", "login"] {
                    let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)")
                    #expect(count == 0, "\(table)")
                }
                let entries = try Int.fetchOne(db, sql: "SELECT count(*) FROM audit")
                #expect(entries == 5)
            }
            #expect(await node.sources.all().isEmpty)
        }
    }

    @Test("A shorter retention waits once for all nodes, and a node that does not coordinate decides nothing")
    func retention() async throws {
        let nodes = try (0..<3).map { try node($0) }
        let source = try await nodes[0].sources.make("WK", name: nil)
        for node in nodes {
            await node.look()
            let batches = (-5...0).map {
                StoredEvents.batch(["m\($0)"], at: StoredEvents.day($0), source: source.id)
            }
            _ = try await node.store.write(batches, through: JournalOffset(epoch: 1, sequence: 1), now: { 1 })
        }
        let today = Day(milliseconds: StoredEvents.noon)
        func sweep(_ index: Int, day: Int64, _ retention: Int, coordinates: Bool = true) async throws -> Store.Swept {
            await nodes[index].look()
            return try await nodes[index].store.sweep(
                today.advanced(by: day), Retention(days: retention), isLasting: false, deletesDays: coordinates)
        }
        _ = try await sweep(0, day: 0, 90)
        // A node that has noted nothing itself coordinates, with a shorter retention.
        let first = try await sweep(1, day: 0, 1)
        #expect(first.removed == [])
        #expect(first.shorter?.from == today.advanced(by: 2))
        // The others begin with it later. The earlier configuration of a node that does not coordinate changes nothing.
        #expect(try await sweep(0, day: 1, 90, coordinates: false).shorter == first.shorter)
        #expect(try await sweep(2, day: 1, 1, coordinates: false).shorter == first.shorter)
        let then = try await sweep(2, day: 2, 1)
        #expect(then.removed.count == 6)
        await nodes[0].look()
        #expect(try await nodes[0].rows() == nodes[2].rows())
    }

    @Test("Numbers of the audit log and of messages to operators are given once") func numbers() async throws {
        let nodes = try (0..<2).map { try node($0) }
        for index in 0..<6 {
            let node = nodes[index % 2]
            try await node.store.change { db in
                try Store.log(db, AuditEntry(action: .tokenReplaced), by: .server, now: 1)
                try Store.addNotice("N", now: 1, db)
            }
            if index.isMultiple(of: 2) {
                let notice = try #require(try await node.store.oldestNotice())
                try await node.store.removeNotice(notice.sequence)
            }
        }
        await nodes[0].look()
        for node in nodes {
            let rows = try await node.rows()
            #expect(rows["audit"]?.map { $0["sequence"] as Int64 } == [1, 2, 3, 4, 5, 6])
            #expect(rows["notice"]?.map { $0["sequence"] as Int64 } == [4, 5, 6])
        }
    }

    @Test("A change of several records is one change") func parts() async throws {
        var options = SharedSettings.Options.testing
        options.partBytes = 100
        let (one, other) = (try SettingsNode(folders[0], log, options: options), try node(1))
        _ = try await one.sources.make("WK", name: String(repeating: "long", count: 100))
        #expect(await log.content.count > 6)
        await other.look()
        #expect(try await other.rows() == one.rows())
    }

    @Test("Samples of a roll-out that is over are forgotten on every node") func samples() async throws {
        let nodes = try (0..<2).map { try node($0) }
        let source = try await nodes[0].sources.make("WK", name: nil)
        await nodes[1].look()
        for node in nodes {
            try await node.store.pool.write { db in
                try db.execute(
                    sql: "INSERT INTO rolloutDevice VALUES (?, 'filters', 'version', x'01', x'7b7d')",
                    arguments: [source.id])
            }
        }
        _ = try await nodes[0].sources.deployFilters([], plan: RolloutPlan(stages: [5, 100], hold: 0), to: "WK")
        await nodes[1].look()
        for node in nodes {
            let count = try await node.store.pool.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM rolloutDevice")
            }
            #expect(count == 0)
        }
    }

    @Test("The log holds no secret in plain text") func secrets() async throws {
        let one = try node(0)
        let source = try await one.sources.make("PLAIN-WRITE-KEY", name: "plain name")
        _ = try await one.store.putDestination(
            "D", of: source, .webhook, secret: Array("plain secret".utf8), now: 1)
        let bytes = await log.content.flatMap(\.self)
        // Each text is long: two letters stand in a thousand sealed bytes by chance once in fifty times.
        for text in ["plain name", "plain secret", "PLAIN-WRITE-KEY", "example.com"] {
            #expect(!bytes.contains(Array(text.utf8)), "\(text)")
        }
    }

    @Test("Removed and renamed sources are so in the memory of other nodes") func reload() async throws {
        let (one, other) = (try node(0), try node(1))
        let source = try await one.sources.make("WK", name: nil)
        _ = try await one.sources.addKey("KEY", name: "k", to: "WK")
        await other.look()
        #expect(await other.sources.source(ofClientWith: "KEY") != nil)
        _ = try await one.store.removeSource(source, events: 0, by: .server, now: 2)
        await other.look()
        #expect(await other.sources.source("WK") == nil)
        #expect(await other.sources.source(ofClientWith: "KEY") == nil)
        _ = try await other.sources.make("WK", name: "again")
        #expect(await other.sources.source(ofClientWith: "WK")?.name == "again")
    }

    @Test("Tokens and logins of other nodes count, and revoked ones do not") func access() async throws {
        let (one, other) = (try node(0), try node(1))
        try await one.store.replaceAdminToken(by: AdminToken.digest(of: "first"), now: 1)
        await other.look()
        func access(_ node: SettingsNode) throws -> AdminAccess {
            let access = try AdminAccess(
                token: AdminToken.digest(of: "first"), store: node.store, environment: .testing,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            node.settings.whenChanged { try? await access.reload() }
            return access
        }
        let (here, there) = (try access(one), try access(other))
        let token = try await here.addToken(named: "T", role: .look)
        let grant = try #require(await here.grant(token))
        let secret = await here.login(grant)
        await other.look()
        #expect(await there.grant(token) == grant)
        #expect(await there.login(of: secret) == grant)
        let before = await log.content.count
        for _ in 0..<3 {
            _ = await there.grant(token)
            _ = await there.login(of: secret)
        }
        #expect(await log.content.count == before)
        try await there.revokeToken(named: "T")
        try await other.store.replaceAdminToken(by: AdminToken.digest(of: "second"), now: 2)
        await one.look()
        #expect(await here.grant(token) == nil)
        #expect(await here.login(of: secret) == nil)
        #expect(await here.grant("first") == nil)
        #expect(await here.grant("second") == .all)
    }
}

extension Store.DestinationChange {
    static var webhook: Store.DestinationChange {
        Store.DestinationChange(kind: .webhook, settings: ["url": "https://example.com/hook"])
    }
}
