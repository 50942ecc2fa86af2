import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// Loads into a real PostgreSQL.
@Suite(
    "A warehouse in PostgreSQL", .enabled(if: PostgresServer.programs != nil, "\(PostgresServer.reason)"),
    .timeLimit(.minutes(30)))
struct PostgresWarehouseTests {
    /// A database of its own with a warehouse.
    private struct Lake {
        let server: PostgresServer
        let database: String
        let warehouse: PostgresWarehouse

        init() async throws {
            server = try await PostgresServer.shared()
            database = try await server.makeDatabase()
            warehouse = PostgresWarehouse(try server.place(database))
        }

        func query(_ sql: String) async throws -> [[String?]] { try await server.query(sql, database: database) }

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
                    "at": "2026-11-24T10:00:00.123456+02:00",
                    "text": "tab\t line\n quote ' \" back \\ ä 🎉", "nul": "a\u{0}b", "list": [1, "x\\\n", .null],
                    "empty": "",
                    "select": "reserved",
                    "huge": .number(try #require(try JSON.parse("18446744073709551616").numberValue)),
                ])
        ])
        let row = try await lake.query(
            """
            SELECT whole, fraction, yes, at, text, nul, list::jsonb ->> 1, empty, _select, huge, event, event_text, user_id
            FROM tributary._order
            """)
        #expect(
            row == [
                [
                    "9223372036854775807", "0.1", "t", "2026-11-24 08:00:00.123456+00",
                    "tab\t line\n quote ' \" back \\ ä 🎉",
                    "a\u{fffd}b", "x\\\n", "", "reserved", "18446744073709551616", "_order", "Order", "u",
                ]
            ])
        let types = try await lake.query(
            """
            SELECT column_name, data_type FROM information_schema.columns
            WHERE table_name = '_order' AND column_name IN ('whole', 'fraction', 'yes', 'at', 'huge', '_extra') ORDER BY 1
            """)
        #expect(
            types == [
                ["_extra", "jsonb"], ["at", "timestamp with time zone"], ["fraction", "double precision"],
                ["huge", "text"],
                ["whole", "bigint"], ["yes", "boolean"],
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
        let rows = try await lake.query("SELECT total, at, ok FROM tributary.sale ORDER BY id")
        #expect(
            rows == [
                ["1", "2026-11-24T10:00:00.500000Z", "true"], ["2.5", "2026-11-24T10:00:00.500000Z", "true"],
                ["much", "never", "7"],
            ])
        #expect(try await lake.query("SELECT count(*) FROM tributary.tracks") == [["3"]])
    }

    @Test("A column that a view needs keeps its type, and the value goes into the column for all else")
    func views() async throws {
        let lake = try await Lake()
        try await lake.load([Self.track("1", "Sale", ["total": 1])])
        _ = try await lake.query("CREATE VIEW tributary.revenue AS SELECT sum(total) FROM tributary.sale")
        try await lake.load([
            Self.track("2", "Sale", ["total": 2]), Self.track("3", "Sale", ["total": "much", "new": 1]),
        ])
        try await lake.load([Self.track("4", "Sale", ["total": "more"])])
        let rows = try await lake.query(
            "SELECT id, total, _extra -> 'properties' ->> 'total' FROM tributary.sale ORDER BY id")
        #expect(rows == [["1", "1", nil], ["2", "2", nil], ["3", nil, "much"], ["4", nil, "more"]])
    }

    @Test("A row of the most columns fits, whatever their lengths")
    func wideRow() async throws {
        let lake = try await Lake()
        let properties = JSONObject(
            Dictionary(
                uniqueKeysWithValues: (0..<500).map { ("p\($0)", JSON.string(String(repeating: "x\($0) ", count: 40))) }
            ))
        try await lake.load([Self.track("1", "Wide", .object(properties))])
        let columns = try await lake.query("SELECT count(*) FROM information_schema.columns WHERE table_name = 'wide'")
        #expect(columns == [["\(Limits.warehouseColumns)"]])
        let rest = try await lake.query(
            "SELECT count(*) FROM tributary.wide, jsonb_object_keys(_extra -> 'properties')")
        #expect(Int(rest.first?[0] ?? "") == 500 - (Limits.warehouseColumns - 10))
    }

    @Test("Events that were loaded before are not doubled, and count for no session twice")
    func repetition() async throws {
        let lake = try await Lake()
        let events = (0..<50).map {
            Self.track("m-\($0)", $0 % 2 == 0 ? "Even" : "Odd", ["n": .number($0)], session: "s-1")
        }
        try await lake.load(Array(events[..<30]))
        try await lake.load(events)
        #expect(try await lake.query("SELECT count(*), count(DISTINCT id) FROM tributary.tracks") == [["50", "50"]])
        #expect(try await lake.query("SELECT count(*) FROM tributary.even") == [["25"]])
        #expect(
            try await lake.query("SELECT id, anonymous_id, user_id, events FROM tributary.sessions") == [
                ["s-1", "a", "u", "50"]
            ])
        #expect(try await lake.query("SELECT anonymous_id, user_id FROM tributary.identities") == [["a", "u"]])
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
        #expect(try await lake.query("SELECT id FROM tributary.tracks") == [["1"]])
        #expect(try await PostgresWarehouse(lake.warehouse.place).open(local: 3) == next)
        let other = PostgresWarehouse(try lake.server.place(lake.database, destination: "Other"))
        #expect(try await other.open(local: 3).position == 3)
    }

    @Test("Users have their latest traits")
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
        try await lake.load([identify("0", 0, ["plan": "trial", "city": "Kiel"])])
        #expect(try await lake.query("SELECT id, plan, age, city FROM tributary.users") == [["u", "pro", "7", "Kiel"]])
        #expect(try await lake.query("SELECT count(*) FROM tributary.identifies") == [["3"]])
    }

    @Test("Deleting a user deletes the rows of all tables, and those of devices without a user")
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
        _ = try await lake.query("CREATE TABLE tributary.report AS SELECT 'u' AS user_id")
        let before = try await lake.warehouse.open(local: 0)
        let count = try await lake.warehouse.delete(userId: "u", anonymousIds: ["a"])
        #expect(count == 8)
        for table in ["tracks", "a", "identifies", "users", "sessions", "identities"] {
            let column = table == "users" ? "id" : "user_id"
            let rows = try await lake.query(
                "SELECT count(*) FROM tributary.\(table) WHERE \(column) = 'u' OR \(column) IS NULL")
            #expect(rows == [["0"]], "\(table)")
        }
        #expect(try await lake.query("SELECT id FROM tributary.tracks") == [["3"]])
        #expect(try await lake.query("SELECT count(*) FROM tributary.report") == [["1"]])
        // Events that were read before the deletion are not loaded: the position says that there was one.
        #expect(try await lake.warehouse.load([Self.track("5", "A", [:]).encoded()], from: before, to: before) == false)
    }

    @Test("A table that was dropped is made again")
    func dropped() async throws {
        let lake = try await Lake()
        try await lake.load([Self.track("1", "A", [:])])
        let position = try await lake.warehouse.open(local: 0)
        _ = try await lake.query("DROP TABLE tributary.a")
        let error = await #expect(throws: PostgresError.self) {
            _ = try await lake.warehouse.load([Self.track("2", "A", [:]).encoded()], from: position, to: position)
        }
        #expect(error?.meaning == .changedTables)
        #expect(try await lake.load([Self.track("2", "A", [:])]))
        #expect(try await lake.query("SELECT id FROM tributary.a") == [["2"]])
        #expect(try await lake.query("SELECT id FROM tributary.tracks ORDER BY id") == [["1"], ["2"]])
    }

    @Test("An error of the database leaves nothing behind, and says its reason")
    func refusal() async throws {
        let lake = try await Lake()
        try await lake.load([Self.track("1", "A", [:])])
        _ = try await lake.query(
            "CREATE FUNCTION full_disk() RETURNS trigger AS $$ BEGIN RAISE 'no space left on device' USING ERRCODE = '53100'; END $$ LANGUAGE plpgsql"
        )
        _ = try await lake.query(
            "CREATE TRIGGER full_disk BEFORE INSERT ON tributary.tracks FOR EACH ROW EXECUTE FUNCTION full_disk()")
        let error = await #expect(throws: PostgresError.self) {
            try await lake.load([Self.track("2", "A", ["new": 1])])
        }
        #expect(error?.text == "the database says 53100: no space left on device; the disk of the database is full")
        #expect(try await lake.query("SELECT count(*) FROM tributary.a") == [["1"]])
        _ = try await lake.query("DROP TRIGGER full_disk ON tributary.tracks")
        try await lake.load([Self.track("2", "A", ["new": 1])])
        #expect(try await lake.query("SELECT id, new FROM tributary.a ORDER BY id") == [["1", nil], ["2", "1"]])
    }

    @Test("Why a connection fails is said")
    func connections() async throws {
        let server = try await PostgresServer.shared()
        let settings = try PostgresSettings(try #require(try JSON.parse(server.settings("postgres")).objectValue))
        func reason(_ settings: PostgresSettings, _ password: String = PostgresServer.password) async -> String? {
            let warehouse = PostgresWarehouse(
                settings.place(.init(source: "WK", destination: "D", madeAt: 1), password: Array(password.utf8)))
            let answer = await warehouse.tryOut()
            if case .accepted = answer { return nil }
            return answer.text
        }
        func changed(_ name: String, _ value: JSON) throws -> PostgresSettings {
            var json = settings.json
            json[name] = value
            return try PostgresSettings(json)
        }
        #expect(await reason(settings) == nil)
        #expect(await reason(settings, "wrong")?.contains("password authentication failed") == true)
        #expect(try await reason(changed("database", "nowhere"))?.contains("does not exist") == true)
        #expect(try await reason(changed("tls", "require"))?.contains("SSL") == true)
        #expect(try await reason(changed("tls", "verify"))?.contains("SSL") == true)
        #expect(try await reason(changed("port", 1))?.contains("refused") == true)
    }

    @Test("A server that accepts a connection and says nothing is left after a time, and at once when the task ends")
    func silence() async throws {
        let silent = try SilentListener()
        defer { silent.close() }
        let settings = try PostgresSettings([
            "host": "127.0.0.1", "port": .number(silent.port), "database": "d", "user": "u", "tls": "disable",
            "timeoutSeconds": 1,
        ])
        let place = settings.place(.init(source: "WK", destination: "D", madeAt: 1), password: [])
        let answer = await PostgresWarehouse(place).tryOut()
        #expect(answer.text.contains("did not answer within"))
        let task = Task { await PostgresWarehouse(place).tryOut() }
        task.cancel()
        #expect(await task.value.text == "the server stops")
    }
}

/// A port to which anyone can connect, and that never answers.
private struct SilentListener {
    private let descriptor: Int32
    let port: Int

    init() throws {
        (descriptor, port) = try PostgresServer.listen()
    }

    func close() { Foundation.close(descriptor) }
}
