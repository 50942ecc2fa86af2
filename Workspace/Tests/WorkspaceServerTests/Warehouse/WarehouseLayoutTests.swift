import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Rows of a warehouse") struct WarehouseLayoutTests {
    /// The rows of some events in an empty warehouse, by tables.
    private func loads(
        _ events: [JSON], _ schema: WarehouseSchema = WarehouseSchema()
    ) -> (batch: WarehouseBatch, loads: [String: WarehouseLoad]) {
        var (batch, layout) = (WarehouseBatch(), WarehouseLayout())
        for event in events { batch.add(event, layout: &layout, schema: schema) }
        let loads = batch.tables.map { ($0, batch.load(of: $0, schema)) }
        return (batch, Dictionary(loads, uniquingKeysWith: { first, _ in first }))
    }

    private func track(
        _ properties: JSON, _ more: JSON = [:], id: String = "m-1", event: String = "Order Completed"
    ) -> JSON {
        var json: JSON = [
            "type": "track", "messageId": .string(id), "event": .string(event), "anonymousId": "a-1",
            "timestamp": "2026-11-24T10:00:00.000Z", "receivedAt": "2026-11-24T10:00:01.000Z", "properties": properties,
        ]
        for (key, value) in more.objectValue ?? [:] { json[key] = value }
        return json
    }

    @Test("A track is a row of tracks and, with its properties, of the table of its name")
    func tracks() throws {
        let event = track(
            [
                "total": 42, "items": ["a", "b"], "shipping": ["city": "Kiel", "zipCode": "24103", "empty": [:]],
                "none": .null,
            ], ["userId": "u-1", "context": ["app": ["version": "1.0"], "ip": "::1"]])
        let loads = loads([event]).loads
        #expect(loads.keys.sorted() == ["order_completed", "tracks"])
        let common = [
            "id": "m-1", "anonymous_id": "a-1", "user_id": "u-1", "event": "order_completed",
            "event_text": "Order Completed", "timestamp": "2026-11-24T10:00:00.000Z",
            "received_at": "2026-11-24T10:00:01.000Z", "context_app_version": "1.0", "context_ip": "::1",
        ]
        #expect(loads["tracks"]?.values(0) == common)
        let own = ["total": "42", "items": #"["a","b"]"#, "shipping_city": "Kiel", "shipping_zip_code": "24103"]
        #expect(loads["order_completed"]?.values(0) == common.merging(own) { first, _ in first })
        let types = Dictionary(
            uniqueKeysWithValues: try #require(loads["order_completed"]).columns.map { ($0.name, $0.type) })
        #expect(types["total"] == .bigint)
        #expect(types["timestamp"] == .timestamp)
        #expect(types["_extra"] == .json)
    }

    @Test("Every type of event has its table, and traits are columns of it")
    func types() throws {
        func event(_ type: String, _ members: JSON) -> JSON {
            var event: JSON = [
                "type": .string(type), "messageId": .string(type), "userId": "u", "receivedAt": "2026-11-24T10:00:00Z",
            ]
            for (key, value) in members.objectValue ?? [:] { event[key] = value }
            return event
        }
        let loads = loads([
            event(
                "identify",
                ["traits": ["email": "a@example.com"], "context": ["traits": ["old": 1], "os": ["name": "Linux"]]]),
            event("page", ["name": "Home", "properties": ["name": "Home", "url": "/"]]),
            event("screen", ["name": "Cart", "category": "Shop"]),
            event("group", ["groupId": "g-1", "traits": ["employees": 12]]),
            event("alias", ["previousId": "a-9"]),
            event("unknown", [:]),
        ]).loads
        #expect(loads.keys.sorted() == ["aliases", "groups", "identifies", "pages", "screens", "users"])
        let identify = try #require(loads["identifies"]).values(0)
        #expect(identify["email"] == "a@example.com")
        #expect(identify["context_os_name"] == "Linux")
        #expect(identify["context_traits_old"] == nil)
        #expect(loads["pages"]?.values(0)["name"] == "Home")
        #expect(loads["pages"]?.values(0)["_extra"] == nil, "the same value twice is no collision")
        #expect(loads["screens"]?.values(0)["category"] == "Shop")
        #expect(loads["groups"]?.values(0)["group_id"] == "g-1")
        #expect(loads["groups"]?.values(0)["employees"] == "12")
        #expect(loads["aliases"]?.values(0)["previous_id"] == "a-9")
        #expect(loads["users"]?.values(0)["id"] == "u")
    }

    @Test("Properties without a name, and with a name that is taken, go into the column for all else")
    func collisions() throws {
        let event = track(
            [
                "fooBar": 1, "foo_bar": 2, "user_id": "other", "🎉": 3, "": 4, "context_ip": "x", "a": ["b": 1],
                "a_b": 2, "_extra": 9, "order": 5,
            ],
            ["userId": "u-1", "context": ["ip": "::1"]])
        let row = try #require(loads([event]).loads["order_completed"]).values(0)
        #expect(row["foo_bar"] == "1")
        #expect(row["user_id"] == "u-1")
        #expect(row["context_ip"] == "::1")
        #expect(row["a_b"] == "1")
        #expect(row["_order"] == "5")
        #expect(row["extra"] == "9")
        let extra = try JSON.parse(try #require(row["_extra"]))
        #expect(
            extra == ["properties": ["foo_bar": 2, "user_id": "other", "🎉": 3, "": 4, "context_ip": "x", "a_b": 2]])
    }

    @Test("Beyond the most columns, properties go into the column for all else, also when there are more each time")
    func manyColumns() throws {
        func properties(_ range: Range<Int>) -> JSON {
            .object(JSONObject(Dictionary(uniqueKeysWithValues: range.map { ("p\($0)", JSON.number($0)) })))
        }
        let first = loads([track(properties(0..<500))])
        let load = try #require(first.loads["order_completed"])
        #expect(load.columns.count <= Limits.warehouseColumns)
        let row = load.values(0)
        let extra = try JSON.parse(try #require(row["_extra"]))["properties"]?.objectValue
        let inColumns = row.keys.filter { $0.wholeMatch(of: /p\d+/) != nil }
        #expect(inColumns.count + (extra?.count ?? 0) == 500)
        var schema = WarehouseSchema()
        for (table, load) in first.loads {
            let columns = Dictionary(load.columns.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
            for change in schema.changes(of: table, to: columns) { schema.apply(change) }
        }
        let second = try #require(loads([track(properties(1_000..<1_010), id: "m-2")], schema).loads["order_completed"])
        #expect(second.values(0).keys.contains { $0.hasPrefix("p1") } == false)
        #expect(try JSON.parse(try #require(second.values(0)["_extra"]))["properties"]?.objectValue?.count == 10)
    }

    @Test("Beyond the most tables, the properties of an event are in tracks")
    func manyTables() throws {
        let tables = (0..<Limits.warehouseEventTables - 1).map {
            ("t\($0)", ["id": WarehouseSchema.Column(type: .text)])
        }
        let schema = WarehouseSchema(tables: Dictionary(uniqueKeysWithValues: tables))
        let loads = loads(
            [
                track(["a": 1], id: "m-1", event: "First New"), track(["b": 2], id: "m-2", event: "Second New"),
                track(["a": 3], id: "m-3", event: "First New"),
            ], schema
        ).loads
        #expect(loads.keys.sorted() == ["first_new", "tracks"])
        #expect(loads["first_new"]?.rows.count == 2)
        #expect(loads["tracks"]?.values(1)["_extra"] == #"{"properties":{"b":2}}"#)
    }

    @Test("A value that a fixed column cannot hold goes into the column for all else")
    func fixedColumns() throws {
        var schema = WarehouseSchema(tables: [
            "order_completed": [
                "id": .init(type: .text), "_extra": .init(type: .json), "total": .init(type: .bigint),
                "own": .init(type: nil),
            ]
        ])
        schema.fix("total", of: "order_completed")
        let load = try #require(loads([track(["total": "much", "own": 1])], schema).loads["order_completed"])
        #expect(load.values(0)["total"] == nil)
        #expect(load.values(0)["own"] == nil)
        #expect(try JSON.parse(try #require(load.values(0)["_extra"])) == ["properties": ["total": "much", "own": 1]])
        let columns = Dictionary(load.columns.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
        let widened = schema.changes(of: "order_completed", to: columns).filter {
            if case .widen = $0 { true } else { false }
        }
        #expect(widened.isEmpty)
    }

    @Test("A time that cannot be read is kept, and NUL is replaced")
    func oddTexts() throws {
        let event = track(["text": "a\u{0}b", "list": ["\u{0}"]], ["originalTimestamp": "yesterday\u{0}"])
        let row = try #require(loads([event]).loads["order_completed"]).values(0)
        #expect(row["text"] == "a\u{fffd}b")
        #expect(row["list"] == "[\"\u{fffd}\"]")
        #expect(row["original_timestamp"] == nil)
        #expect(try JSON.parse(try #require(row["_extra"])) == ["originalTimestamp": "yesterday\u{fffd}"])
    }

    @Test("Deep objects become texts")
    func depth() throws {
        let deep: JSON = ["a": ["b": ["c": ["d": ["e": ["f": 1]]]]]]
        let row = try #require(loads([track(deep)]).loads["order_completed"]).values(0)
        #expect(row["a_b_c_d_e"] == #"{"f":1}"#)
    }

    @Test("A repeated id is one row, and a long one is replaced by its digest")
    func ids() throws {
        let long = String(repeating: "x", count: Limits.warehouseKeyBytes + 1)
        let loads = loads([track(["a": 1]), track(["a": 2]), track(["a": 3], id: long)]).loads
        #expect(loads["tracks"]?.ids.count == 2)
        #expect(loads["order_completed"]?.values(0)["a"] == "1")
        #expect(loads["tracks"]?.ids.last?.hasPrefix("sha256:") == true)
    }

    @Test("The table of users has the latest value of each trait")
    func users() throws {
        func identify(_ id: String, _ user: String, _ traits: JSON) -> JSON {
            [
                "type": "identify", "messageId": .string(id), "userId": .string(user), "traits": traits,
                "receivedAt": "2026-11-24T10:00:00Z",
            ]
        }
        let load = try #require(
            loads([
                identify("1", "u", ["plan": "free", "age": 7]), identify("2", "v", ["plan": "free"]),
                identify("3", "u", ["plan": "pro"]),
            ]).loads["users"])
        #expect(load.rows.count == 2)
        #expect(load.values(0) == ["id": "u", "plan": "pro", "age": "7", "received_at": "2026-11-24T10:00:00Z"])
    }

    @Test("Who used a device and when, and the sessions, follow from the events")
    func people() throws {
        func visit(_ id: String, _ time: String, _ user: JSON, _ context: JSON) -> JSON {
            track(
                [:], ["timestamp": .string("2026-11-24T\(time):00.000Z"), "userId": user, "context": context], id: id)
        }
        let batch = loads([
            visit("1", "10:00", .null, ["session": ["id": "s-1"]]),
            visit("2", "10:05", "u-1", ["session": ["id": "s-1"]]),
            visit("3", "09:00", "u-1", ["sessionId": 17]), visit("4", "11:00", "u-2", [:]),
            [
                "type": "alias", "messageId": "5", "previousId": "old", "userId": "u-1",
                "timestamp": "2026-11-24T12:00:00Z",
            ],
        ]).batch
        #expect(
            batch.identityLoad.rows == [
                ["a-1", "u-1", "2026-11-24T09:00:00.000Z", "2026-11-24T10:05:00.000Z"],
                ["a-1", "u-2", "2026-11-24T11:00:00.000Z", "2026-11-24T11:00:00.000Z"],
                ["old", "u-1", "2026-11-24T12:00:00.000Z", "2026-11-24T12:00:00.000Z"],
            ])
        #expect(
            batch.sessionLoad { _ in true }.rows == [
                ["17", "a-1", "u-1", "2026-11-24T09:00:00.000Z", "2026-11-24T09:00:00.000Z", "1"],
                ["s-1", "a-1", "u-1", "2026-11-24T10:00:00.000Z", "2026-11-24T10:05:00.000Z", "2"],
            ])
        #expect(batch.sessionLoad { $0.id != "2" }.rows.last?.last == "1")
    }

    @Test("Changes of a table are its making, new columns and wider types")
    func changes() {
        var schema = WarehouseSchema()
        let first: [String: WarehouseType] = ["id": .text, "total": .bigint]
        let all = first.merging(["received_at": .timestamp, "_extra": .json]) { first, _ in first }
        #expect(schema.changes(of: "users", to: first) == [.make(table: "users", columns: all)])
        for change in schema.changes(of: "users", to: first) { schema.apply(change) }
        #expect(schema.changes(of: "users", to: first).isEmpty)
        let second: [String: WarehouseType] = ["id": .text, "total": .double, "paid": .boolean]
        #expect(
            schema.changes(of: "users", to: second) == [
                .add(table: "users", column: "paid", .boolean),
                .widen(table: "users", column: "total", from: .bigint, to: .double),
            ])
        for change in schema.changes(of: "users", to: second) { schema.apply(change) }
        #expect(schema.columns(of: "users")["total"]?.type == .double)
    }

    @Test("Rows and arrays are written as PostgreSQL reads them")
    func texts() {
        let bytes = PostgresText.copyText([["a\tb", nil, #"\N"#], ["line\nbreak\r", "", "ä"]])
        #expect(String(decoding: bytes, as: UTF8.self) == "a\\tb\t\\N\t\\\\N\nline\\nbreak\\r\t\tä\n")
        #expect(PostgresText.array(["a", nil, #"q"\"#, "", "NULL", "{,}"]) == #"{"a",NULL,"q\"\\","","NULL","{,}"}"#)
        #expect(PostgresText.name(#"a"b"#) == #""a""b""#)
    }
}
