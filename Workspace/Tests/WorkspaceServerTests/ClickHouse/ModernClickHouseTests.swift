import ClusterTestKit
import Foundation
import Testing

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("A current version of ClickHouse keeps to the contract of storages", ColumnStores.isModernInstalled, .serialized)
struct ModernClickHouseContractTests {
    @Test(
        "A current version of ClickHouse obeys the rules of the contract",
        arguments: EventStorageContract.Rule.allCases)
    func keepsTo(_ rule: EventStorageContract.Rule) async throws {
        let storage = try await ClickHouseStorage(ColumnStores.settings(.modern))
        try await EventStorageContract(storage: storage).check(rule)
    }
}

@Suite("A current version of ClickHouse", ColumnStores.isModernInstalled, .serialized) struct ModernClickHouseTests {
    private func block(_ id: String) -> EventBlock {
        let event = StoredEvents.event(id)
        let row = EventBlock.Row(
            identity: event.identity(in: 1), number: 1, day: Day(milliseconds: StoredEvents.noon),
            receivedAt: StoredEvents.noon, content: .event(event))
        return EventBlock(identity: .init(epoch: 1, after: 0, through: 1), storedAt: 1, rows: [row])
    }

    /// What the server was asked about a database.
    private func requests(_ settings: ClickHouseSettings, _ word: String) async throws -> [ModernClickHouse.Request] {
        try await ColumnStores.modern.requests().filter { request in
            request.statement?.contains("\(settings.database).\(ClickHouseTable.name)") == true
                && request.statement?.hasPrefix(word) == true
        }
    }

    private func notes(_ findings: [CheckFinding]) -> [String] {
        Set(findings.filter { $0.verdict != .fine }.map { "\($0.setting) \($0.verdict)" }).sorted()
    }

    @Test("It takes all settings that a node sends with an insert, and with a read with a quorum")
    func settings() async throws {
        let settings = try await ColumnStores.settings(.modern)
        let storage = try await ClickHouseStorage(settings)
        for _ in 1...2 { try await storage.append(block("a")) }
        try await storage.append(block("b"))
        let inserts = try await requests(settings, "INSERT")
        #expect(inserts.count == 3)
        for insert in inserts {
            #expect(insert.code == nil)
            var sent = insert.settings
            sent["insert_deduplication_token"] = nil
            #expect(
                sent == [
                    "async_insert": "0", "insert_quorum": "2", "insert_quorum_parallel": "0",
                    "insert_quorum_timeout": "8000", "max_insert_block_size": "1048576",
                    "max_partitions_per_insert_block": "0", "insert_keeper_max_retries": "0",
                ])
        }
        let tokens = inserts.compactMap { $0.settings["insert_deduplication_token"] }
        #expect(tokens.count == 3 && tokens[0] == tokens[1] && tokens[1] != tokens[2])
        _ = try await storage.rows(RowQuery(.events))
        let reads = try await requests(settings, "SELECT kind, source")
        #expect(!reads.isEmpty)
        #expect(reads.allSatisfy { $0.settings == ["select_sequential_consistency": "1"] && $0.code == nil })
    }

    @Test("A block with rows of very many days is stored") func manyDays() async throws {
        let storage = try await ClickHouseStorage(ColumnStores.settings(.modern))
        // It refuses more than 100 unless it is told otherwise.
        let rows = (1...120).map { number in
            let event = StoredEvents.event("m-\(number)", at: StoredEvents.day(Int64(number)))
            return EventBlock.Row(
                identity: event.identity(in: 1), number: Int64(number), day: Day(milliseconds: event.times.receivedAt),
                receivedAt: event.times.receivedAt, content: .event(event))
        }
        try await storage.append(
            EventBlock(identity: .init(epoch: 1, after: 0, through: 1), storedAt: 1, rows: rows))
        #expect(try await storage.days().count == 120)
    }

    @Test("Its errors are known: a syntax that it does not take is lasting, and a table that is not there is not")
    func errors() async throws {
        let client = ClickHouseClient(try await ColumnStores.settings(.modern))
        for (statement, code, isPassing) in [
            ("SELECT", 62, false), ("SELECT nothing", 47, false), ("SELECT 1 FROM nowhere", 60, true),
            ("SELECT nowhere()", 46, false), ("SELECT 1 SETTINGS nothing = 1", 115, false),
        ] {
            let error = await #expect(throws: ClickHouseError.self) {
                try await client.run(ClickHouseQuery(statement), on: 0)
            }
            guard case .refused(let found, let text) = error else { continue }
            #expect(found == code, "\(text)")
            #expect(error?.isPassing == isPassing)
        }
    }

    @Test("A wrong password is refused, and not tried again") func password() async throws {
        let server = try await ModernClickHouse(password: "secret")
        var settings = try ClickHouseSettings(hosts: [server.address], database: "test")
        (settings.user, settings.password) = ("default", "wrong")
        let error = await #expect(throws: ClickHouseError.self) { try await opened(settings) }
        guard case .refused(516, _) = error else {
            Issue.record("\(error.map(String.init(describing:)) ?? "nothing") is no refusal of a password")
            return
        }
        #expect(try server.requests().count == 1)
        settings.password = "secret"
        try await ClickHouseStorage(settings).append(block("a"))
    }

    @Test("The advice for a table that remembers too few blocks mends it") func advice() async throws {
        var settings = try await ColumnStores.settings(.modern)
        settings.knownBlocks = 100
        let storage = try await ClickHouseStorage(settings)
        settings.knownBlocks = 10_000
        let error = await #expect(throws: ClickHouseError.self) { try await opened(settings) }
        let text = "\(try #require(error))"
        let statement = try #require(text.split(separator: ": ").last)
        #expect(statement.hasPrefix("ALTER TABLE"))
        try await storage.client.run(ClickHouseQuery(String(statement)), on: 0)
        try await opened(settings)
    }

    @Test("The check of a cluster sees its version, its settings as text and its table, and that it has no ZooKeeper")
    func check() async throws {
        let settings = try await ColumnStores.settings(.modern)
        let storage = try await ClickHouseStorage(settings)
        let facts = await StoreQueries.facts(settings)
        let host = try #require(facts.hosts.first)
        #expect(host.failure == nil)
        #expect(host.version.hasPrefix("26."))
        #expect(host.unseen == [:])
        #expect(host.columns == ClickHouseTable.columns.map(\.name))
        #expect(Set(host.settings.keys) == Set(StoreUserCheck.names))
        #expect(host.settings["async_insert"] == .init("1"))
        #expect(host.settings["insert_quorum_parallel"] == .init("1"))
        #expect(host.settings["deduplicate_insert"] == .init("enable"))
        let findings = StoreCheck.findings(facts, settings)
        // All three addresses are one server.
        #expect(notes(findings) == ["keeper wrong", "names of replicas wrong"])
        #expect(findings.contains { $0.setting == "keeper" && $0.found == "not configured" })
        #expect(findings.contains { $0.setting == "async_insert" && $0.found == "0, sent with each insert" })
        let change = "ALTER TABLE \(storage.table) MODIFY SETTING replicated_deduplication_window = 100"
        try await storage.client.run(ClickHouseQuery(change), on: 0)
        #expect(
            notes(StoreCheck.findings(await StoreQueries.facts(settings), settings)).contains(
                "replicated_deduplication_window wrong"))
    }

    @Test(
        "With a ZooKeeper it makes the replicated table as a node states it, and the check sees that it takes no rows",
        ColumnStores.isModernReplicaInstalled)
    func replicated() async throws {
        let server = try await ModernClickHouse(hasZooKeeper: true)
        var settings = try ClickHouseSettings(hosts: [server.address], database: "made")
        settings.patience = 1
        let storage = try await ClickHouseStorage(settings)
        let facts = await StoreQueries.facts(settings)
        let host = try #require(facts.hosts.first)
        #expect(
            host.engine == """
                ReplicatedReplacingMergeTree('/tributary/made/rows', '{replica}', version) PARTITION BY day \
                ORDER BY (kind, slot, source, key) SETTINGS replicated_deduplication_window = 10000, \
                replicated_deduplication_window_seconds = 604800, old_parts_lifetime = 60, index_granularity = 8192, \
                fsync_after_insert = 1, fsync_part_directory = 1
                """)
        let replica = try #require(host.replica)
        #expect((replica.name, replica.path) == ("modern", "/tributary/made/rows"))
        #expect(replica.isReadOnly)
        #expect(notes(StoreCheck.findings(facts, settings)).contains("copy of the table warning"))
        // A server that has lost its ZooKeeper says so at once, so that a node asks another one.
        #expect(try await refusal(of: storage) == 242)
        settings = try ClickHouseSettings(hosts: Array(repeating: server.address, count: 3), database: "made")
        settings.patience = 1
        #expect(try await refusal(of: ClickHouseStorage(settings)) == 285, "there are fewer replicas than a quorum")
        let quorums = try server.requests().filter { $0.code == 285 }
        #expect(!quorums.isEmpty)
        #expect(quorums.allSatisfy { $0.settings["insert_quorum"] == "2" })
    }

    /// The number of the error that an insert is refused with.
    private func refusal(of storage: ClickHouseStorage) async throws -> Int? {
        let error = await #expect(throws: ClickHouseError.self) { try await storage.append(block("a")) }
        #expect(error?.isPassing == true)
        guard case .refused(let code, _) = error else { return nil }
        return code
    }

    private func opened(_ settings: ClickHouseSettings) async throws { _ = try await ClickHouseStorage(settings) }
}
