import Testing
import TributaryJSON

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Checks of the store of a cluster") struct StoreCheckTests {
    private func settings(_ hosts: Int = 3) throws -> ClickHouseSettings {
        try ClickHouseSettings(hosts: (0..<hosts).map { "http://\($0):8123" }, database: "tributary")
    }

    private static let engine = """
        ReplicatedReplacingMergeTree('/tributary/tributary/rows', '{replica}', version) PARTITION BY day ORDER BY kind \
        SETTINGS replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800, \
        old_parts_lifetime = 60, index_granularity = 8192
        """

    private func facts(_ hosts: Int = 3, version: String = "18.16.1") -> StoreFacts {
        var facts = StoreFacts()
        for index in 0..<hosts {
            var host = StoreFacts.Host("http://\(index):8123")
            (host.version, host.macro, host.engine) = (version, "replica\(index)", Self.engine)
            if version != "18.16.1" { host.engine? += ", fsync_after_insert = 1, fsync_part_directory = 1" }
            host.columns = ClickHouseTable.columns.map(\.name)
            host.settings = ["readonly": .init("0"), "insert_deduplicate": .init("1"), "async_insert": .init("1")]
            var replica = StoreFacts.Replica()
            (replica.path, replica.replicas, replica.activeReplicas) = ("/tributary/tributary/rows", hosts, hosts)
            host.replica = replica
            facts.hosts.append(host)
        }
        return facts
    }

    /// What is not fine, as `setting verdict`.
    private func notes(_ facts: StoreFacts) throws -> [String] {
        let findings = StoreCheck.findings(facts, try settings(facts.hosts.count)).filter { $0.verdict != .fine }
        for finding in findings { #expect(!finding.advice.isEmpty) }
        return findings.map { "\($0.setting) \($0.verdict)" }
    }

    @Test("Three replicas with the table that a node made are fine, in an old and in a new version") func fine() throws
    {
        #expect(try notes(facts()) == [])
        #expect(try notes(facts(version: "26.5.1.1")) == [])
        let new = StoreCheck.findings(facts(version: "26.5.1.1"), try settings())
        #expect(new.contains { $0.setting == "async_insert" && $0.found == "0, sent with each insert" })
        #expect(new.contains { $0.setting == "insert_quorum_parallel" })
        #expect(try !StoreCheck.findings(facts(), settings()).contains { $0.setting == "async_insert" })
    }

    @Test("A table is fine before the first node makes it") func noTable() throws {
        var changed = facts()
        for index in changed.hosts.indices { (changed.hosts[index].engine, changed.hosts[index].replica) = (nil, nil) }
        #expect(try notes(changed) == [])
    }

    @Test("A short memory of blocks, another engine, and missing columns are wrong") func table() throws {
        var changed = facts()
        changed.hosts[0].engine = Self.engine.replacing("window = 10000", with: "window = 100")
        changed.hosts[1].engine = Self.engine.replacing("ReplicatedReplacingMergeTree", with: "MergeTree")
        changed.hosts[2].columns.removeFirst()
        #expect(
            try notes(changed)
                == ["replicated_deduplication_window wrong", "engine of the table wrong", "columns of the table wrong"])
        changed = facts()
        changed.hosts[0].engine =
            "ReplicatedReplacingMergeTree('/a', '{replica}', version) SETTINGS old_parts_lifetime = 480"
        #expect(
            try notes(changed) == [
                "replicated_deduplication_window wrong", "replicated_deduplication_window_seconds wrong",
                "old_parts_lifetime warning",
            ])
    }

    @Test("A newer server that does not sync inserts is a warning, unless its configuration says so for all tables")
    func syncs() throws {
        var changed = facts(version: "26.5.1.1")
        changed.hosts[0].engine = Self.engine
        #expect(try notes(changed) == ["fsync_after_insert warning", "fsync_part_directory warning"])
        changed.hosts[0].tableDefaults = ["fsync_after_insert": 0, "fsync_part_directory": 1]
        #expect(try notes(changed) == ["fsync_after_insert warning"])
        changed.hosts[0].tableDefaults["fsync_after_insert"] = 1
        #expect(try notes(changed) == [])
    }

    @Test("The advice about a table is possible in its version of the server") func advice() throws {
        for (version, expected) in [
            ("18.16.1", "rename tributary.rows"), ("26.5.1.1", "ALTER TABLE tributary.rows MODIFY"),
        ] {
            var changed = facts(version: version)
            changed.hosts[0].engine = changed.hosts[0].engine?.replacing("window = 10000", with: "window = 100")
            let finding = try #require(
                StoreCheck.findings(changed, settings()).first { $0.setting == "replicated_deduplication_window" })
            #expect(finding.advice.hasPrefix(expected))
        }
    }

    @Test("A profile that forbids settings, inserts or the recognition of blocks is wrong") func profile() throws {
        var changed = facts(version: "26.5.1.1")
        changed.hosts[0].settings["readonly"] = .init("1")
        changed.hosts[1].settings["insert_deduplicate"] = .init("0")
        changed.hosts[2].settings["async_insert"] = .init("1", isFixed: true)
        #expect(try notes(changed) == ["readonly wrong", "insert_deduplicate wrong", "async_insert wrong"])
        changed = facts(version: "26.5.1.1")
        changed.hosts[0].settings["insert_quorum"] = .init("2", isFixed: true)
        changed.hosts[1].settings["async_insert"] = .init("0", isFixed: true)
        #expect(try notes(changed) == ["insert_quorum wrong"])
    }

    @Test(
        "Newer versions have another setting for the recognition of blocks, which goes before the old one",
        arguments: [
            ("enable", "0", []), ("enable", "1", []), ("disable", "1", ["deduplicate_insert wrong"]),
            ("backward_compatible_choice", "1", []),
            ("backward_compatible_choice", "0", ["insert_deduplicate wrong"]), (nil, "0", ["insert_deduplicate wrong"]),
        ] as [(String?, String, [String])])
    func recognition(_ new: String?, _ old: String, _ expected: [String]) throws {
        var changed = facts(version: "26.5.1.1")
        changed.hosts[0].settings["insert_deduplicate"] = .init(old)
        changed.hosts[0].settings["deduplicate_insert"] = new.map { .init($0) }
        #expect(try notes(changed) == expected)
    }

    @Test("Servers without a name, or with the same one, are wrong") func macros() throws {
        var changed = facts()
        changed.hosts[0].macro = nil
        #expect(try notes(changed) == ["macro replica wrong"])
        changed.hosts[0].macro = "replica1"
        #expect(try notes(changed) == ["names of replicas wrong"])
        changed = facts()
        changed.hosts[0].replica?.path = "/other"
        #expect(try notes(changed) == ["path in keeper wrong"])
    }

    @Test("One replica is wrong, and two are a warning") func count() throws {
        #expect(try notes(facts(1)) == ["replicas wrong"])
        #expect(try notes(facts(2)) == ["replicas warning"])
    }

    @Test("A server without ZooKeeper is wrong; one that is away, read-only or behind is a warning") func away() throws
    {
        var changed = facts()
        changed.hosts[0].hasKeeper = false
        changed.hosts[1].keeperFailure = "the session has expired"
        #expect(try notes(changed) == ["keeper wrong", "keeper warning"])
        changed = facts()
        changed.hosts[0].failure = "no"
        changed.hosts[1].replica?.isReadOnly = true
        changed.hosts[2].replica?.delay = 3_600
        #expect(try notes(changed) == ["answers warning", "copy of the table warning", "copy of the table warning"])
        changed = facts()
        changed.hosts[0].replica?.activeReplicas = 2
        #expect(try notes(changed) == ["replicas of the table warning"])
    }

    @Test("Tables that the user may not read are unseen, and an old or unknown version is wrong") func unseen() throws {
        var changed = facts()
        changed.hosts[0].unseen["the table"] = "not enough privileges"
        (changed.hosts[0].engine, changed.hosts[0].replica) = (nil, nil)
        changed.hosts[1].version = "1.1.54318"
        changed.hosts[2].version = "unknown"
        #expect(try notes(changed) == ["the table unseen", "version wrong", "version wrong"])
    }

    @Test("A quorum that is no majority is wrong") func quorum() throws {
        let settings = try ClickHouseSettings(
            hosts: ["http://0:1", "http://1:1", "http://2:1"], database: "tributary", quorum: 1)
        let wrong = StoreCheck.findings(facts(), settings).filter { $0.verdict == .wrong }
        #expect(wrong.map(\.setting) == ["insert_quorum"])
    }

    @Test("A check is fine only without notes, and its JSON has each finding") func whole() {
        let fine = CheckFinding(.log, "one", "version", found: "2.15.1")
        let unseen = CheckFinding(.log, "one", "sync_interval", found: "cannot be seen", .unseen, advice: "look")
        let wrong = CheckFinding(.store, "two", "keeper", found: "not configured", .wrong, advice: "do")
        #expect(EngineCheck([fine]).isFine)
        let check = EngineCheck([fine, unseen, wrong])
        #expect(!check.isFine)
        #expect(check.wrong == [wrong])
        #expect(check.noted == [unseen])
        #expect(check.json["fine"] == false)
        #expect(
            check.json["findings"]?.elements?.map { $0["verdict"]?.stringValue } == ["fine", "unseen", "wrong"])
        #expect(wrong.sentence == "ClickHouse, two, keeper: not configured; do")
    }

    @Test(
        "Versions are compared number by number",
        arguments: [("2.9.10", "2.10.0"), ("18.9", "18.16.1"), ("2.10.0-beta.1", "2.10.1"), ("18.16.1-lts", "19")])
    func versions(_ older: String, _ newer: String) throws {
        #expect(try #require(EngineVersion(older)) < #require(EngineVersion(newer)))
    }

    @Test("A text without a number is no version", arguments: ["", "v2", "lts", ".1", "99999999999999999999"])
    func noVersion(_ text: String) { #expect(EngineVersion(text) == nil) }
}
