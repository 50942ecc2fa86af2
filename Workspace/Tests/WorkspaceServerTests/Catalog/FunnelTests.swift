import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Funnels", .timeLimit(.minutes(30))) struct FunnelTests {
    private let day = Day(number: 20_000)

    private func question(
        _ steps: [String], window: Int64 = 3_600, by path: String? = nil, in zone: String? = nil, around: Int? = nil
    ) throws -> Funnel.Question {
        try Funnel.Question(
            steps: try steps.map { try FunnelStep($0) }, window: window, days: day...day,
            zone: try zone.map { try TimeZone(named: $0) }, path: try path.map { try JSONPath($0) }, around: around)
    }

    /// Takes events at seconds of the day.
    private func take(_ funnel: inout Funnel, _ events: [(second: Int64, text: String)]) throws {
        try funnel.take(
            events.enumerated().map { index, event in
                TextEvent(event.text, at: day.start + event.second * 1_000, sequence: Int64(index))
            })
    }

    private func event(_ name: String, user: String? = "u", device: String? = nil, properties: String = "{}") -> String
    {
        let ids = [user.map { #""userId":"\#($0)","# }, device.map { #""anonymousId":"\#($0)","# }].compactMap { $0 }
        return #"{"type":"track",\#(ids.joined())"event":"\#(name)","properties":\#(properties)}"#
    }

    private func people(_ funnel: Funnel) -> JSON? { funnel.json(limit: 10)["all"]?["people"] }

    @Test("People count for each step that they reached in order, whatever the order of arrival")
    func order() throws {
        var funnel = Funnel(try question(["A", "B", "C"]))
        try take(
            &funnel,
            [
                (30, event("C", user: "x")), (20, event("B", user: "x")), (10, event("A", user: "x")),
                (10, event("B", user: "y")), (20, event("A", user: "y")), (40, event("C", user: "y")),
                (10, event("A", user: "z")), (14, event("B", user: "z")), (10, event("B", user: "w")),
            ])
        let json = funnel.json(limit: 10)
        #expect(json["all"] == ["people": [3, 2, 1], "medianSeconds": [.null, 7, 10]])
    }

    @Test("People who did not go on are counted by their next event, and all who did the step by the one before")
    func around() throws {
        var funnel = Funnel(try question(["A", "B"], window: 60, around: 0))
        try take(
            &funnel,
            [
                (5, event("Before", user: "x")), (9, event("Just before", user: "x")), (10, event("A", user: "x")),
                (20, event("Left", user: "x")), (30, event("Later", user: "x")),
                // Went on.
                (10, event("A", user: "y")), (15, event("Between", user: "y")), (20, event("B", user: "y")),
                // Nothing within the window, and nothing of the time before it.
                (100, event("A", user: "z")), (161, event("Too late", user: "z")), (39, event("Too early", user: "z")),
                (10, event("A", user: "w")), (70, event("Left", user: "w")),
                // Never did the step.
                (20, event("Left", user: "v")),
            ])
        let around = try #require(funnel.json(limit: 10)["around"])
        #expect(around["step"] == 1)
        #expect(
            around["next"] == [
                "people": 3, "others": 0, "nothing": 1, "events": [["type": "track", "name": "Left", "people": 2]],
            ])
        #expect(
            around["before"] == [
                "people": 4, "others": 0, "nothing": 3,
                "events": [["type": "track", "name": "Just before", "people": 1]],
            ])
        let short = funnel.json(limit: 0)["around"]?["next"]
        #expect(short?["others"] == 2 && short?["events"] == [])
    }

    @Test("After the last step are those who did all of them, and a step again is a next event, too")
    func last() throws {
        var funnel = Funnel(try question(["A", "B"], window: 60, around: 1))
        try take(
            &funnel,
            [
                (10, event("A")), (20, event("B")), (20, event("Same time")), (30, event("B")),
                (10, event("A", user: "x")),
            ])
        let around = try #require(funnel.json(limit: 10)["around"])
        #expect(around["next"]?["people"] == 1)
        #expect(around["next"]?["events"] == [["type": "track", "name": "Same time", "people": 1]])
        #expect(around["before"]?["events"] == [["type": "track", "name": "A", "people": 1]])
        #expect(throws: Refusal.self) { try question(["A", "B"], around: 2) }
    }

    @Test("The days are those of the time zone")
    func zone() throws {
        var funnel = Funnel(try question(["A", "B"], in: "Asia/Kolkata"))
        // The day begins half past six in the evening before.
        let start = -(5 * 3_600 + 1_800)
        try take(
            &funnel,
            [
                (Int64(start - 1), event("A", user: "early")), (Int64(start), event("A", user: "x")),
                (Int64(start + 86_399), event("A", user: "y")), (Int64(start + 86_400), event("A", user: "late")),
            ])
        #expect(people(funnel) == [2, 0])
        #expect(funnel.json(limit: 1)["zone"] == "Asia/Kolkata")
    }

    @Test("The last step has to come within the window of the first, and a later start counts")
    func window() throws {
        var late = Funnel(try question(["A", "B"], window: 10))
        try take(&late, [(0, event("A")), (11, event("B"))])
        #expect(people(late) == [1, 0])
        var again = Funnel(try question(["A", "B"], window: 10))
        try take(&again, [(0, event("A")), (1, event("A")), (11, event("B"))])
        #expect(people(again) == [1, 1])
    }

    @Test("One event is not its own successor, and events of one time follow each other as they arrived")
    func successor() throws {
        var once = Funnel(try question(["A", "A"]))
        try take(&once, [(0, event("A"))])
        #expect(people(once) == [1, 0])
        var twice = Funnel(try question(["A", "A"]))
        try take(&twice, [(0, event("A")), (0, event("A"))])
        #expect(people(twice) == [1, 1])
    }

    @Test("A device belongs to the user that was named last for it; events outside the days do not count")
    func people() throws {
        var funnel = Funnel(try question(["A", "B"]))
        try take(
            &funnel,
            [
                (1, event("A", user: nil, device: "d")), (2, event("Login", user: "x", device: "d")),
                (3, event("B", user: "x")), (4, event("A", user: nil, device: "e")),
                (5, event("B", user: nil, device: "f")),
                (-1, event("A", user: "q")), (86_400, event("A", user: "r")), (7, event("A", user: nil)),
            ])
        #expect(people(funnel) == [2, 1])
    }

    @Test("The furthest chain agrees with a search of all chains")
    func exhaustive() {
        /// The most steps that can be chosen from these events.
        func furthest(_ events: ArraySlice<(UInt8, Int64)>, _ step: Int, _ start: Int64?, _ window: Int64) -> Int {
            guard step < 3, let first = events.first else { return step }
            var best = furthest(events.dropFirst(), step, start, window)
            if first.0 & 1 << step != 0, start.map({ first.1 - $0 <= window }) ?? true {
                best = max(best, furthest(events.dropFirst(), step + 1, start ?? first.1, window))
            }
            return best
        }
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let events = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
                (UInt8.random(in: 1..<8, using: &generator), Int64.random(in: 0...20, using: &generator))
            }.sorted { $0.1 < $1.1 }
            var path = FunnelPath(steps: 3, window: 8)
            for event in events { path.take(event.0, at: event.1, value: 0) }
            #expect(path.furthest.times.count == furthest(events[...], 0, nil, 8), "\(events)")
        }
    }

    @Test("People are counted apart by a property of their first step")
    func values() throws {
        var funnel = Funnel(try question(["A", #"{"name":"B","where":["properties.n>1"]}"#], by: "properties.plan"))
        try take(
            &funnel,
            [
                (1, event("A", user: "x", properties: #"{"plan":"pro"}"#)),
                (2, event("B", user: "x", properties: #"{"n":2}"#)),
                (1, event("A", user: "y", properties: #"{"plan":"pro"}"#)),
                (2, event("B", user: "y", properties: #"{"n":1}"#)),
                (1, event("A", user: "z", properties: #"{"plan":"\ud800"}"#)), (1, event("A", user: "w")),
            ])
        let json = funnel.json(limit: 1)
        #expect(json["values"] == [["people": [2, 1], "medianSeconds": [.null, 1], "value": "pro"]])
        #expect(json["others"]?["people"] == [1, 0])
        #expect(json["absent"]?["people"] == [1, 0])
        #expect(json["unlistedValues"] == 1)
        #expect(funnel.json(limit: 9)["values"]?.elements?.count == 2)
    }

    @Test("Very many events and devices end with a reason, and one person may have them all")
    func bounds() throws {
        var many = Funnel(try question(["A", "B"]), mostEvents: 3, mostDevices: 9)
        try take(&many, [(1, event("A")), (2, event("A")), (3, event("Other")), (4, event("B"))])
        #expect(people(many) == [1, 1])
        #expect(throws: Refusal.self) { try take(&many, [(5, event("A"))]) }
        var devices = Funnel(try question(["A", "B"]), mostEvents: 9, mostDevices: 1)
        #expect(throws: Refusal.self) {
            try take(&devices, [(1, event("A", user: nil, device: "d")), (2, event("A", user: nil, device: "e"))])
        }
        var one = Funnel(try question(["A", "B"]))
        try take(&one, (0..<100_000).map { ($0 % 80_000, event($0 % 2 == 0 ? "A" : "B")) })
        #expect(people(one) == [1, 1])
    }

    @Test("A name with escapes is the same name, and an event of another form is no step")
    func forms() throws {
        var funnel = Funnel(try question(["Ä", #"{"type":"screen"}"#]))
        try take(
            &funnel,
            [
                (1, #"{"userId":"u","type":"track","event":"\u00c4"}"#),
                (2, #"{"userId":"u","type":"screen","name":"x"}"#),
                (3, #"{"userId":7,"type":[],"event":{"a":1}}"#), (4, #"{"userId":null,"type":"screen"}"#),
            ])
        #expect(people(funnel) == [1, 1])
    }

    @Test("The server answers with progress and the result, by the time when events happened; the command shows it")
    func answer() async throws {
        try await TestWorkspace.run { workspace async throws in
            try await workspace.client.batch([
                Events.track(messageId: "1", name: "Opened"), Events.track(messageId: "2", name: "Bought"),
                Events.track(messageId: "3", name: "Opened", userId: "u-2"),
            ])
            let query = "writeKey=WK&step=Opened&step=Bought&since=2026-11-20&until=2026-11-22"
            let answer = try await workspace.client.get("/api/funnel?\(query)")
            #expect(answer.status == 200, "\(answer.text)")
            let last = try #require(answer.text.split(separator: "\n").last)
            #expect(try JSON.parse(String(last))["result"]?["all"]?["people"] == [2, 1])
            let outcome = try await CommandRun.finish([
                "funnel", "--write-key", "WK", "--server", workspace.client.url, "--step", "Opened", "--step", "Bought",
                "--since", "2026-11-20", "--until", "2026-11-22", "--property", "properties.total",
            ])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let rows = outcome.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
            #expect(
                rows == [
                    "properties.total step people share median time", "all people Opened 2 100 %",
                    "Bought 1 50 % 0 s", "42 Opened 2 100 %", "Bought 1 50 % 0 s",
                ])
        }
    }

    @Test(
        "A funnel that cannot be meant is refused with the reason",
        arguments: [
            ("", "2 to 8 steps"), ("step=A", "2 to 8 steps"),
            (String(repeating: "step=A&", count: 9), "at most 8 steps"),
            ("step=A&step=%7B", "JSON object"), ("step=A&step=%7B%7D", "a type, a name or both"),
            (#"step=A&step={"kind":"x"}"#, "no kind"), (#"step=A&step={"type":"x"}"#, "one of"),
            (#"step=A&step={"type":7}"#, "one of"), (#"step=A&step={"name":""}"#, "a name is a text"),
            (#"step=A&step={"name":"B","where":"x"}"#, "a list"), (#"step=A&step={"name":"B","where":[1]}"#, "a text"),
            (#"step=A&step={"name":"B","where":["."]}"#, "path"),
            (#"step=A&step={"name":"B","where":[[[[[[1]]]]]]}"#, "JSON object"),
            ("step=A&step=" + String(repeating: "x", count: 8_193), "at most 8192 bytes"),
            ("step=A&step=B&window=0", "from 1 to"), ("step=A&step=B&window=1000000000000000000", "from 1 to"),
            ("step=A&step=B&property=a%3D1", "is no path"), ("step=A&step=B&limit=0", "from 1 to 200"),
            ("step=A&step=B&since=2000-01-01", "at most 366 days"),
        ])
    func refusals(query: String, reason: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            let allowed = CharacterSet.urlQueryAllowed.subtracting(["[", "]", "^"]).union(["%"])
            let encoded = try #require(query.addingPercentEncoding(withAllowedCharacters: allowed))
            let answer = try await workspace.client.get("/api/funnel?writeKey=WK&\(encoded)")
            #expect(answer.status == 400)
            #expect(try answer.json["error"]?.stringValue?.contains(reason) == true, "\(answer.text)")
        }
    }
}
