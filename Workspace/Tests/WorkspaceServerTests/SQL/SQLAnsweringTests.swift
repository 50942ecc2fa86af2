import Testing
import TributaryJSON

@testable import WorkspaceServer

@Suite("Answering a query message by message") struct SQLAnsweringTests {
    private static func line(_ id: String, _ name: String, _ properties: JSON) -> [UInt8] {
        let event: JSON = [
            "messageId": .string(id), "type": "track", "event": .string(name), "userId": "u", "properties": properties,
        ]
        return JSON.object(["messageId": .string(id), "event": event]).encoded() + Array("\n".utf8)
    }

    private static func answers(_ query: String?, rows: Int = 10) -> [JSON] {
        var answering = SQLAnswering()
        let events = line("1", "Order Completed", ["total": 2]) + line("2", "Opened", ["from": "mail"])
        return [SQLMessage.begin(query: query, rows: rows), .events(events), .answer].map {
            answering.answer(to: $0)
        }
    }

    @Test("Messages come through whole, and other bytes are none")
    func messages() {
        for message in [
            SQLMessage.begin(query: "SELECT '\u{1F600}'\n", rows: 7), .begin(query: nil, rows: 1),
            .events(Array("{}\n{}\n".utf8)), .events([]), .answer,
        ] {
            #expect(SQLMessage(message.content) == message)
        }
        for bytes in [[], [0], [4], [1], [1, 123], [3, 3], Array("\u{1}[]".utf8)] as [[UInt8]] {
            #expect(SQLMessage(bytes) == nil, "\(bytes)")
        }
    }

    @Test("The result has the rows and all tables of the events, with the tables that the query does not read")
    func result() {
        let answers = Self.answers("SELECT total FROM Order_Completed")
        #expect(answers[0] == [:] && answers[1] == [:])
        let result = answers[2]["result"]
        #expect(result?["rows"] == [[2]])
        #expect(result?["columns"] == ["total"] && result?["isCut"] == false)
        let tables = result?["tables"]?.elements?.compactMap { $0["name"]?.stringValue }
        #expect(tables == ["opened", "order_completed", "tracks"])
        let columns = result?["tables"]?.elements?.first?["columns"]?.elements ?? []
        #expect(columns.contains("from") || columns.contains("_from"))
    }

    @Test("Without a query there are only tables; more rows than wanted are left out, and the answer says so")
    func tables() {
        let list = Self.answers(nil)[2]["result"]
        #expect(list?["tables"]?.elements?.count == 3 && list?["rows"] == nil)
        let large = Self.answers("SELECT 9007199254740993, 9007199254740992, -1.5, x'00FF', NULL")[2]["result"]
        #expect(large?["rows"] == [["9007199254740993", 9007199254740992, -1.5, "00ff", .null]])
        let cut = Self.answers("SELECT * FROM tracks", rows: 1)[2]["result"]
        #expect(cut?["rows"]?.elements?.count == 1 && cut?["isCut"] == true)
    }

    @Test(
        "A mistake of the query is named with its place",
        arguments: [
            ("SELECT 1\nFORM tracks", "line 2, column 6: near \"tracks\": syntax error"),
            ("SELECT totl FROM order_completed", "line 1, column 8: no such column: totl"),
            ("SELECT * FROM orders", "no such table: orders"),
        ])
    func mistakes(query: String, error: String) {
        let errors = Self.answers(query).compactMap { $0["error"]?.stringValue }
        #expect(errors.last?.hasSuffix(error) == true || errors.first?.hasSuffix(error) == true, "\(errors)")
    }
}
