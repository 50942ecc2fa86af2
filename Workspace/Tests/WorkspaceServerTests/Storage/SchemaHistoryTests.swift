import Crypto
import Foundation
import GRDB
import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The versions of the tables") struct SchemaHistoryTests {
    /// The digest of the statements of each version that was ever written. A new version adds a line; no line changes.
    private static let digests = [
        15: "d3e18504522b531b", 16: "ac5ca72d92de2775", 17: "aa858d63799a5a3c", 18: "08fe8fd53b3db54e",
        19: "5465dedaa11cb659", 20: "dd4d4643d8b76fd1", 21: "4ff3a182d14419e6",
        22: "cb44c55896d5fdca", 23: "7011e30be2f80828", 24: "3bf313b96ff38d1f", 25: "e8e17087c96768b5",
        26: "5e5e47a54c7b49f5",
        27: "31c628754667816e", 28: "390807d0965b8fc8", 29: "bf1adad30bf3bb6e",
        30: "6f37a151d0fea48f", 31: "34b2bde0d3c3450c",
    ]

    @Test("The tables of a version do not change any more") func released() {
        for version in Schema.history.readable {
            let history = Schema.history.through(version)
            let statements = version == history.oldest ? history.tables : history.steps.suffix(1)
            let digest = SHA256.hash(data: Data(statements.joined(separator: ";\n").utf8)).hexadecimal.prefix(16)
            #expect(
                Self.digests[version].map { $0 == digest } == true,
                "version \(version) is \(digest); tables change by a new step, and its digest is added here")
        }
    }

    @Test("Nodes of the version before can share settings with this one") func rule() async throws {
        let violations = try await SchemaRule(Schema.history).violations()
        #expect(violations == [])
    }

    @Test(
        "Steps that add columns with a default, tables and indexes keep to the rule",
        arguments: [
            "ALTER TABLE source ADD COLUMN region TEXT NOT NULL DEFAULT 'eu'; ALTER TABLE audit ADD COLUMN note TEXT",
            "CREATE TABLE other (id INTEGER PRIMARY KEY) STRICT; CREATE INDEX auditAt ON audit (at)",
            // Tables of one node may change in any way.
            "DROP TABLE sweep; UPDATE counter SET value = 0",
        ]) func good(_ step: String) async throws
    {
        let violations = try await SchemaRule(Schema.history.next(step)).violations()
        #expect(violations == [])
        let later = Schema.history.next(step).next("ALTER TABLE notice ADD COLUMN level TEXT")
        let since = try await SchemaRule(later).violations()
        #expect(since == [])
    }

    @Test(
        "Steps that change what older versions rely on are found",
        arguments: [
            ("UPDATE source SET name = upper(name)", "other rows in source"),
            ("ALTER TABLE source DROP COLUMN plan", "source does not begin with the same columns"),
            ("ALTER TABLE source RENAME COLUMN name TO title", "source does not begin with the same columns"),
            ("CREATE UNIQUE INDEX sourceName ON source (name)", "source has other unique keys"),
            ("ALTER TABLE source ADD COLUMN region TEXT; UPDATE source SET region = name", "other rows in source"),
            (
                "CREATE TRIGGER renamed AFTER INSERT ON audit BEGIN UPDATE source SET name = 'x'; END",
                "audit has other triggers"
            ),
            (
                """
                DROP TABLE notice; CREATE TABLE notice (
                    sequence INTEGER PRIMARY KEY AUTOINCREMENT, level TEXT NOT NULL DEFAULT '', at INTEGER NOT NULL, body BLOB NOT NULL
                ) STRICT
                """, "notice does not begin with the same columns"
            ),
            (
                """
                ALTER TABLE notice RENAME TO old; CREATE TABLE notice (
                    sequence INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, body BLOB NOT NULL, level TEXT NOT NULL
                ) STRICT; INSERT INTO notice SELECT *, 'x' FROM old; DROP TABLE old
                """, "notice.level has no value"
            ),
        ]) func bad(_ step: String, _ reason: String) async throws
    {
        let violations = try await SchemaRule(Schema.history.next(step)).violations()
        #expect(violations.contains { $0.contains(reason) }, "\(violations)")
    }

    @Test("An older folder is brought up to date with its rows, and its version refuses it then") func update() throws {
        let folder = try TemporaryFolder()
        func open(_ schema: SchemaHistory) throws -> Store {
            try Store(folder: DataFolder(path: folder.path), schema: schema)
        }
        let old = try open(Schema.history)
        try old.ensureSources(writeKeys: ["WK"], now: 1)
        try old.close()
        let schema = Schema.history.next("ALTER TABLE source ADD COLUMN region TEXT NOT NULL DEFAULT 'eu'")
        for _ in 0..<2 {
            let new = try open(schema)
            let region = try new.pool.read { try String.fetchOne($0, sql: "SELECT writeKey || region FROM source") }
            #expect(region == "WKeu")
            try new.close()
        }
        #expect {
            _ = try open(Schema.history)
        } throws: { ($0 as? WorkspaceError)?.reason == .newerDataFolder }
    }

    @Test("A step that fails leaves the folder as it was") func failure() throws {
        let folder = try TemporaryFolder()
        try Store.testing(folder).close()
        let schema = Schema.history.next("ALTER TABLE source ADD COLUMN region TEXT; SELECT * FROM missing")
        #expect(throws: WorkspaceError.self) { try Store(folder: DataFolder(path: folder.path), schema: schema) }
        try Store.testing(folder).close()
    }
}
