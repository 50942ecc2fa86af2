import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Events that differ from the plan", .timeLimit(.minutes(30))) struct PlanViolationTests {
    private static let plan = #"""
        {"events": [{"type": "track", "name": "Order Completed", "properties": [{"key": "total", "type": "number", "required": true}]},
            {"type": "track", "name": "Debug", "blocked": true}]}
        """#
    private static let path = "/api/sources/WK/plan"

    private func environment(_ clock: TestClock) -> WorkspaceEnvironment {
        WorkspaceEnvironment(now: { clock.now }, makeWriteKey: { "K" })
    }

    private func order(_ id: String, _ properties: JSON) -> JSON {
        var event = Events.track(messageId: id)
        event["properties"] = properties
        return event
    }

    @Test("Events that differ are counted by the day when they come, and repeats and later plans change nothing")
    func counts() async throws {
        let clock = TestClock()
        try await TestWorkspace.run(environment: environment(clock)) { workspace async throws in
            let client = workspace.client
            try await client.batch([order("m-0", [:])])
            #expect(try await client.put(Self.path, Self.plan).status == 200)
            let events: [JSON] = [
                order("m-1", ["total": 5]), order("m-2", ["total": "5", "tip": 1]), order("m-3", [:]),
                Events.track(messageId: "m-4", name: "Debug"), Events.track(messageId: "m-5", name: "Other"),
            ]
            try await client.batch(events)
            try await client.batch(events)
            clock.advance(by: 86_400_000)
            try await client.batch([order("m-6", [:])])
            let answer = try await client.get(Self.path + "/violations").json
            #expect(answer["days"]?.elements?.count == 30)
            #expect(answer["total"]?.elements?.suffix(2) == [4, 1])
            #expect(answer["unplanned"]?.elements?.suffix(2) == [1, 0])
            #expect(answer["events"]?.elements?.map { $0["name"] } == ["Order Completed", "Debug"])
            #expect(answer["events"]?.elements?.first?["count"] == 3)
            #expect(answer["events"]?.elements?.first?["days"]?.elements?.suffix(2) == [2, 1])
            // The figures of a source do not name them.
            let figures = try await client.get("/api/stats?writeKey=WK").json
            #expect(figures["stored"] == 7)
            #expect(figures["byType"] == ["track": 7])
            #expect(try await client.put(Self.path, "{}").status == 200)
            #expect(try await client.get(Self.path + "/violations").json["total"]?.elements?.suffix(2) == [4, 1])
        }
    }

    @Test("The counts of days long ago go, and those of all time stay")
    func old() async throws {
        let clock = TestClock()
        try await TestWorkspace.run(environment: environment(clock)) { workspace async throws in
            let client = workspace.client
            #expect(try await client.put(Self.path, Self.plan).status == 200)
            try await client.batch([order("m-1", [:]), Events.track(messageId: "m-2", name: "Other")])
            let id = try #require(try await workspace.store.source("WK")?.id)
            clock.advance(by: 93 * 86_400_000)
            try await client.batch([order("m-3", [:])])
            let answer = try await client.get(Self.path + "/violations?since=1970-01-01&until=1970-01-02")
            #expect(answer.status == 200)
            let all = try await workspace.store.planCounts(of: id, on: Day(number: 0)...Day(number: 100_000))
            #expect(all.unplanned.isEmpty)
            #expect(all.events.values.flatMap(\.values) == [1])
            #expect(try await workspace.store.planCount(of: id, nil) == 3)
            #expect(try await workspace.store.planCount(of: id, CountedName(.track, name: "Order Completed")) == 2)
        }
    }

    @Test("The list names each event that differs with its differences, in pages, and one difference alone")
    func list() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            #expect(try await client.get(Self.path + "/differing").status == 409)
            #expect(try await client.put(Self.path, Self.plan).status == 200)
            try await client.batch([
                order("m-1", ["total": 5]), order("m-2", ["total": "5", "tip": 1]), order("m-3", [:]),
                Events.track(messageId: "m-4", name: "Other"),
            ])
            func ids(_ query: String) async throws -> [String] {
                let answer = try await client.get(Self.path + "/differing?" + query)
                #expect(answer.status == 200, "\(answer.text)")
                return try answer.json["events"]?.elements?.compactMap { $0["messageId"]?.stringValue } ?? []
            }
            #expect(try await ids("") == ["m-4", "m-3", "m-2"])
            #expect(try await ids("type=track&name=Order+Completed") == ["m-3", "m-2"])
            #expect(try await ids("problem=missing") == ["m-3"])
            #expect(try await ids("problem=unplanned&key=tip") == ["m-2"])
            #expect(try await ids("key=total") == ["m-3", "m-2"])
            #expect(try await ids("problem=event") == ["m-4"])
            let page = try await client.get(Self.path + "/differing?limit=1").json
            #expect(
                page["events"]?.elements?.first?["problems"] == [["problem": "event", "key": .null]])
            let next = try #require(page["next"]?.intValue)
            #expect(try await ids("limit=1&before=\(next)") == ["m-3"])
            let last = try await client.get(Self.path + "/differing").json
            #expect(last["next"] == .null)
            #expect(last["lookedAt"] == 4)
            for (query, reason) in [
                ("problem=x", "there is no problem x"), ("limit=101", "limit is"), ("type=x", "no type"),
            ] {
                let answer = try await client.get(Self.path + "/differing?" + query)
                #expect(answer.status == 400)
                #expect(answer.text.contains(reason), "\(answer.text)")
            }
        }
    }

    @Test("One stored event says how it differs")
    func single() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            try await client.batch([order("m-1", ["total": "5"]), order("m-2", ["total": 5])])
            #expect(
                try await client.get("/api/events/m-1/plan").json == [
                    "writeKey": "WK", "hasPlan": false, "problems": [],
                ])
            #expect(try await client.put(Self.path, Self.plan).status == 200)
            #expect(
                try await client.get("/api/events/m-1/plan").json == [
                    "writeKey": "WK", "hasPlan": true, "problems": [["problem": "type", "key": "total"]],
                ])
            #expect(try await client.get("/api/events/m-2/plan").json["problems"] == [])
            #expect(try await client.get("/api/events/none/plan").status == 404)
        }
    }

    @Test("The command counts the events that differ and lists them")
    func command() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            func run(_ arguments: String...) async throws -> CommandRun.Outcome {
                try await CommandRun.finish(
                    ["plan", "violations"] + arguments + ["--write-key", "WK", "--server", client.url])
            }
            #expect(try await run().output == "no event of these days differed\n")
            #expect(try await client.put(Self.path, Self.plan).status == 200)
            try await client.batch([order("m-1", ["tip": 5]), Events.track(messageId: "m-2", name: "Other")])
            let counts = try await run()
            #expect(counts.output.contains("Order Completed (track): 1\nnot planned: 1\n"), "\(counts.output)")
            let list = try await run("--list", "--problem", "missing")
            #expect(
                list.output.contains("m-1  Order Completed (track): tip is not planned, total is missing\n"),
                "\(list.output)")
            #expect(try await run("--problem", "missing").errors.contains("are for --list"))
        }
    }
}
