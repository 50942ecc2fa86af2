import Testing
import TributaryFilterTestKit
import TributaryFilters
import TributaryJSON

@Suite struct FilterTestRunTests {
    private let isSmall = fql(#"["<","n",{"value":3}]"#)

    private func events(_ count: Int) -> [JSON] {
        (0..<count).map { ["n": .number(JSONNumber($0)), "x": 1] }
    }

    @Test("A test run counts changed, dropped and untouched events for each rule and destination")
    func runCounts() {
        var named = rule(isSmall, drop, destination: "There")
        named["name"] = "small"
        var testRun = FilterTestRun(routingRules: [
            rule(fql(#"["<","n",{"value":5}]"#), dropProperties(["": ["x"]])), rule(isSmall, drop), named,
            rule(all, drop, destination: .null), rule(all, mapProperties(["n.x.y": ["set": 1]])),
        ])
        for event in events(10) { _ = testRun.run(event) }
        #expect(testRun.events == 10)
        #expect(testRun.rules.map(\.rule) == [0, 1, 2, 4])
        #expect(testRun.rules.map(\.changed) == [5, 0, 0, 0])
        #expect(testRun.rules.map(\.dropped) == [0, 3, 3, 0])
        #expect(testRun.rules.map { testRun.untouched(by: $0) } == [5, 7, 7, 10])
        #expect(testRun.rules.map(\.name) == [nil, nil, "small", nil])
        #expect(testRun.destinations.map(\.destination) == ["Here", "There"])
        #expect(testRun.destinations.map(\.dropped) == [3, 3])
        #expect(testRun.destinations.map(\.changed) == [2, 0])
    }

    @Test("A result of a test run has the event before and after the rules")
    func beforeAndAfter() throws {
        var testRun = FilterTestRun(routingRules: [rule(all, dropProperties(["": ["x"]])), rule(isSmall, drop)])
        let results = events(4).flatMap { testRun.run($0) }
        #expect(results[0].before == ["n": 0, "x": 1])
        #expect(results[0].after == nil)
        #expect(results[0].outcome.rules == [0, 1])
        #expect(results[3].after == ["n": 3])
    }

    @Test("A test run can be limited to one destination")
    func oneDestination() {
        let rules: JSON = [rule(all, drop), rule(all, drop, destination: "There"), rule(fql("["), drop)]
        var testRun = FilterTestRun(routingRules: rules, destination: "There")
        #expect(testRun.run([:]).map(\.destination) == ["There"])
        #expect(testRun.rules.map(\.rule) == [1])
        #expect(testRun.problems.count == 1)
        #expect(FilterTestRun(routingRules: rules, destination: "Nowhere").destinations.isEmpty)
        #expect(FilterTestRun(routingRules: .null).destinations.isEmpty)
    }

    @Test("A test run counts the failures of a rule")
    func failures() {
        var testRun = FilterTestRun(routingRules: [rule(all, mapProperties(["a.b": ["set": 1]]))])
        for event: JSON in [["a": .null], ["a": [:]], [:]] { _ = testRun.run(event) }
        #expect(testRun.rules.map(\.failed) == [1])
        #expect(testRun.rules.map(\.changed) == [1])
    }

    @Test("Differences of two events have the deepest places that differ")
    func differences() {
        let before: JSON = ["a": ["b": [1, 2, ["c": 3]], "same": [1]], "gone": .null, "d": 1]
        let after: JSON = ["a": ["b": [1, 5, ["c": 4], 7], "same": [1]], "d": ["x": 1], "new": true]
        let found = JSONDifference.between(before, after)
        #expect(found.map(\.path) == ["a.b.1", "a.b.2.c", "a.b.3", "gone", "d", "new"])
        #expect(found.map(\.before) == [2, 3, nil, .null, 1, nil])
        #expect(found.map(\.after) == [5, 4, 7, nil, ["x": 1], true])
        #expect(JSONDifference.between(before, before).isEmpty)
        #expect(JSONDifference.between(before, after, limit: 2).count == 2)
        #expect(JSONDifference.between(1, 2).map(\.path) == [""])
    }

    @Test("Vectors that cannot be read fail, and so do vectors with a wrong expectation")
    func unreadableVectors() throws {
        let file = try VectorFile([
            "vectors": [
                5, ["kind": "matcher"], ["kind": "matcher", "event": [:], "matcher": all],
                ["kind": "transform", "event": [:], "transformers": [:], "expected": 1],
                ["kind": "rule", "event": [:], "rule": 1, "expected": 1],
                ["kind": "matcher", "event": [:], "matcher": all, "expected": true, "test": "good"],
                ["kind": "rule", "event": [:], "rule": rule(fql("["), drop), "throws": true, "test": "good"],
                ["kind": "matcher", "event": [:], "matcher": all, "throws": true, "test": "bad"],
            ]
        ])
        let verdicts = file.verdicts()
        #expect(verdicts.map { $0.failure == nil } == [false, false, false, false, false, true, true, false])
        #expect(verdicts.prefix(5).allSatisfy { $0.failure?.expected == nil })
        #expect(verdicts.last?.name == "bad")
        #expect(throws: VectorError.self) { try VectorFile(["vectors": 5]) }
        #expect(throws: VectorError.self) { try VectorFile([]) }
    }
}
