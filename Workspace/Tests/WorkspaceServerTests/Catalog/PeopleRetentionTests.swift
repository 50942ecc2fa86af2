import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("People who come back", .timeLimit(.minutes(30))) struct PeopleRetentionTests {
    /// Monday, the 30th of September 2024.
    private let day = Day(number: 19_996)

    private func question(
        _ first: String = "A", _ returning: String = "B", by period: PeopleRetention.Period = .day, days: Int64 = 3
    ) throws -> PeopleRetention.Question {
        try PeopleRetention.Question(
            first: try FunnelStep(first), returning: try FunnelStep(returning), period: period,
            days: day...day.advanced(by: days - 1))
    }

    /// The result after events at hours since the first day.
    private func json(
        _ question: PeopleRetention.Question, _ events: [(hour: Int64, text: String)], mostPlaces: Int = 99
    ) throws -> JSON {
        var retention = PeopleRetention(question, mostPlaces: mostPlaces, mostDevices: 9)
        try retention.take(
            events.enumerated().map { index, event in
                TextEvent(event.text, at: day.start + event.hour * 3_600_000, sequence: Int64(index))
            })
        return retention.json(limit: 0)
    }

    private func event(_ name: String, _ user: String? = "u", device: String? = nil, properties: String = "{}")
        -> String
    {
        let ids = [user.map { #""userId":"\#($0)","# }, device.map { #""anonymousId":"\#($0)","# }].compactMap { $0 }
        return #"{"type":"track",\#(ids.joined())"event":"\#(name)","properties":\#(properties)}"#
    }

    /// The people of each cohort, and how many of them came back.
    private func rows(_ json: JSON) -> [[Int]] {
        (json["cohorts"]?.elements ?? []).map { cohort in
            [cohort["people"]?.intValue ?? -1] + (cohort["returned"]?.elements ?? []).map { $0.intValue ?? -1 }
        }
    }

    @Test("People belong to the day of their first event, and count once for each later day, in any order of arrival")
    func days() throws {
        let result = try json(
            question(),
            [
                (50, event("B")), (49, event("B")), (26, event("B")), (30, event("A")), (2, event("A")),
                (1, event("A", "v")), (2, event("B", "v")), (25, event("A", "w")), (48, event("B", "w")),
                (0, event("B", "x")), (1, event("Other", "y")),
            ])
        #expect(rows(result) == [[2, 1, 1], [1, 1], [0]])
        #expect(result["all"] == ["people": 3, "of": [3, 2], "returned": [2, 1]])
        #expect(cohorts(result) == ["2024-09-30", "2024-10-01", "2024-10-02"])
        #expect(result["until"] == "2024-10-02")
    }

    private func cohorts(_ json: JSON) -> [String] {
        (json["cohorts"]?.elements ?? []).map { $0["since"]?.stringValue ?? "" }
    }

    @Test("Weeks begin on Monday, also when the days begin later, and the last one may not be over")
    func weeks() throws {
        let wednesday = try PeopleRetention.Question(
            first: try FunnelStep("A"), returning: try FunnelStep("A"), period: .week,
            days: day.advanced(by: 2)...day.advanced(by: 8))
        let result = try json(
            wednesday,
            [
                (0, event("A")), (7 * 24, event("A")), (6 * 24 + 23, event("A", "v")), (7 * 24, event("A", "w")),
                (8 * 24 + 23, event("A", "v")), (9 * 24, event("A", "w")), (9 * 24, event("A", "x")),
                (-1, event("A", "y")),
            ])
        #expect(cohorts(result) == ["2024-09-30", "2024-10-07"])
        #expect(rows(result) == [[2, 2], [1]])
        #expect(result["since"] == "2024-09-30")
        let before = try PeopleRetention.Question(
            first: try FunnelStep("A"), returning: try FunnelStep("A"), period: .week,
            days: Day(number: -1)...Day(number: 0))
        #expect(cohorts(try json(before, [])) == ["1969-12-29"])
    }

    @Test("Days begin at midnight of the time zone, also when the clock is changed between them")
    func zone() throws {
        // On the 27th of October 2024, the clocks of Berlin were put back.
        let first = Day(number: 20_022)
        let question = try PeopleRetention.Question(
            first: try FunnelStep("A"), returning: try FunnelStep("A"), period: .day,
            days: first...first.advanced(by: 2), zone: try TimeZone(named: "Europe/Berlin"))
        var retention = PeopleRetention(question, mostPlaces: 99, mostDevices: 9)
        try retention.take(
            [(-2, "u"), (21, "u"), (-3, "v"), (23, "w"), (47, "w"), (71, "w")].enumerated().map { index, one in
                TextEvent(event("A", one.1), at: first.start + one.0 * 3_600_000, sequence: Int64(index))
            })
        let result = retention.json(limit: 0)
        #expect(rows(result) == [[1, 0, 0], [1, 1], [0]])
        #expect(result["zone"] == "Europe/Berlin")
    }

    @Test("The first millisecond and the last one of the days count, and those beside them do not")
    func ends() throws {
        let end = 3 * Day.milliseconds
        var retention = PeopleRetention(try question())
        try retention.take(
            [(-1, "p"), (0, "q"), (end - 1, "r"), (end, "s")].enumerated().map { index, one in
                TextEvent(event("A", one.1), at: day.start + one.0, sequence: Int64(index))
            } + [
                TextEvent(event("B", "q"), at: day.start + end - 1, sequence: 9),
                TextEvent(event("B", "q"), at: day.start + end, sequence: 10),
                TextEvent(event("B", "q"), at: .max, sequence: 11), TextEvent(event("B", "q"), at: .min, sequence: 12),
            ])
        #expect(rows(retention.json(limit: 0)) == [[1, 0, 1], [0, 0], [1]])
    }

    @Test("A device belongs to the user that was named last for it, and its days are those of the user")
    func people() throws {
        let result = try json(
            question(),
            [
                (1, event("A", nil, device: "d")), (2, event("Login", "u", device: "d")),
                (30, event("A", "u", device: "e")), (31, event("B", nil, device: "e")), (31, event("B", "u")),
                // A user and a device of the same id are two.
                (1, event("A", nil, device: "u")), (50, event("B", "d")),
                // Outside the days, an event names no person.
                (1, event("A", nil, device: "f")), (-1, event("Login", "u", device: "f")),
                (51, event("B", nil, device: "f")),
                (1, event("A", nil)),
            ])
        #expect(rows(result) == [[3, 1, 1], [0, 0], [0]])
    }

    @Test("Conditions hold for each of the two events, and a name with escapes is the same name")
    func conditions() throws {
        let first = #"{"type":"track","name":"A","where":["properties.n>1"]}"#
        let result = try json(
            question(first, #"{"name":"\u00c4","where":["properties.n=0"]}"#),
            [
                (1, event("A", "u", properties: #"{"n":1}"#)), (25, event("A", "u", properties: #"{"n":2}"#)),
                (49, event("\\u00c4", "u", properties: #"{"n":0}"#)), (49, event("Ä", "v", properties: #"{"n":0}"#)),
                (1, event("A", "v", properties: #"{"n":2}"#)), (25, event("Ä", "v", properties: #"{"n":"0"}"#)),
            ])
        #expect(rows(result) == [[1, 0, 1], [1, 1], [0]])
    }

    @Test("Very many people end with a reason, and one person may have any number of events in a day")
    func bounds() throws {
        let many = try json(question(), (0..<5_000).map { ($0 % 24, event("A")) }, mostPlaces: 1)
        #expect(rows(many) == [[1, 0, 0], [0, 0], [0]])
        #expect(throws: Refusal.self) {
            try json(question(), [(1, event("A")), (25, event("B"))], mostPlaces: 1)
        }
        #expect(rows(try json(question(days: 1), [(1, event("A"))])) == [[1]])
        #expect(try json(question(days: 1), [])["all"] == ["people": 0, "of": [], "returned": []])
    }

    @Test(
        "The server answers with progress and the result; the command shows it, and lets the first event be the other")
    func answer() async throws {
        try await TestWorkspace.run { workspace async throws in
            func track(_ id: String, _ name: String, _ user: String, day: Int) -> JSON {
                var event = Events.track(messageId: id, name: name, userId: user).objectValue ?? [:]
                event["timestamp"] = .string("2026-11-\(day)T01:00:00.000Z")
                return .object(event)
            }
            try await workspace.client.batch([
                track("1", "Signed Up", "u-1", day: 19), track("2", "Signed Up", "u-2", day: 19),
                track("3", "Opened", "u-1", day: 20), track("4", "Signed Up", "u-2", day: 21),
            ])
            let days = "since=2026-11-19&until=2026-11-22"
            let answer = try await workspace.client.get("/api/retention?writeKey=WK&first=Signed%20Up&\(days)")
            #expect(answer.status == 200, "\(answer.text)")
            let last = try JSON.parse(String(try #require(answer.text.split(separator: "\n").last)))
            #expect(last["result"]?["all"] == ["people": 2, "of": [2, 2], "returned": [0, 1]])
            let outcome = try await CommandRun.finish([
                "retention", "--write-key", "WK", "--server", workspace.client.url, "--first", "Signed Up",
                "--returning", "Opened", "--since", "2026-11-19", "--until", "2026-11-22",
            ])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let rows = outcome.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
            #expect(
                rows == [
                    "day people +1 +2", "all 2 1 (50 %) 0 (0 %)", "2026-11-19 2 1 (50 %) 0 (0 %)", "2026-11-20 0",
                    "2026-11-21 0",
                ])
        }
    }

    @Test(
        "A question that cannot be meant is refused with the reason",
        arguments: [
            ("", "first names the event"), ("first=%7B", "JSON object"),
            ("first=A&returning=%7B%7D", "a type, a name or both"),
            ("first=A&by=month", "day or week"), ("first=A&since=2000-01-01", "at most 366 days"),
            ("first=" + String(repeating: "x", count: 8_193), "at most 8192 bytes"),
        ])
    func refusals(query: String, reason: String) async throws {
        try await TestWorkspace.run { workspace async throws in
            let answer = try await workspace.client.get("/api/retention?writeKey=WK&\(query)")
            #expect(answer.status == 400)
            #expect(try answer.json["error"]?.stringValue?.contains(reason) == true, "\(answer.text)")
        }
    }
}
