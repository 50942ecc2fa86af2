import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Conditions on the content of events") struct JSONConditionTests {
    private let event: JSON = [
        "event": "Order",
        "properties": [
            "total": 42.5, "count": 3, "coupon": "A", "paid": true, "none": .null, "a.b": 1, "at": "2026-11-21",
            "items": [["sku": "x"], ["sku": "y"]],
        ],
    ]

    @Test(
        "A condition compares a member of an event with a value",
        arguments: [
            ("properties.total>10", true), ("properties.total>42.5", false), ("properties.total>=42.5", true),
            ("properties.total<42.6", true), ("properties.total<=42", false), ("properties.count=3", true),
            ("properties.count=3.0", true), ("properties.count=\"3\"", false), ("properties.count!=3", false),
            ("properties.coupon=A", true), ("properties.coupon=\"A\"", true), ("properties.coupon=", false),
            ("properties.coupon>10", false), ("properties.paid=true", true), ("properties.none=null", true),
            ("properties.none", true), ("properties.missing", false), ("properties.missing=null", false),
            ("properties.missing!=1", true), ("properties.\"a.b\"=1", true), ("properties.at>=2026-11-21", true),
            ("properties.at<2026-11-21", false), ("properties.items.1.sku=y", true), ("properties.items.2", false),
            ("properties.items.-1", false), ("event=Order", true), ("event.name=x", false),
            ("properties.coupon={}", false), ("event~rde", true), ("event~\"Order\"", true), ("event~order", false),
            ("event~Orders", false), ("event~", true), ("properties.at~11", true), ("properties.at ~ \"-21\"", true),
            ("properties.count~3", false), ("properties.missing~a", false), ("properties.items~x", false),
        ])
    func holds(_ text: String, _ isHeld: Bool) throws {
        let held = try event.encoded().withUnsafeBufferPointer { try JSONCondition(text).holds($0) }
        #expect(held == isHeld)
    }

    @Test(
        "A sign and the accent behind it are read apart",
        arguments: ["\u{301}", "\u{200D}x", "\u{202E}", "a\u{600}", "\u{FE0F}"])
    func accents(_ text: String) throws {
        let event: JSON = ["properties": [text: .string(text)]]
        for condition in [
            "properties.\"\(text)\"=\"\(text)\"", "properties.\"\(text)\"=\(text)", "properties.\"\(text)\"~\(text)",
            "properties.\(text)=\"\(text)\"", "properties.\"\(text)\"",
        ] {
            let read = try JSONCondition(condition)
            #expect(read.path.keys == ["properties", text], "\(condition)")
            #expect(try event.encoded().withUnsafeBufferPointer { try read.holds($0) }, "\(condition)")
        }
    }

    @Test(
        "A condition outside the grammar is refused",
        arguments: [
            "", "=1", ".a", "a.", "a..b", "a!", "a!1", "\"a", "a b c\"=", "a == 1", "a=<1", "a = !x",
            String(repeating: "a.", count: 20) + "a",
            String(repeating: "a", count: 2_000),
        ])
    func refusals(_ text: String) {
        // A key may have any character that the grammar does not use.
        if text == "a b c\"=" {
            #expect((try? JSONCondition(text))?.path.keys == ["a b c\""])
            return
        }
        #expect(throws: Refusal.self) { try JSONCondition(text) }
    }

    @Test("Conditions filter the pages of a list of events")
    func lists() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            try await client.batch(
                (0..<30).map { number in
                    var event = Events.track(messageId: "m-\(number)")
                    event["properties"] = ["n": .number(number)]
                    return event
                })
            func page(_ query: String) async throws -> (ids: [String], next: Int?) {
                let json = try await client.get("/api/events?\(query)").json
                return (
                    (json["events"]?.elements ?? []).compactMap { $0["messageId"]?.stringValue }, json["next"]?.intValue
                )
            }
            let first = try await page("where=properties.n%3E=20&where=properties.n%3C29&limit=4")
            #expect(first.ids == ["m-28", "m-27", "m-26", "m-25"])
            let next = try #require(first.next)
            let second = try await page("where=properties.n%3E=20&where=properties.n%3C29&limit=40&before=\(next)")
            #expect(second.ids == ["m-24", "m-23", "m-22", "m-21", "m-20"])
            #expect(second.next == nil)
            #expect(try await page("where=properties.n%3E99").ids == [])
            #expect(try await page("where=properties.n=3&order=asc").ids == ["m-3"])
            #expect(try await client.get("/api/events?where=properties.n!").status == 400)
            let many = Array(repeating: "where=a", count: Limits.conditions + 1).joined(separator: "&")
            #expect(try await client.get("/api/events?\(many)").status == 400)
            #expect(try await page("since=2000-01-01&limit=1").ids == ["m-29"])
            #expect(try await page("until=2000-01-01").ids == [])
            #expect(try await client.get("/api/events?since=yesterday").status == 400)
        }
    }
}
