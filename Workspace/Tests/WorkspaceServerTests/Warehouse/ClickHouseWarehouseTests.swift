import AsyncHTTPClient
import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// Loads into a real ClickHouse. Tables are read without `FINAL`, so a row that is there twice is seen.
@Suite(
    "A warehouse in ClickHouse", .enabled(if: ClickHouseServer.python != nil, "\(ClickHouseServer.reason)"),
    .timeLimit(.minutes(30)))
struct ClickHouseWarehouseTests {
    /// A database of its own with a warehouse.
    private struct Lake {
        let server: ClickHouseServer
        let database: String
        let warehouse: ClickHouseWarehouse

        init() async throws {
            server = try await ClickHouseServer.shared()
            database = await server.nextDatabase()
            warehouse = try server.warehouse(database)
        }

        @discardableResult
        func query(_ sql: String) async throws -> [[String?]] { try await server.query(sql, database: database) }

        func rows(_ columns: String, of table: String, _ more: String = "ORDER BY id") async throws -> [[String?]] {
            try await query("SELECT \(columns) FROM \(database).\(table) \(more)")
        }

        /// Loads events behind the present position; each is one number.
        @discardableResult
        func load(_ events: [JSON]) async throws -> Bool {
            let before = try await warehouse.open(local: 0)
            var next = before
            next.position += Int64(events.count)
            return try await warehouse.load(events.map { $0.encoded() }, from: before, to: next)
        }
    }

    private static func track(
        _ id: String, _ event: String, _ properties: JSON, user: String? = "u", session: String? = nil
    ) -> JSON {
        var json: JSON = [
            "type": "track", "messageId": .string(id), "event": .string(event), "anonymousId": "a",
            "properties": properties,
            "timestamp": "2026-11-24T10:00:00.123Z", "receivedAt": "2026-11-24T10:00:01.000Z",
        ]
        if let user { json["userId"] = .string(user) }
        if let session { json["context"] = ["session": ["id": .string(session)]] }
        return json
    }

    @Test("Values of all types come back as they were sent")
    func types() async throws {
        let lake = try await Lake()
        try await lake.load([
            Self.track(
                "1", "Order",
                [
                    "whole": 9_223_372_036_854_775_807, "fraction": 0.1, "yes": true,
                    "at": "2026-11-24T10:00:00.123456+02:00", "far": "1066-10-14T09:00:00Z",
                    "text": "tab\t line\n quote ' \" back \\ ä 🎉", "nul": "a\u{0}b", "list": [1, "x\\\n", .null],
                    "empty": "", "select": "reserved",
                    "huge": .number(try #require(try JSON.parse("18446744073709551616").numberValue)),
                ])
        ])
        let row = try await lake.rows(
            """
            toString(whole), toString(fraction), yes, at, far, text, nul, list, empty, _select, huge, event, event_text,
            user_id, timestamp, received_at
            """, of: "_order")
        #expect(
            row == [
                [
                    "9223372036854775807", "0.1", "true", "2026-11-24 08:00:00.123456", "1066-10-14T09:00:00Z",
                    "tab\t line\n quote ' \" back \\ ä 🎉", "a\u{fffd}b", #"[1,"x\\\n",null]"#, "", "reserved",
                    "18446744073709551616", "_order", "Order", "u", "2026-11-24 10:00:00.123000",
                    "2026-11-24 10:00:01.000000",
                ]
            ])
        let types = try await lake.query(
            """
            SELECT name, type FROM system.columns WHERE database = '\(lake.database)' AND table = '_order'
            AND name IN ('whole', 'fraction', 'yes', 'at', 'far', '_extra', 'id') ORDER BY name
            """)
        #expect(
            types == [
                ["_extra", "Nullable(String)"], ["at", "Nullable(DateTime64(6, 'UTC'))"],
                ["far", "Nullable(String)"], ["fraction", "Nullable(Float64)"], ["id", "String"],
                ["whole", "Nullable(Int64)"], ["yes", "Nullable(Bool)"],
            ])
    }

    @Test("Columns widen while rows are there, and keep what the rows had")
    func widening() async throws {
        let lake = try await Lake()
        let values: [JSON] = [1, 2.5, "much"]
        for (number, value) in values.enumerated() {
            try await lake.load([
                Self.track(
                    "m-\(number)", "Sale",
                    [
                        "total": value, "at": number == 2 ? "never" : "2026-11-24T10:00:00.5Z",
                        "ok": number == 2 ? 7 : true,
                    ])
            ])
        }
        #expect(
            try await lake.rows("total, at, ok", of: "sale") == [
                ["1", "2026-11-24T10:00:00.500000Z", "true"], ["2.5", "2026-11-24T10:00:00.500000Z", "true"],
                ["much", "never", "7"],
            ])
        #expect(try await lake.rows("toString(count())", of: "tracks", "") == [["3"]])
    }

    @Test("A column that another tool changed takes no values, which go into the column for all else")
    func changedColumn() async throws {
        let lake = try await Lake()
        try await lake.load([Self.track("1", "Sale", ["total": 1])])
        try await lake.query("ALTER TABLE \(lake.database).sale MODIFY COLUMN total Nullable(Decimal(18, 2))")
        // The warehouse learns of it by the refusal, and the next attempt puts the value elsewhere.
        let events = [Self.track("2", "Sale", ["total": 2]).encoded()]
        let before = try await lake.warehouse.open(local: 0)
        try await lake.query("ALTER TABLE \(lake.database).sale MODIFY COLUMN total Nullable(Decimal(18, 3))")
        var next = before
        next.position += 1
        #expect(try await lake.warehouse.load(events, from: before, to: next))
        #expect(
            try await lake.rows(
                "toString(total), JSONExtractInt(ifNull(_extra, ''), 'properties', 'total')", of: "sale")
                == [["1", "0"], [nil, "2"]])
        try await lake.query("ALTER TABLE \(lake.database).sale MODIFY COLUMN event_text Nullable(FixedString(9))")
        let error = await #expect(throws: ClickHouseFailure.self) {
            _ = try await lake.warehouse.load(
                [Self.track("3", "Sale", [:]).encoded()], from: next,
                to: WarehousePosition(
                    position: 9, lastSequence: 0, lastId: "", deletions: 0))
        }
        #expect(error?.meaning == .changedTables)
        try await lake.load([Self.track("3", "Sale", [:])])
        #expect(try await lake.rows("id", of: "sale") == [["1"], ["2"], ["3"]])
    }

    @Test("A load that was cut off is completed by the next one, and no row is there twice")
    func repetition() async throws {
        let lake = try await Lake()
        let events = (0..<50).map {
            Self.track("m-\($0)", $0 % 2 == 0 ? "Even" : "Odd", ["n": .number($0)], session: "s-1")
        }
        try await lake.load(Array(events[..<30]))
        // Some tables have their rows, others do not, and the position is as before.
        try await lake.query("ALTER TABLE \(lake.database).tracks DELETE WHERE id < 'm-2'")
        try await lake.query("ALTER TABLE \(lake.database).odd DELETE WHERE id = 'm-7'")
        try await lake.query("TRUNCATE TABLE \(lake.database)._tributary_positions")
        try await lake.load(events)
        for (table, count) in [("tracks", "50"), ("even", "25"), ("odd", "25")] {
            #expect(
                try await lake.rows("toString(count()), toString(uniqExact(id))", of: table, "") == [[count, count]])
        }
        #expect(
            try await lake.rows("id, anonymous_id, user_id, toString(events)", of: "sessions") == [
                ["s-1", "a", "u", "50"]
            ])
        #expect(try await lake.rows("anonymous_id, user_id", of: "identities", "") == [["a", "u"]])
        #expect(try await lake.warehouse.open(local: 0).position == 50)
    }

    @Test("A load from another position does nothing")
    func positions() async throws {
        let lake = try await Lake()
        let old = try await lake.warehouse.open(local: 7)
        #expect(old.position == 7)
        var next = old
        next.position = 8
        #expect(try await lake.warehouse.load([Self.track("1", "A", [:]).encoded()], from: old, to: next))
        #expect(try await lake.warehouse.load([Self.track("2", "A", [:]).encoded()], from: old, to: next) == false)
        #expect(try await lake.rows("id", of: "tracks") == [["1"]])
        #expect(try await lake.server.warehouse(lake.database).open(local: 3) == next)
        #expect(try await lake.server.warehouse(lake.database, destination: "Other").open(local: 3).position == 3)
    }

    @Test("Users have their latest traits, also when a trait gets another type")
    func users() async throws {
        let lake = try await Lake()
        func identify(_ id: String, _ hour: Int, _ traits: JSON) -> JSON {
            [
                "type": "identify", "messageId": .string(id), "userId": "u", "traits": traits,
                "receivedAt": .string("2026-11-24T1\(hour):00:00.000Z"),
            ]
        }
        try await lake.load([identify("1", 1, ["plan": "free", "age": 7])])
        try await lake.load([identify("2", 2, ["plan": "pro"])])
        try await lake.load([identify("0", 0, ["plan": "trial", "city": "Kiel", "age": "six"])])
        #expect(
            try await lake.rows("id, plan, age, city, received_at", of: "users") == [
                ["u", "pro", "7", "Kiel", "2026-11-24 12:00:00.000000"]
            ])
        #expect(try await lake.rows("toString(count())", of: "identifies", "") == [["3"]])
    }

    @Test(
        "Deleting a user deletes the rows of all tables, and those of devices without a user, and tells the database no id"
    )
    func deletion() async throws {
        let lake = try await Lake()
        try await lake.load([
            Self.track("1", "A", [:], session: "s"), Self.track("2", "A", [:], user: nil),
            Self.track("3", "B", [:], user: "other"),
            [
                "type": "identify", "messageId": "4", "userId": "u", "anonymousId": "a",
                "receivedAt": "2026-11-24T10:00:00Z",
            ],
        ])
        let before = try await lake.warehouse.open(local: 0)
        // Another connection deletes.
        #expect(try await lake.server.warehouse(lake.database).delete(userId: "u", anonymousIds: ["a"]) == 5)
        #expect(try await lake.rows("id", of: "tracks") == [["3"]])
        #expect(try await lake.rows("toString(count())", of: "a", "") == [["0"]])
        #expect(try await lake.rows("id", of: "users") == [])
        #expect(try await lake.rows("user_id", of: "identities", "") == [["other"]])
        let kept = try await lake.query(
            "SELECT toString(count()) FROM system.mutations WHERE database = '\(lake.database)' AND command LIKE '%''u''%'"
        )
        #expect(kept == [["0"]])
        // A load that had read its events before the deletion does not bring them back.
        var next = before
        next.position += 1
        #expect(try await lake.warehouse.load([Self.track("5", "A", [:]).encoded()], from: before, to: next) == false)
        #expect(try await lake.rows("id", of: "tracks") == [["3"]])
    }

    @Test("A wrong password and a server that is away are named, without the password")
    func errors() async throws {
        let server = try await ClickHouseServer.shared()
        let wrong = ClickHouseWarehouse(try server.place("d", password: "guess-word"), client: .shared)
        let refused = await #expect(throws: ClickHouseFailure.self) { _ = try await wrong.test() }
        #expect(refused?.code == 516)
        #expect(refused?.text.contains("--secret-file") == true, "\(refused?.text ?? "")")
        #expect(refused?.text.contains("guess-word") == false)
        let settings = try ClickHouseWarehouseSettings(["url": "http://127.0.0.1:1", "timeoutSeconds": 1])
        let place = settings.place(WarehouseKey(source: "s", destination: "d", madeAt: 1), password: [])
        let away = await #expect(throws: ClickHouseFailure.self) {
            _ = try await ClickHouseWarehouse(place, client: .shared).open(local: 0)
        }
        #expect(away?.text.hasPrefix("no answer from http://127.0.0.1:1: ") == true, "\(away?.text ?? "")")
        let good = try await server.warehouse(await server.nextDatabase()).test()
        #expect(good.hasPrefix("ClickHouse "), "\(good)")
    }
}

@Suite("Words of ClickHouse") struct ClickHouseWordsTests {
    @Test("Errors keep the words of the server, and no values of events")
    func errors() {
        let table: [(String, Int, WarehouseErrorMeaning, String)] = [
            (
                "Code: 516. DB::Exception: shop: Authentication failed. (AUTHENTICATION_FAILED) (version 26.5.1.1)",
                403,
                .unavailable,
                "the database says 516: shop: Authentication failed. (AUTHENTICATION_FAILED); set the right"
            ),
            (
                "Code: 60. DB::Exception: Code: 60. DB::Exception: Table d.t does not exist. (UNKNOWN_TABLE)\nmore",
                404,
                .changedTables, "the database says 60: Table d.t does not exist. (UNKNOWN_TABLE)"
            ),
            (
                "Code: 469. DB::Exception: Constraint `c` for table d.t is violated at row 1. Expression: (id != 'm-4'). Column values: id = 'm-4'.",
                500, .refusesRows, "the database says 469: Constraint `c` for table d.t is violated at row 1."
            ),
            (
                "<html>not here</html>", 502, .unavailable,
                "what answers is no ClickHouse, or something in front of it: it answers 502"
            ),
        ]
        for (answer, status, meaning, text) in table {
            let failure = ClickHouseFailure(status: status, answer: answer)
            #expect(failure.meaning == meaning)
            #expect(failure.text.hasPrefix(text), "\(failure.text)")
            #expect(!failure.text.contains("m-4"))
        }
    }

    @Test("Names and values are quoted, and times have microseconds")
    func words() {
        #expect(ClickHouseText.name("a`b\\") == "`a\\`b\\\\`")
        #expect(ClickHouseText.value("it's \\") == "'it\\'s \\\\'")
        #expect(ClickHouseText.escaped("a b_é") == "a%20b_%C3%A9")
        #expect(ClickHouseText.time(1_500) == "toDateTime64('1970-01-01 00:00:01.500', 6, 'UTC')")
        let times: [(String, Int64)] = [
            ("1970-01-01T00:00:01Z", 1_000_000), ("1970-01-01T00:00:01.5Z", 1_500_000),
            ("1970-01-01T00:00:01.1234567Z", 1_123_456), ("1970-01-01T01:00:00.000001+01:00", 1),
            ("1969-12-31T23:59:59.999999Z", -1),
        ]
        for (text, microseconds) in times { #expect(ClickHouseTypes.microseconds(text) == microseconds, "\(text)") }
    }

    @Test("Versions are compared by year and month")
    func versions() throws {
        #expect(ClickHouseVersion("18.16.1") ?? .oldest < .oldest)
        #expect(try #require(ClickHouseVersion("22.8.5.29")) >= .oldest)
        #expect(try #require(ClickHouseVersion("26.10.1")) > .withOneSettingForRepeats)
        #expect(ClickHouseVersion("PostgreSQL") == nil)
    }

    @Test("Settings are checked")
    func settings() throws {
        let whole = try ClickHouseWarehouseSettings(["url": "https://store.example.com:8443/"]).json
        #expect(
            whole == [
                "url": "https://store.example.com:8443", "database": "tributary", "user": "default",
                "timeoutSeconds": 60,
            ])
        let bad: [(String, JSON, String)] = [
            ("url", "https://u:p@h", "the url is only"), ("url", "h:8123", "begins with https://"),
            ("url", "https://h/play", "the url is only"), ("database", "", "database has"),
            ("database", "system", "belongs to ClickHouse"), ("user", "a b", "user has visible"),
            ("timeoutSeconds", 0, "timeoutSeconds is"), ("password", "x", "no setting password"),
        ]
        for (name, value, words) in bad {
            var settings: JSONObject = ["url": "https://h"]
            settings[name] = value
            let error = #expect(throws: Refusal.self) { _ = try ClickHouseWarehouseSettings(settings) }
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
    }
}
