import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore

@Suite("Single events and the tracking plan") struct PlanJudgeTests {
    private static let plan = """
        {"events": [
          {"type": "track", "name": "Paid", "properties": [
            {"key": "total", "type": "number", "required": true}, {"key": "state", "type": "string", "values": ["open", "é"]},
            {"key": "any", "required": true}]},
          {"type": "track", "name": "Debug", "blocked": true},
          {"type": "identify", "properties": [{"key": "mail", "type": "string", "required": true}]},
          {"type": "alias"}]}
        """

    private func problems(_ type: EventType, _ name: String?, _ body: String) throws -> [String] {
        let judge = try #require(PlanJudge(try TrackingPlan(try JSON.parse(Self.plan))))
        return judge.problems(of: CountedName(type, name: name), Array(body.utf8)).map { "\($0.kind) \($0.key ?? "")" }
    }

    @Test(
        "An event differs by its name, and by each property that is strange, missing, of another type or not allowed",
        arguments: [
            (#"{"properties":{"total":5,"any":false}}"#, []),
            (#"{"properties":{"total":5,"any":false,"state":"open"}}"#, []),
            (#"{"properties":{"total":5,"any":{},"state":"\u00e9"}}"#, []),
            (#"{"properties":{"to\u0074al":5,"any":[]}}"#, []),
            // Null is a missing value, and an optional property may miss.
            (#"{"properties":{"total":null,"any":1,"state":null}}"#, ["missing total"]),
            (#"{"properties":{"total":"5","any":1,"state":7}}"#, ["type total", "type state"]),
            (#"{"properties":{"total":5,"any":1,"state":"Open"}}"#, ["value state"]),
            (#"{"properties":{"total":5,"any":1,"colour":"red"}}"#, ["unplanned colour"]),
            // The first value of a repeated key counts.
            (#"{"properties":{"total":5,"total":"x","any":1}}"#, []),
            (#"{"properties":[]}"#, ["missing total", "missing any"]), ("{}", ["missing total", "missing any"]),
            ("no JSON", ["missing total", "missing any"]),
        ])
    func properties(body: String, expected: [String]) throws {
        #expect(try problems(.track, "Paid", body) == expected)
    }

    @Test("A name that is not planned differs, a blocked one does too, and an alias has no properties")
    func names() throws {
        #expect(try problems(.track, "Other", "{}") == ["event "])
        #expect(try problems(.screen, "Paid", "{}") == ["event "])
        #expect(try problems(.track, "Debug", "{}") == ["blocked "])
        #expect(try problems(.identify, nil, #"{"traits":{"mail":"a"},"properties":{"x":1}}"#) == [])
        #expect(try problems(.identify, nil, #"{"properties":{"mail":"a"}}"#) == ["missing mail"])
        #expect(try problems(.alias, nil, #"{"properties":{"x":1}}"#) == [])
        #expect(PlanJudge(TrackingPlan.none).map { _ in true } == nil)
    }

    @Test("The name of a counter says its day, event and key, whatever letters they have")
    func counters() throws {
        for event in [CountedName(.track, name: "a:b\"]"), CountedName(.identify, name: nil)] {
            for key in [nil, "k:\"é"] {
                let parsed = try #require(PlanCounter.parse(PlanCounter.name(Day(number: 20_000), event, key: key)))
                #expect(parsed.day == Day(number: 20_000))
                #expect(parsed.event == event)
                #expect(parsed.key == key)
            }
        }
        #expect(try #require(PlanCounter.parse(PlanCounter.name(Day(number: 1), nil))).event == nil)
        #expect(PlanCounter.parse(PlanCounter.name(nil, nil)) == nil)
        for other in ["stored", "plan:", "plan:x", "plan:1:{}", "plan:1:[1]", "day:20000"] {
            #expect(PlanCounter.parse(other) == nil, "\(other)")
        }
    }
}
