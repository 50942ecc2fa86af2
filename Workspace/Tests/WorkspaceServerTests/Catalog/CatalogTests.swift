import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The catalog of events", .timeLimit(.minutes(30))) struct CatalogTests {
    private func name(_ answer: JSON, _ name: JSON) -> JSON? {
        answer["names"]?.elements?.first { $0["name"] == name }
    }

    @Test("The catalog shows each name with its counts by day and the types of its properties")
    func names() async throws {
        try await TestWorkspace.run(writeKeys: ["WK", "OTHER"]) { workspace async throws in
            let client = workspace.client
            let odd: JSON = [
                "type": "track", "event": "Order Completed", "messageId": "m-3", "userId": "u",
                "properties": ["total": "42 EUR", "gift": true],
            ]
            try await client.batch([
                Events.track(messageId: "m-1"), Events.track(messageId: "m-2"), odd,
                Events.track(messageId: "m-4", name: "Rare"),
                ["type": "identify", "messageId": "m-5", "userId": "u", "traits": ["plan": "pro"]],
            ])
            try await client.batch([Events.track(messageId: "m-1")], writeKey: "OTHER")
            // A repeated message does not count again.
            try await client.batch([Events.track(messageId: "m-1")])
            let answer = try await client.get("/api/catalog?writeKey=WK").json
            #expect(answer["days"]?.elements?.count == 30)
            #expect(answer["names"]?.elements?.map { $0["name"] } == ["Order Completed", .null, "Rare"])
            let orders = try #require(name(answer, "Order Completed"))
            #expect(orders["type"] == "track")
            #expect(orders["count"] == 3)
            #expect(orders["days"]?.elements?.last == 3)
            #expect(orders["days"]?.elements?.dropLast().allSatisfy { $0 == 0 } == true)
            #expect(
                orders["properties"] == [
                    ["key": "total", "count": 3, "types": ["number": 2, "string": 1]],
                    ["key": "gift", "count": 1, "types": ["boolean": 1]],
                ])
            #expect(orders["firstHour"] == orders["lastHour"])
            #expect(orders["lastHour"]?.stringValue?.hasSuffix(":00:00.000Z") == true)
            #expect(name(answer, .null)?["properties"]?.elements?.first?["key"] == "plan")
            let other = try await client.get("/api/catalog?writeKey=OTHER").json
            #expect(name(other, "Order Completed")?["count"] == 1)
        }
    }

    @Test("The catalog can be limited to a type, a name, some days and a number of names")
    func limits() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            let screen: JSON = ["type": "screen", "name": "A", "messageId": "e", "userId": "u"]
            let tracks = [("a", "A"), ("b", "A"), ("c", "B"), ("d", "C & ä")]
            try await client.batch(tracks.map { Events.track(messageId: $0, name: $1) } + [screen])
            func names(_ query: String) async throws -> [JSON?]? {
                try await client.get("/api/catalog?writeKey=WK&\(query)").json["names"]?.elements?.map { $0["name"] }
            }
            #expect(try await names("type=screen") == ["A"])
            #expect(try await names("name=A") == ["A", "A"])
            #expect(try await names("name=C%20%26%20%C3%A4") == ["C & ä"])
            #expect(try await names("name=none") == [])
            #expect(try await names("until=2020-01-01") == [])
            #expect(try await names("since=2020-01-01&until=2020-02-01") == [])
            let some = try await client.get("/api/catalog?writeKey=WK&limit=1").json
            #expect(some["names"]?.elements?.map { $0["name"] } == ["A"])
            #expect(some["names"]?.elements?.first?["count"] == 2)
            #expect(some["unlistedNames"] == 3)
            #expect(some["types"]?.elements?.map { $0["type"] } == ["track", "screen"])
            #expect(some["types"]?.elements?.map { $0["count"] } == [4, 1])
            let quick = try await client.get("/api/catalog?writeKey=WK&properties=false").json
            #expect(quick["names"]?.elements?.first?["properties"] == [])
            #expect(quick["names"]?.elements?.first?["count"] == 2)
        }
    }

    @Test(
        "An invalid query of the catalog is refused with the reason",
        arguments: [
            ("", "writeKey names the source"), ("writeKey=WK&limit=0", "limit is a number from 1 to 500"),
            ("writeKey=WK&limit=501", "limit is a number from 1 to 500"), ("writeKey=WK&type=x", "there is no type x"),
            ("writeKey=WK&since=x", "since must be a time"),
            ("writeKey=WK&since=2026-11-21&until=2026-11-21", "since must be before until"),
            ("writeKey=WK&since=2020-01-01&until=2026-11-21", "at most 366 days"),
            ("writeKey=WK&until=-9223372036854775808&since=9223372036854775807", "since must be before until"),
        ])
    func refusals(query: String, reason: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            let answer = try await workspace.client.get("/api/catalog?\(query)")
            #expect(answer.status == 400)
            #expect(try answer.json["error"]?.stringValue?.contains(reason) == true, "\(answer.text)")
        }
    }

    @Test("The command shows names, and with --properties the types of values, without control characters")
    func command() async throws {
        try await TestWorkspace.run { workspace async throws in
            func run(_ arguments: String...) async throws -> CommandRun.Outcome {
                try await CommandRun.finish(
                    ["catalog", "--write-key", "WK", "--server", workspace.client.url] + arguments)
            }
            #expect(try await run().output == "no event came on these days\n")
            try await workspace.client.batch([
                Events.track(messageId: "m-1"),
                [
                    "type": "track", "event": "Order Completed", "messageId": "m-2", "userId": "u",
                    "properties": ["total": "x", "a\u{1B}[31m": 1],
                ],
                Events.track(messageId: "m-3", name: "B\u{1B}[31m"),
            ])
            let list = try await run()
            #expect(list.status == 0, "\(list.errors)")
            let lines = list.output.split(separator: "\n")
            #expect(lines.count == 3)
            #expect(lines.first?.hasPrefix("name") == true)
            #expect(lines.dropFirst().first?.hasPrefix("Order Completed  track") == true, "\(list.output)")
            let properties = try await run("--properties", "--name", "Order Completed")
            #expect(properties.output.contains("number 1, string 1"), "\(properties.output)")
            #expect(!(list.output + properties.output).contains("\u{1B}"))
            let json = try JSON.parse(try await run("--json", "--limit", "1").output)
            #expect(json["unlistedNames"] == 1)
            let unknown = try await CommandRun.finish(
                ["catalog", "--write-key", "NONE", "--server", workspace.client.url])
            #expect(unknown.status == 1)
        }
    }

    @Test(
        "Counts of days are added up, frequent names come first, and events without a name are listed apart"
    )
    func sums() {
        let first = Day(number: 20_000)
        func count(_ name: CountedName, _ day: Int64, _ count: Int64, _ hour: Int64) -> NameCount {
            let start = (first.number + day) * 24 + hour
            return NameCount(name: name, day: first.advanced(by: day), count: count, hours: start...start + 1)
        }
        let (a, b) = (CountedName(.track, name: "a"), CountedName(.track, name: "b"))
        let counts = [
            count(a, 0, 2, 3), count(b, 0, 4, 1), count(CountedName(.track, .others), 1, 7, 0), count(a, 2, 5, 9),
            count(CountedName(.page, name: "a"), 2, 4, 0), count(b, 9, 100, 0),
        ]
        let catalog = EventCatalog(counts, days: first...first.advanced(by: 2), limit: 2)
        #expect(catalog.entries.map(\.name) == [a, CountedName(.page, name: "a")])
        #expect(catalog.entries.map(\.count) == [7, 4])
        #expect(catalog.entries.first?.days == [2, 0, 5])
        #expect(catalog.entries.first?.hours == 480_003...480_058)
        #expect(catalog.unlisted == 1)
        #expect(catalog.otherEvents == 7)
        #expect(catalog.types == [.track: [6, 7, 5], .page: [0, 0, 4]])
    }

    @Test(
        "An hour belongs to the day in which it begins in the time zone of the source, unless the request names another one"
    )
    func zone() async throws {
        let clock = Day(number: 20_500).start + 12 * 3_600_000
        var environment = WorkspaceEnvironment.testing
        environment.now = { clock }
        try await TestWorkspace.run(environment: environment) { workspace in
            let client = workspace.client
            var batch = IncomingBatch(source: 1, receivedAt: Day(number: 20_499).start + 23 * 3_600_000)
            batch.events = [StoredEvents.event("late", at: batch.receivedAt)]
            var next = IncomingBatch(source: 1, receivedAt: clock)
            next.events = [StoredEvents.event("noon", at: clock)]
            for (index, batch) in [batch, next].enumerated() {
                _ = try await workspace.store.write(
                    [batch], through: JournalOffset(epoch: 9, sequence: UInt64(index + 1)), now: { batch.receivedAt })
            }
            func days(_ more: String = "") async throws -> JSON? {
                let answer = try await client.get("/api/catalog?writeKey=WK&since=2026-02-15\(more)").json
                return answer["names"]?[0]?["days"]
            }
            #expect(try await days() == [1, 1])
            #expect(try await client.put("/api/sources/WK/policy", #"{"timeZone":"Europe/Berlin"}"#).status == 200)
            #expect(try await days() == [0, 2])
            #expect(try await days("&zone=UTC") == [1, 1])
            #expect(try await days("&zone=America/New_York") == [1, 1])
            let lines = try await client.get("/api/breakdown?writeKey=WK&since=2026-02-15").text.split(separator: "\n")
            let result = try JSON.parse(String(try #require(lines.last)))["result"]
            #expect(result?["total"]?["days"] == [0, 2])
            #expect(result?["zone"] == "Europe/Berlin")
            let funnel = try await client.get("/api/funnel?writeKey=WK&step=E&step=E&since=2026-02-15").text
            #expect(funnel.contains(#""zone":"Europe/Berlin""#))
            #expect(try await client.put("/api/sources/WK/policy", #"{"timeZone":"Mars/Base"}"#).status == 400)
            #expect(try await client.get("/api/catalog?writeKey=WK&zone=Mars").status == 400)
            #expect(try await client.put("/api/sources/WK/policy", #"{"timeZone":null}"#).json["timeZone"] == "UTC")
        }
    }
}
