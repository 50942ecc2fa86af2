import Foundation
import GRDB
import Testing
import TributaryJSON

@testable import WorkspaceServer

@Suite("Events as tables of this process") struct SQLiteWarehouseTests {
    private static func row(_ id: String, _ event: JSON, at time: String = "2026-11-24T10:00:00.000Z") -> JSON {
        var event = event
        event["messageId"] = .string(id)
        return [
            "messageId": .string(id), "timestamp": .string(time), "receivedAt": .string(time), "event": event,
        ]
    }

    private static func track(_ id: String, _ name: String, _ properties: JSON, user: String = "u-1") -> JSON {
        row(
            id,
            [
                "type": "track", "event": .string(name), "userId": .string(user), "anonymousId": "a-1",
                "properties": properties,
            ])
    }

    private static func ask(
        _ tables: SQLiteWarehouse, _ sql: String, limit: Int = 100
    ) async throws -> SQLiteWarehouse.Answer { try await tables.answer(sql, limit: limit, seconds: 60) }

    @Test("An event name is a table with a column for each property, also when it gets columns and types later")
    func tables() async throws {
        let tables = try SQLiteWarehouse()
        try tables.add([
            Self.track("1", "Order Completed", ["total": 42.5, "paid": true, "code": 7]),
            Self.track("2", "Order Completed", ["total": 10, "shipping": ["city": "Łódź"]]),
        ])
        try tables.add([Self.track("3", "Order Completed", ["code": "007", "coupon": "x"], user: "u-2")])
        let answer = try await Self.ask(
            tables,
            """
            SELECT id, user_id, total, paid, code, shipping_city, coupon, timestamp FROM order_completed ORDER BY id
            """)
        #expect(
            answer.columns == ["id", "user_id", "total", "paid", "code", "shipping_city", "coupon", "timestamp"])
        let time: JSON = "2026-11-24T10:00:00.000Z"
        #expect(
            answer.rows == [
                ["1", "u-1", 42.5, 1, 7, .null, .null, time], ["2", "u-1", 10, .null, .null, "Łódź", .null, time],
                ["3", "u-2", .null, .null, "007", .null, "x", time],
            ])
        #expect(
            try await Self.ask(tables, "SELECT count(*), min(event_text) FROM tracks").rows == [[3, "Order Completed"]])
        #expect(try tables.tables().map(\.name) == ["identities", "order_completed", "tracks"])
        #expect(tables.events == 3)
    }

    @Test("Users have their latest traits, identities their first and last time, sessions all their events")
    func people() async throws {
        let tables = try SQLiteWarehouse()
        let identify: (String, JSON, String) -> JSON = { id, traits, time in
            Self.row(
                id,
                [
                    "type": "identify", "userId": "u-1", "anonymousId": "a-1", "traits": traits,
                    "context": ["sessionId": 5],
                ],
                at: time)
        }
        try tables.add([identify("1", ["plan": "free", "mail": "a@b.c"], "2026-11-24T10:00:00.000Z")])
        try tables.add([identify("2", ["plan": "pro"], "2026-11-25T10:00:00.000Z")])
        #expect(try await Self.ask(tables, "SELECT id, plan, mail FROM users").rows == [["u-1", "pro", "a@b.c"]])
        #expect(
            try await Self.ask(tables, "SELECT * FROM identities").rows == [
                ["a-1", "u-1", "2026-11-24T10:00:00.000Z", "2026-11-25T10:00:00.000Z"]
            ])
        #expect(
            try await Self.ask(tables, "SELECT id, started_at, ended_at, events FROM sessions").rows == [
                ["5", "2026-11-24T10:00:00.000Z", "2026-11-25T10:00:00.000Z", 2]
            ])
    }

    @Test("An empty table can be asked, and the answer says when rows are missing")
    func limits() async throws {
        let tables = try SQLiteWarehouse()
        #expect(try await Self.ask(tables, "SELECT * FROM pages").rows.isEmpty)
        try tables.add((0..<10).map { Self.track("\($0)", "A", [:]) })
        let cut = try await Self.ask(tables, "SELECT id FROM a ORDER BY id", limit: 9)
        #expect((cut.rows.count, cut.isCut) == (9, true))
        #expect(!(try await Self.ask(tables, "SELECT id FROM a", limit: 10).isCut))
    }

    @Test(
        "A text that is no query, or that would change something, is refused with the reason",
        arguments: [
            ("DELETE FROM tracks", "only reads"), ("DROP TABLE tracks", "only reads"), ("", "only reads"),
            ("CREATE TABLE t (a)", "only reads"), ("SELECT 1; SELECT 2", "multiple statements"),
            ("SELEC 1", "syntax error"), ("SELECT x FROM tracks", "no such column"),
            ("SELECT * FROM orders", "no such table"), ("VACUUM INTO 'x.sqlite'", "only reads"),
            ("ATTACH 'x.sqlite' AS x", "only reads"), ("PRAGMA journal_mode = WAL", "only reads"),
        ])
    func refused(sql: String, reason: String) async throws {
        let tables = try SQLiteWarehouse()
        try tables.add([Self.track("1", "A", [:])])
        let error = await #expect(throws: SQLiteWarehouse.QueryError.self) { try await Self.ask(tables, sql) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
        #expect(try await Self.ask(tables, "SELECT count(*) FROM tracks").rows == [[1]])
    }

    @Test("Before events come, only a mistake that they cannot heal is found")
    func check() throws {
        let tables = try SQLiteWarehouse()
        for sql in ["SELECT total FROM order_completed", "SELECT plan FROM users", "SELECT 1"] { try tables.check(sql) }
        for sql in ["SELEC 1", "SELECT count( FROM tracks", "DELETE FROM tracks", " ", "SELECT 1; SELECT 2"] {
            #expect(throws: SQLiteWarehouse.QueryError.self) { try tables.check(sql) }
        }
    }

    @Test("A query that takes too long is ended, and the next one runs")
    func slow() async throws {
        let tables = try SQLiteWarehouse()
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        let error = await #expect(throws: SQLiteWarehouse.QueryError.self) {
            try await tables.answer(endless, limit: 1, seconds: 0.05)
        }
        #expect(error?.description.contains("longer than") == true)
        #expect(try await Self.ask(tables, "SELECT 1").rows == [[1]])
    }

    @Test("Hostile names and values make no other statement and lose nothing")
    func hostile() async throws {
        let tables = try SQLiteWarehouse()
        let name = "x\"; DROP TABLE tracks; --"
        try tables.add([
            Self.track("1", name, ["a\"b": 1, "select": 2, "id": "mine", "\u{0}": 3, "": 4]),
            ["event": "no object"], ["messageId": 5], Self.row("2", ["type": "unknown"]),
        ])
        #expect(try await Self.ask(tables, "SELECT event_text FROM tracks").rows == [[.string(name)]])
        let own = try #require(try tables.tables().first { !["tracks", "identities"].contains($0.name) })
        let answer = try await Self.ask(tables, "SELECT id, _select, _extra FROM \"\(own.name)\"")
        #expect(answer.rows.first?.prefix(2) == ["1", 2])
        #expect(answer.rows.first?[2].stringValue?.contains("mine") == true)
    }
}
