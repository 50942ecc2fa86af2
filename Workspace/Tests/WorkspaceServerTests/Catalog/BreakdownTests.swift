import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Breakdowns by the values of a member", .timeLimit(.minutes(30))) struct BreakdownTests {
    private let today = Day(number: 20_000)

    private func take(_ breakdown: inout Breakdown, _ event: String, daysAgo: Int64 = 0) throws {
        try Array(event.utf8).withUnsafeBufferPointer {
            try breakdown.take($0, at: today.advanced(by: -daysAgo).start + 1)
        }
    }

    private func question(
        _ path: String? = "properties.plan", and: String? = nil, where conditions: [String] = [],
        _ statistic: Statistic? = nil
    ) throws -> Breakdown.Question {
        let yesterday = today.advanced(by: -1)
        let intervals = try Intervals(.day, of: yesterday...today, in: nil)
        let total = try JSONPath("properties.total")
        return Breakdown.Question(
            intervals: intervals, before: today.advanced(by: -3).start..<yesterday.start,
            path: try path.map { try JSONPath($0) }, and: try and.map { try JSONPath($0) },
            conditions: try conditions.map { try JSONCondition($0) },
            measure: statistic.map { (total, $0) })
    }

    private func breakdown(_ path: String? = "properties.plan", where conditions: String...) throws -> Breakdown {
        Breakdown(try question(path, where: conditions))
    }

    /// Orders with a plan and a total.
    private func measured(_ statistic: Statistic, mostNumbers: Int = 100) throws -> Breakdown {
        var breakdown = Breakdown(try question("properties.plan", statistic), mostNumbers: mostNumbers)
        for (plan, total, daysAgo) in [
            ("pro", "1.5", 0), ("pro", "4", 1), ("pro", "-2", 1), ("free", "100", 0), ("pro", #""9""#, 0),
            ("pro", "1e999", 0), ("pro", "7", 2), ("rare", "null", 0),
        ] {
            try take(
                &breakdown, #"{"userId":"a","properties":{"plan":"\#(plan)","total":\#(total)}}"#,
                daysAgo: Int64(daysAgo))
        }
        return breakdown
    }

    @Test("Events and users are counted by value and by day, and earlier events are counted apart")
    func counts() throws {
        var breakdown = try breakdown()
        try take(&breakdown, #"{"userId":"a","properties":{"plan":"pro"}}"#)
        try take(&breakdown, #"{"userId":"a","anonymousId":"x","properties":{"plan":"pro"}}"#)
        try take(&breakdown, #"{"anonymousId":"a","properties":{"plan":"pro"}}"#, daysAgo: 1)
        try take(&breakdown, #"{"userId":"b","properties":{"plan":7}}"#)
        try take(&breakdown, #"{"userId":"b","properties":{}}"#)
        try take(&breakdown, #"{"userId":"c","properties":{"plan":"pro"}}"#, daysAgo: 2)
        let json = breakdown.json(limit: 10)
        // A user and a device with the same id count as two users.
        #expect(
            json["values"] == [
                ["value": "pro", "count": 3, "before": 1, "users": 2, "days": [1, 2]],
                ["value": 7, "count": 1, "before": 0, "users": 1, "days": [0, 1]],
            ])
        #expect(json["absent"] == ["count": 1, "before": 0, "users": 1, "days": [0, 1]])
        #expect(json["total"] == ["count": 5, "before": 1, "users": 3, "days": [1, 4]])
        #expect(json["usersByDay"] == [1, 2])
        #expect(json["looked"] == 6)
    }

    @Test("Events are counted by pairs of values, and an event without the second value has a pair without it")
    func pairs() throws {
        var breakdown = Breakdown(try question("properties.plan", and: "context.os.name"))
        for (properties, os) in [
            (#"{"plan":"pro"}"#, #""iOS""#), (#"{"plan":"pro"}"#, #""iOS""#), (#"{"plan":"pro"}"#, "null"),
            (#"{"plan":"p","x":1}"#, #""roiOS""#), ("{}", #""iOS""#),
        ] {
            try take(&breakdown, #"{"userId":"a","properties":\#(properties),"context":{"os":{"name":\#(os)}}}"#)
        }
        try take(&breakdown, #"{"userId":"b","properties":{"plan":"pro"}}"#, daysAgo: 1)
        let json = breakdown.json(limit: 2)
        #expect(
            json["values"] == [
                ["value": "pro", "and": "iOS", "count": 2, "before": 0, "users": 1, "days": [0, 2]],
                ["value": "p", "and": "roiOS", "count": 1, "before": 0, "users": 1, "days": [0, 1]],
            ])
        #expect(json["absent"]?["count"] == 1)
        #expect(json["others"]?["count"] == 2)
        #expect(json["unlistedValues"] == 2)
        let all = breakdown.json(limit: 9)["values"]?.elements ?? []
        #expect(all.count { $0["and"] == nil } == 1)
        #expect(all.count { $0["and"] == .null } == 1)
    }

    @Test("Too many pairs cost little memory, and the rarest are added up")
    func manyPairs() throws {
        var breakdown = Breakdown(try question("properties.plan", and: "properties.id"))
        for number in 0..<5_000 {
            let plan = number.isMultiple(of: 2) ? #""plan":"often","id":1"# : #""plan":\#(number % 70),"id":\#(number)"#
            try take(&breakdown, #"{"properties":{\#(plan)}}"#)
        }
        let json = breakdown.json(limit: 1)
        #expect(json["values"]?[0]?["count"] == 2_500)
        #expect(json["total"]?["count"] == 5_000)
        #expect(json["others"]?["count"] == 2_500)
    }

    @Test("Values beyond the limit are added up, and each of their users counts once")
    func others() throws {
        var breakdown = try breakdown()
        for (value, user) in [("1", "a"), ("1", "a"), ("2", "b"), ("3", "b"), ("[ 4 ]", "c"), ("null", "c")] {
            try take(&breakdown, #"{"userId":"\#(user)","properties":{"plan":\#(value)}}"#)
        }
        let json = breakdown.json(limit: 1)
        #expect(json["values"]?.elements?.map { $0["value"] } == [1])
        #expect(json["others"]?["count"] == 4)
        #expect(json["others"]?["users"] == 2)
        #expect(json["unlistedValues"] == 4)
        #expect(breakdown.json(limit: 9)["values"]?.elements?.map { $0["value"] } == [1, 2, 3, [4], .null])
    }

    @Test("Values beyond the limit and very long values are counted as others")
    func bounds() throws {
        var breakdown = try breakdown()
        for number in 0..<Limits.breakdownCountedValues + 5 {
            try take(&breakdown, #"{"properties":{"plan":\#(number)}}"#)
        }
        try take(&breakdown, #"{"properties":{"plan":"\#(String(repeating: "x", count: 1_000))"}}"#)
        let json = breakdown.json(limit: Limits.breakdownCountedValues)
        #expect(json["values"]?.elements?.count == Limits.breakdownCountedValues)
        #expect(json["others"]?["count"] == 6)
        #expect(json["total"]?["users"] == 0)
    }

    @Test("A value that comes often is listed, whatever was invented before it and between")
    func often() throws {
        var breakdown = try breakdown()
        for number in 0..<5 * Limits.breakdownCountedValues {
            try take(&breakdown, #"{"properties":{"plan":\#(number)}}"#)
            guard number >= Limits.breakdownCountedValues, number % 10 == 0 else { continue }
            try take(&breakdown, #"{"properties":{"plan":"pro"}}"#)
        }
        let json = breakdown.json(limit: 1)
        #expect(json["values"]?.elements?.map { $0["value"] } == ["pro"])
        let sent = Int64(4 * Limits.breakdownCountedValues / 10)
        let counted = try #require(json["values"]?.elements?.first?["count"]?.intValue)
        let mayLack = try #require(json["mayLack"]?.intValue)
        #expect(Int64(counted) <= sent)
        #expect(Int64(counted + mayLack) >= sent)
        #expect(
            json["others"]?["count"]?.intValue.map { Int64($0) + Int64(counted) }
                == json["total"]?["count"]?.intValue.map { Int64($0) })
    }

    @Test("Conditions choose the events, and without a path all are counted together")
    func conditions() throws {
        var breakdown = try breakdown(nil, where: "properties.total>10")
        try take(&breakdown, #"{"userId":"a","properties":{"total":11}}"#)
        try take(&breakdown, #"{"userId":"a","properties":{"total":9}}"#)
        let json = breakdown.json(limit: 10)
        #expect(json["total"]?["count"] == 1)
        #expect(json["values"] == [])
        #expect(json["absent"]?["count"] == 0)
        #expect(json["looked"] == 2)
    }

    @Test("The numbers of a member are added up by value and by day; only a number is one")
    func sums() throws {
        let json = try measured(.sum).json(limit: 10)
        let measured = json["values"]?.elements?.map { $0["measured"] }
        // The highest sum comes first, although its value came least often.
        #expect(
            measured == [
                ["numbers": 1, "value": 100, "before": .null, "days": [.null, 100]],
                ["numbers": 3, "value": 3.5, "before": 7, "days": [2, 1.5]],
                ["numbers": 0, "value": .null, "before": .null, "days": [.null, .null]],
            ])
        #expect(json["total"]?["measured"] == ["numbers": 4, "value": 103.5, "before": 7, "days": [2, 101.5]])
        #expect(json["total"]?["count"] == 7)
        let others = try self.measured(.sum).json(limit: 1)["others"]?["measured"]
        #expect(others == ["numbers": 3, "value": 3.5, "before": 7, "days": [2, 1.5]])
    }

    @Test(
        "A statistic says what it is called",
        arguments: [
            (Statistic.average, 25.875), (.min, -2), (.max, 100), (.median, 2.75), (.p90, 71.2), (.p95, 85.6),
            (.p99, 97.12),
        ])
    func statistics(statistic: Statistic, value: Double) throws {
        let found = try measured(statistic).json(limit: 10)["total"]?["measured"]?["value"]?.doubleValue
        #expect(try abs(#require(found) - value) < 1e-9)
    }

    @Test("Very many numbers end with a reason when all have to be held, and not when they are added up")
    func tooManyNumbers() throws {
        #expect(throws: Refusal.self) { try measured(.median, mostNumbers: 3) }
        #expect(try measured(.average, mostNumbers: 3).part(limit: 1) != nil)
        // The answer has a median at its end only.
        #expect(try measured(.median).part(limit: 1) == nil)
    }

    @Test("The server counts by the hour of a zone, by when events happened, and adds up their numbers")
    func measuredAnswer() async throws {
        try await TestWorkspace.run { workspace async throws in
            // An import of the past: it arrives today.
            func order(_ id: String, _ time: String, _ total: JSON) -> JSON {
                var event = Events.track(messageId: id)
                event["timestamp"] = .string(time)
                event["properties"] = ["total": total]
                return event
            }
            try await workspace.client.batch([
                order("1", "2021-03-27T22:30:00Z", 1), order("2", "2021-03-27T23:00:00Z", 2),
                order("3", "2021-03-28T21:59:59Z", 4.5), order("4", "2021-03-28T22:00:00Z", 8),
            ])
            let query =
                "writeKey=WK&time=happened&since=2021-03-28&until=2021-03-29&zone=Europe/Berlin&interval=hour"
                + "&statistic=sum&of=properties.total&compare=true"
            let answer = try await workspace.client.get("/api/breakdown?\(query)")
            #expect(answer.status == 200, "\(answer.text)")
            let last = try #require(answer.text.split(separator: "\n").last)
            let result = try #require(try JSON.parse(String(last))["result"])
            // The clock was put forward on that day.
            #expect(result["days"]?.elements?.count == 23)
            #expect(result["days"]?.elements?.first == "2021-03-28T00:00+01:00")
            #expect(result["days"]?.elements?.last == "2021-03-28T23:00+02:00")
            #expect(result["total"]?["count"] == 2)
            #expect(result["total"]?["measured"]?["value"] == 6.5)
            #expect(result["total"]?["measured"]?["before"] == 1)
            #expect(result["total"]?["days"]?.elements?.first == 1)
        }
    }

    @Test("The server shows the progress of a breakdown, reads every event once, and ends with the result")
    func answer() async throws {
        try await TestWorkspace.run(writeKeys: ["WK", "OTHER"]) { workspace async throws in
            let client = workspace.client
            let count = Limits.breakdownStep + 3
            for start in stride(from: 0, to: count, by: 500) {
                try await client.batch(
                    (start..<min(count, start + 500)).map { number in
                        var event = Events.track(messageId: "m-\(number)", userId: "u-\(number % 7)")
                        event["properties"] = ["kind": .string(number % 2 == 0 ? "even" : "odd")]
                        return event
                    })
            }
            try await client.batch([Events.track(messageId: "x", name: "Other")])
            try await client.batch([Events.track(messageId: "y")], writeKey: "OTHER")
            let query = "writeKey=WK&type=track&name=Order%20Completed&property=properties.kind&compare=true"
            let answer = try await client.get("/api/breakdown?\(query)")
            let lines = try answer.text.split(separator: "\n").map { try JSON.parse(String($0)) }
            #expect(lines.first?["progress"]?["looked"]?.intValue == Limits.breakdownStep)
            #expect(lines.first?["progress"]?["most"]?.intValue ?? 0 >= count)
            let result = try #require(lines.last?["result"])
            #expect(result["looked"]?.intValue == count)
            #expect(result["values"]?.elements?.map { $0["value"] } == ["even", "odd"])
            #expect(result["values"]?.elements?.compactMap { $0["count"]?.intValue } == [count / 2 + 1, count / 2])
            #expect(result["total"]?["users"] == 7)
            #expect(result["days"]?.elements?.count == 30)
        }
    }

    @Test("A source without events has a result of zeros")
    func empty() async throws {
        try await TestWorkspace.run { workspace async throws in
            let answer = try await workspace.client.get(
                "/api/breakdown?writeKey=WK&property=properties.a&until=2020-01-01")
            let lines = answer.text.split(separator: "\n")
            #expect(lines.count == 1)
            #expect(try JSON.parse(String(try #require(lines.first)))["result"]?["total"]?["count"] == 0)
        }
    }

    @Test(
        "An invalid breakdown is refused with the reason",
        arguments: [
            ("", "writeKey names the source"), ("writeKey=WK&property=a%3D1", "is no path"),
            ("writeKey=WK&property=.", "path"), ("writeKey=WK&limit=201", "from 1 to 200"),
            ("writeKey=WK&type=x", "there is no type x"), ("writeKey=WK&since=2000-01-01", "at most 366 days"),
            ("writeKey=WK&interval=month", "interval is one of hour, day, week"),
            ("writeKey=WK&interval=hour&since=2026-01-01&until=2026-03-01", "more than 800 hours"),
            ("writeKey=WK&zone=Mars", "the name of a time zone"), ("writeKey=WK&time=x", "received, happened"),
            ("writeKey=WK&statistic=sum", "of is the path"), ("writeKey=WK&of=a", "statistic says"),
            ("writeKey=WK&statistic=p50&of=a", "one of sum, average"),
            ("writeKey=WK&statistic=sum&of=a%3D1", "is no path"),
        ])
    func refusals(query: String, reason: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            let answer = try await workspace.client.get("/api/breakdown?\(query)")
            #expect(answer.status == 400)
            #expect(try answer.json["error"]?.stringValue?.contains(reason) == true, "\(answer.text)")
        }
    }

    @Test("The command shows a table, and the result as JSON")
    func command() async throws {
        try await TestWorkspace.run { workspace async throws in
            try await workspace.client.batch([
                Events.track(messageId: "m-1"), Events.track(messageId: "m-2", userId: "u-2"),
                ["type": "page", "messageId": "m-3", "userId": "u-1"],
            ])
            func run(_ arguments: String...) async throws -> CommandRun.Outcome {
                try await CommandRun.finish(
                    ["breakdown", "--write-key", "WK", "--server", workspace.client.url] + arguments)
            }
            let table = try await run("--property", "properties.total", "--before")
            #expect(table.status == 0, "\(table.errors)")
            let rows = table.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
            #expect(
                rows == [
                    "properties.total events users before", "all events 3 2 0", "42 2 2 0", "(without it) 1 1 0",
                ])
            #expect(try JSON.parse(try await run("--json").output)["total"]?["count"] == 3)
            let sum = try await run("--property", "type", "--sum", "properties.total")
            #expect(
                sum.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") } == [
                    "type events users sum of properties.total", "all events 3 2 84", "track 2 2 84", "page 1 1 -",
                ], "\(sum.errors)")
            let hours = try await run(
                "--statistic", "p95", "--of", "properties.total", "--by", "week", "--zone", "Asia/Tokyo")
            let lastWeek = hours.output.split(separator: "\n").last?.split(separator: " ").dropFirst()
            #expect(lastWeek == ["3", "2", "42"], "\(hours.output)")
            #expect(try await run("--sum", "properties.total", "--of", "x").errors.contains("give one of both"))
            #expect(try await run("--of", "x").errors.contains("belong together"))
            #expect(try await run("--sum", "properties.none").errors.contains("properties.none"))
            #expect(try await run("--property", "a=").status == 1)
        }
    }
}
