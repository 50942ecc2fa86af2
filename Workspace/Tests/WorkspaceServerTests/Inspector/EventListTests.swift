import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite(.timeLimit(.minutes(30))) struct EventListTests {
    private func filled(_ body: (TestClient) async throws -> Void) async throws {
        try await TestWorkspace.run(writeKeys: ["WK", "OTHER"]) { workspace async throws in
            try await workspace.client.batch([
                Events.track(messageId: "m-1", name: "A B", userId: "u-1"),
                Events.track(messageId: "m-2", name: "C", userId: "u+2"),
                ["type": "identify", "userId": "u-1", "messageId": "m-3"],
                ["type": "screen", "anonymousId": "a-1", "name": "A B", "messageId": "m-4"],
            ])
            try await workspace.client.batch([Events.track(messageId: "m-5")], writeKey: "OTHER")
            try await body(workspace.client)
        }
    }

    private func ids(_ client: TestClient, _ query: String) async throws -> [String] {
        let events = try await client.get("/api/events?\(query)").json["events"]?.elements ?? []
        return events.compactMap { $0["messageId"]?.stringValue }
    }

    @Test("A page of a search has the number of searched events and the number of remaining events")
    func search() async throws {
        try await filled { client async throws in
            func search(_ query: String) async throws -> JSON? {
                try await client.get("/api/events?\(query)").json["search"]
            }
            #expect(try await search("where=userId=nobody") == ["lookedAt": 5, "left": 0])
            #expect(try await search("where=userId=u-1&limit=1&before=5") == ["lookedAt": 2, "left": 2])
            #expect(try await search("where=userId=u-1&limit=1&order=asc") == ["lookedAt": 1, "left": 4])
            #expect(try await search("where=userId=u-1&limit=1&before=2") == ["lookedAt": 1, "left": 0])
            #expect(try await search("userId=u-1&limit=1") == nil)
        }
    }

    @Test func anEventIsShownWithAllItsColumns() async throws {
        try await filled { client async throws in
            let event = try await client.get("/api/events/m-4").json
            let keys = [
                "sequence", "writeKey", "messageId", "type", "name", "userId", "anonymousId", "timestamp",
                "originalTimestamp", "sentAt", "receivedAt", "storedAt", "event",
            ]
            #expect(event.objectValue?.keys == keys)
            #expect(event["sequence"] == 4)
            #expect(event["name"] == "A B")
            #expect(event["userId"] == .null)
            #expect(event["anonymousId"] == "a-1")
            #expect(event["originalTimestamp"] == .null)
            #expect(event["timestamp"] == event["receivedAt"])
            #expect(try await client.get("/api/events/m-9").status == 404)
        }
    }

    @Test func aMessageIdInAPathIsDecoded() async throws {
        try await filled { client async throws in
            try await client.batch([Events.track(messageId: "a/b c%")])
            #expect(try await client.get("/api/events/a%2Fb%20c%25").json["messageId"] == "a/b c%")
        }
    }

    @Test("Events are filtered by type, name, user, source and sequence")
    func filters() async throws {
        try await filled { client async throws in
            #expect(try await ids(client, "") == ["m-5", "m-4", "m-3", "m-2", "m-1"])
            #expect(try await ids(client, "type=track&order=asc") == ["m-1", "m-2", "m-5"])
            #expect(try await ids(client, "name=A+B") == ["m-4", "m-1"])
            #expect(try await ids(client, "name=A%20B&type=screen") == ["m-4"])
            #expect(try await ids(client, "userId=u%2B2") == ["m-2"])
            #expect(try await ids(client, "writeKey=OTHER") == ["m-5"])
            #expect(try await ids(client, "writeKey=NONE") == [])
            #expect(try await ids(client, "after=1&before=4") == ["m-2", "m-3"])
        }
    }

    @Test(arguments: ["asc", "desc"])
    func pagesJoinWithoutGaps(_ order: String) async throws {
        try await filled { client async throws in
            var seen: [String] = []
            var cursor = ""
            repeat {
                let page = try await client.get("/api/events?limit=2&order=\(order)\(cursor)").json
                seen += page["events"]?.elements?.compactMap { $0["messageId"]?.stringValue } ?? []
                let next = page["next"]?.intValue
                cursor = next.map { "&\(order == "asc" ? "after" : "before")=\($0)" } ?? ""
            } while !cursor.isEmpty
            let all = ["m-1", "m-2", "m-3", "m-4", "m-5"]
            #expect(seen == (order == "asc" ? all : all.reversed()))
        }
    }

    @Test("Events are filtered by time and by device")
    func timesAndDevices() async throws {
        let clock = TestClock()
        var environment = WorkspaceEnvironment.system
        environment.now = { clock.now }
        try await TestWorkspace.run(environment: environment) { workspace async throws in
            let client = workspace.client
            for number in 0..<3 {
                try await client.batch([
                    ["type": "screen", "anonymousId": .string("a-\(number)"), "messageId": .string("m-\(number)")]
                ])
                #expect(try await client.events().count == number + 1)
                clock.advance(by: 3_600_000)
            }
            // The clock begins at 2023-11-14T22:13:20Z.
            #expect(try await ids(client, "since=2023-11-14T23:13:20Z&order=asc") == ["m-1", "m-2"])
            #expect(try await ids(client, "until=2023-11-14T23:13:20Z") == ["m-0"])
            #expect(try await ids(client, "since=2023-11-15") == ["m-2"])
            #expect(try await ids(client, "since=2023-11-14&until=2023-11-15&order=asc") == ["m-0", "m-1"])
            #expect(try await ids(client, "since=1700003600000&order=asc") == ["m-1", "m-2"])
            #expect(try await ids(client, "anonymousId=a-1") == ["m-1"])
            #expect(try await client.get("/api/events?since=yesterday").status == 400)
        }
    }

    @Test("Rejected events, signals and traces of dropped events are searched as events are")
    func searchedLists() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            let signal: JSON = [
                "type": "interaction", "anonymousId": "a", "index": 1, "timestamp": "2026-11-21T01:00:00.000Z",
                "data": ["target": ["title": "Buy now"]],
            ]
            #expect(
                try await client.post(
                    "/v1/b",
                    [
                        "writeKey": "WK",
                        "batch": [
                            7, "text", ["type": "track", "userId": "u", "properties": ["total": 5]],
                            ["type": "none", "total": 9],
                            Events.track(messageId: "m-2"),
                            [
                                "type": "track", "event": "Segment Signal Generated", "messageId": "s-1",
                                "anonymousId": "a",
                                "timestamp": "2026-11-21T01:00:00.000Z", "properties": signal,
                            ],
                        ],
                    ]
                ).status == 200)
            let traces: JSON = [Events.trace("m-1", outcome: "dropped"), Events.trace("m-2")]
            #expect(try await client.post("/v1/traces", ["writeKey": "WK", "traces": traces]).status == 200)
            for (path, name, condition, count) in [
                ("rejected", "rejected", "total%3E5", 1), ("rejected", "rejected", "properties.total", 1),
                ("rejected", "rejected", "nothing", 0), ("rejected", "rejected", "type!%3Dtrack", 3),
                ("signals", "signals", "data.target.title~Buy", 1), ("signals", "signals", "data.target.title~Sell", 0),
                ("drops", "drops", "outcome%3Ddropped", 1), ("drops", "drops", "outcome%3Dsent", 0),
            ] {
                let answer = try await client.get("/api/\(path)?where=\(condition)").json
                #expect(answer[name]?.elements?.count == count, "\(path) \(condition): \(answer)")
                #expect(answer["search"]?["left"] == 0)
            }
            #expect(try await client.get("/api/drops?where=%3D").status == 400)
        }
    }

    @Test func badQueriesAreRefused() async throws {
        try await filled { client async throws in
            #expect(try await client.get("/api/events?limit=0").status == 400)
            #expect(try await client.get("/api/drops?after=x").status == 400)
        }
    }

    @Test("Statistics count events by type, for all sources or for one source")
    func statistics() async throws {
        try await filled { client async throws in
            let all = try await client.get("/api/stats").json
            #expect(all["stored"] == 5)
            #expect(all["byType"] == ["identify": 1, "screen": 1, "track": 3])
            let one = try await client.get("/api/stats?writeKey=OTHER").json
            #expect(one["stored"] == 1)
            #expect(one["byType"] == ["track": 1])
        }
    }

    @Test func answersAreNotKeptByBrowsers() async throws {
        try await filled { client async throws in
            let answer = try await client.get("/api/events")
            #expect(answer.header("Cache-Control") == "no-store")
            #expect(answer.header("X-Content-Type-Options") == "nosniff")
            #expect(answer.header("Access-Control-Allow-Origin") == nil)
        }
    }

    @Test(
        "Every list refuses an unknown type",
        arguments: ["events", "export", "signals", "wait-for-event"])
    func unknownType(_ list: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            let answer = try await workspace.client.get("/api/\(list)?type=trak")
            #expect(answer.status == 400)
            #expect(answer.text.contains("there is no type trak; it is one of "), "\(answer.text)")
        }
    }
}
