import Testing
import TributaryFilters
import TributaryJSON

@Suite struct FilterRulesTests {
    private let isTrack = fql(#"["=","type",{"value":"track"}]"#)
    private let isScreen = fql(#"["=","type",{"value":"screen"}]"#)
    private let unreadable = fql(#"["similar","type",{"value":"track"}]"#)

    private func outcome(
        _ rules: JSON, _ event: JSON = sampleEvent, limits: FilterLimits = FilterLimits()
    ) -> (event: JSON, outcome: FilterOutcome, problems: [FilterProblem]) {
        let rules = FilterRules(routingRules: rules, limits: limits, random: { 0.5 })
        var event = event
        let outcome = rules.apply(to: &event, destination: "Here")
        return (event, outcome, rules.problems)
    }

    // MARK: Rules that are understood

    @Test("Rules apply to their destination only")
    func ownDestination() {
        let rules = FilterRules(routingRules: [
            rule(all, drop, destination: "Here"), rule(all, drop, destination: .null), rule(all, drop, destination: ""),
            ["matchers": [all], "transformers": [[drop]]], rule(all, drop, destination: "There"),
        ])
        #expect(rules.problems.isEmpty)
        #expect(rules.hasRules(for: "Here"))
        #expect(rules.hasRules(for: "There"))
        #expect(!rules.hasRules(for: "Elsewhere"))
        #expect(!rules.hasRules(for: ""))
        var event = sampleEvent
        #expect(rules.apply(to: &event, destination: "Elsewhere") == FilterOutcome(.kept))
        #expect(rules.apply(to: &event, destination: "There") == FilterOutcome(.dropped, rules: [4]))
        #expect(event == sampleEvent)
    }

    @Test("An absent or empty list of rules keeps the event and is no problem")
    func withoutRules() {
        for rules: JSON in [.null, []] {
            #expect(outcome(rules).outcome == FilterOutcome(.kept))
            #expect(outcome(rules).problems.isEmpty)
        }
    }

    @Test("Rules run in order, and each rule sees the changes of earlier rules")
    func order() {
        let result = outcome([
            rule(isTrack, mapProperties(["type": ["set": "screen"]])),
            rule(isTrack, drop),
            rule(isScreen, dropProperties(["context": ["ip"]])),
            rule(isScreen, dropProperties(["context": ["ip"]])),
        ])
        #expect(result.outcome == FilterOutcome(.changed, rules: [0, 2]))
        #expect(result.event["type"] == "screen")
        #expect(result.event["context"] == ["device": ["id": "d-1", "model": "m"]])
        #expect(result.problems.isEmpty)
    }

    @Test("Pairs of a rule run in order, and the rule counts once")
    func pairs() {
        let pairs: JSON = [
            "destinationName": "Here", "matchers": [isTrack, isScreen, all],
            "transformers": [
                [mapProperties(["type": ["set": "screen"]])],
                [dropProperties(["": ["context"]]), mapProperties(["x": ["set": 1]])], [],
            ],
        ]
        let result = outcome([pairs])
        #expect(result.outcome == FilterOutcome(.changed, rules: [0]))
        #expect(result.event["context"] == nil)
        #expect(result.event["x"] == 1)
    }

    @Test("After a drop no other rule runs")
    func afterDrop() {
        let change = mapProperties(["x": ["set": 1]])
        let result = outcome([rule(isTrack, change, drop, change), rule(all, drop), rule(unreadable, drop)])
        #expect(result.outcome == FilterOutcome(.dropped, rules: [0]))
    }

    @Test("A rule that matches without an effect does not count as applied")
    func withoutEffect() {
        let result = outcome([
            rule(all, dropProperties(["": ["absent"]])), rule(all, sample(0.5)), rule(all, mapProperties([:])),
            rule(all, ["type": "hash_properties"]), rule(all),
        ])
        #expect(result.outcome == FilterOutcome(.kept))
        #expect(result.event == sampleEvent)
    }

    @Test("Sampling without a path uses the given random number")
    func sampling() {
        #expect(outcome([rule(all, sample(0.5))]).outcome == FilterOutcome(.kept))
        #expect(outcome([rule(all, sample(0.49))]).outcome == FilterOutcome(.dropped, rules: [0]))
    }

    @Test("Rules do not change other copies of the event")
    func copies() {
        let before = sampleEvent
        var event = before
        let rules = FilterRules(routingRules: [rule(all, dropProperties(["properties.place": ["lat"]]))])
        #expect(rules.apply(to: &event, destination: "Here").result == .changed)
        #expect(before["properties"]?["place"]?["lat"] == 50.06)
        #expect(event["properties"]?["place"] == ["lon": 19.94])
    }

    @Test("A value that cannot be written is left out and counts as a failure, and the others are written")
    func unwritable() {
        let map = mapProperties(["properties.gift.x": ["set": 1], "context.ip": ["set": "0.0.0.0"]])
        let result = outcome([rule(all, map), rule(all, mapProperties(["properties.gift.y": ["set": 1]]))])
        #expect(result.outcome == FilterOutcome(.changed, rules: [0], failedRules: [0, 1]))
        #expect(result.event["context"]?["ip"] == "0.0.0.0")
        #expect(result.event["properties"] == sampleEvent["properties"])
        #expect(result.problems.isEmpty)
    }

    @Test("Counts over many events have the events of each rule")
    func counts() {
        let rules = FilterRules(routingRules: [
            rule(fql(#"["<","n",{"value":3}]"#), drop),
            rule(fql(#"["<","n",{"value":5}]"#), dropProperties(["": ["x"]])),
        ])
        var counts = [0, 0]
        for number in 0..<10 {
            var event: JSON = ["n": .number(JSONNumber(number)), "x": 1]
            for rule in rules.apply(to: &event, destination: "Here").rules { counts[rule] += 1 }
        }
        #expect(counts == [3, 2])
    }

    // MARK: Rules that are not understood

    @Test("An unreadable matcher matches every event for transformers that remove data")
    func unreadableMatcher() {
        #expect(outcome([rule(unreadable, drop)]).outcome == FilterOutcome(.dropped, rules: [0]))
        #expect(outcome([rule(unreadable, sample(0.1))]).outcome.result == .dropped)
        #expect(outcome([rule(unreadable, sample(0.9))]).outcome.result == .kept)
        let dropped = outcome([rule(unreadable, dropProperties(["context": ["ip"]]))])
        #expect(dropped.event["context"] == ["device": ["id": "d-1", "model": "m"]])
        let allowed = outcome([rule(unreadable, allowProperties(["context": ["ip"]]))])
        #expect(allowed.event["context"] == ["ip": "10.0.0.1"])
    }

    @Test("An unreadable part of a matcher matters only for events whose match depends on it")
    func unreadablePart() {
        let rules: JSON = [rule(fql(#"["and",["=","type",{"value":"screen"}],["similar"]]"#), drop)]
        #expect(outcome(rules).outcome == FilterOutcome(.kept))
        #expect(outcome(rules, ["type": "screen"]).outcome == FilterOutcome(.dropped, rules: [0]))
        #expect(outcome(rules).problems.map(\.path) == ["matchers[0].ir[2]"])
        #expect(outcome(rules).problems.first?.message.contains("for an event that depends on this") == true)
    }

    @Test("A map writes when the match is certain despite an unreadable part, and withholds otherwise")
    func certainMatch() {
        let map = mapProperties(["type": ["set": "page"]])
        let rules: JSON = [rule(fql(#"["or",["=","type",{"value":"screen"}],["similar"]]"#), map)]
        #expect(outcome(rules, ["type": "screen"]).event == ["type": "page"])
        #expect(outcome(rules, ["type": "track"]).event == [:])
    }

    @Test("A rule fails for an event without the list that its matcher reads, and data is removed all the same")
    func missingList() {
        let rules: JSON = [rule(fql(#"["in",{"value":1},"properties.list"]"#), dropProperties(["": ["secret"]]))]
        let result = outcome(rules, ["secret": 1])
        #expect(result.problems.isEmpty)
        #expect(result.event == [:])
        #expect(result.outcome == FilterOutcome(.changed, rules: [0], failedRules: [0]))
        #expect(outcome(rules, ["secret": 1, "properties": ["list": []]]).outcome == FilterOutcome(.kept))
    }

    @Test("A rule that is most likely a mistake is reported with its place")
    func likelyMistakes() {
        let result = outcome([rule(all, ["type": "map_properties", "config": ["maps": ["a": ["set": 1]]]])])
        #expect(result.outcome == FilterOutcome(.kept))
        #expect(result.problems.map(\.path) == ["transformers[0][0].config.map"])
        let sampled = outcome([rule(all, ["type": "sample_event", "config": ["sample": [:]]])])
        #expect(sampled.outcome.result == .dropped)
        #expect(sampled.problems.map(\.path) == ["transformers[0][0].config.sample.percent"])
    }

    @Test("A map whose matcher is unreadable removes its targets and writes nothing")
    func withheldMap() {
        let map = mapProperties([
            "context.ip": ["set": "0.0.0.0"], "context.device.id": ["copy": "userId"], "new": ["move": "userId"],
            "properties.seats": ["to_string": true], "absent.x": ["set": 1],
        ])
        let result = outcome([rule(unreadable, map)])
        var expected = sampleEvent
        expected["userId"] = nil
        expected["context"] = ["device": ["model": "m"]]
        #expect(result.event == expected)
        #expect(result.outcome == FilterOutcome(.changed, rules: [0]))
    }

    @Test("An unreadable transformer drops the events that its matcher matches")
    func unreadableTransformer() {
        for transformer: JSON in [
            .null, [:], ["type": "encrypt"], dropProperties(["a": "b"]), allowProperties(.null), sample("half"),
            ["type": "map_properties"],
        ] {
            #expect(outcome([rule(isTrack, transformer)]).outcome == FilterOutcome(.dropped, rules: [0]))
            let other = outcome([rule(isScreen, transformer)])
            #expect(other.outcome == FilterOutcome(.kept))
            #expect(other.problems.count == 1)
        }
    }

    @Test("An unreadable entry of a map removes its target, and the other entries are written")
    func unreadableEntry() {
        let map = mapProperties(["context.ip": ["copy": 5], "context.device.id": 7, "x": ["set": 1]])
        let result = outcome([rule(isTrack, map)])
        #expect(result.event["context"] == ["device": ["model": "m"]])
        #expect(result.event["x"] == 1)
        #expect(
            result.problems.map(\.path) == [
                "transformers[0][0].config.map.context.ip.copy", "transformers[0][0].config.map.context.device.id",
            ])
    }

    @Test("A rule's missing list of matchers or transformers counts as unreadable")
    func missingLists() {
        let change = dropProperties(["context": ["ip"]])
        let withoutMatchers = outcome([["destinationName": "Here", "transformers": [[change]]]])
        #expect(withoutMatchers.outcome == FilterOutcome(.changed, rules: [0]))
        let withoutTransformers: JSON = ["destinationName": "Here", "matchers": [isTrack]]
        #expect(outcome([withoutTransformers]).outcome.result == .dropped)
        #expect(outcome([withoutTransformers], ["type": "screen"]).outcome.result == .kept)
        #expect(outcome([["destinationName": "Here"]]).outcome.result == .dropped)
        #expect(outcome([["destinationName": "Here", "matchers": [], "transformers": []]]).problems.isEmpty)
        #expect(outcome([["destinationName": "Here", "matchers": 5, "transformers": "x"]]).problems.count == 2)
    }

    @Test("Where the longer list of a rule has no partner, the partner counts as unreadable")
    func unequalLists() {
        let moreMatchers: JSON = ["destinationName": "Here", "matchers": [isScreen, isTrack], "transformers": [[]]]
        #expect(outcome([moreMatchers]).outcome.result == .dropped)
        #expect(outcome([moreMatchers]).problems.map(\.path) == ["transformers[1]"])
        let moreTransformers: JSON = ["destinationName": "Here", "matchers": [isScreen], "transformers": [[], [drop]]]
        #expect(outcome([moreTransformers]).outcome.result == .dropped)
        #expect(outcome([moreTransformers]).problems.map(\.path) == ["matchers[1]"])
        let noList: JSON = ["destinationName": "Here", "matchers": [isTrack], "transformers": [drop]]
        #expect(outcome([noList]).outcome.result == .dropped)
        #expect(outcome([noList]).problems.map(\.path) == ["transformers[0]"])
    }

    @Test("A rule without a readable destination is reported and has no effect")
    func withoutDestination() {
        let result = outcome([5, .null, rule(all, drop, destination: 7), rule(all, drop, destination: .null)])
        #expect(result.outcome == FilterOutcome(.kept))
        #expect(result.problems.map(\.rule) == [0, 1, 2])
        #expect(result.problems.map(\.path) == ["", "", "destinationName"])
        #expect(result.problems.allSatisfy { $0.destination == nil && $0.reason == .malformedRule })
        let noList = FilterRules(routingRules: ["rules": []])
        #expect(noList.problems.map(\.rule) == [nil])
    }

    @Test("Problems have their rule, their destination and their place, in the order of the rules")
    func problemPlaces() {
        let rules = FilterRules(routingRules: [
            rule(unreadable, drop, destination: "B"), rule(all, ["type": "encrypt"], destination: "A"), 5,
            rule(fql("["), sample(2, 5), destination: "B"),
        ])
        #expect(rules.problems.map(\.rule) == [0, 1, 2, 3, 3])
        #expect(rules.problems.map(\.destination) == ["B", "A", nil, "B", "B"])
        #expect(
            rules.problems.map(\.path) == [
                "matchers[0].ir", "transformers[0][0].type", "", "matchers[0].ir",
                "transformers[0][0].config.sample.path",
            ])
        #expect(
            rules.problems.map(\.reason) == [
                .unknownOperator, .unknownTransformer, .malformedRule, .malformedIR, .badConfiguration,
            ])
        #expect(rules.problems[0].description.hasPrefix("routingRules[0].matchers[0].ir (B): unknown operator"))
        #expect(rules.problems[0].message.contains("every event"))
    }

    // MARK: Limits

    @Test("A destination with too many pairs gets no event, and the limit is reported")
    func tooManyPairs() {
        var limits = FilterLimits()
        limits.pairsPerDestination = 3
        let three = JSON.array(Array(repeating: rule(isScreen, drop), count: 3))
        #expect(outcome(three, limits: limits).outcome == FilterOutcome(.kept))
        let five = JSON.array(Array(repeating: rule(isScreen, drop), count: 5))
        let result = outcome(five, limits: limits)
        #expect(result.outcome == FilterOutcome(.dropped, rules: [3]))
        #expect(result.problems.map(\.reason) == [.limit])
    }

    @Test("Matchers and paths beyond a limit are refused with a short description")
    func limits() throws {
        let deep = String(repeating: #"["!","#, count: 100) + #""a""# + String(repeating: "]", count: 100)
        let long = #"["=","a",{"value":"\#(String(repeating: "x", count: 70_000))"}]"#
        let path = Array(repeating: "a", count: 200).joined(separator: ".")
        let glob = #"["match","a",{"value":"\#(String(repeating: "x", count: 600))"}]"#
        for ir in [deep, long, #"["=","\#(path)",{"value":1}]"#, glob] {
            let error = #expect(throws: FilterError.self) { try FilterMatcher(fql(ir)).matches(["a": true]) }
            #expect(error?.reason == .limit)
            #expect((error?.description.utf8.count ?? 0) < 500)
        }
        for transformer in [
            dropProperties([path: []] as JSON), mapProperties([path: ["set": 1]] as JSON),
            mapProperties(["a": ["copy": .string(path)]]), sample(0.5, .string(path)),
        ] {
            let error = #expect(throws: FilterError.self) { try FilterTransformer(transformer) }
            #expect(error?.reason == .limit)
        }
        let fitting = String(repeating: #"["!","#, count: 60) + #""a""# + String(repeating: "]", count: 60)
        #expect(try FilterMatcher(fql(fitting)).matches(["a": true]))
    }

    @Test("A pattern from the event that is too long matches nothing")
    func longPattern() throws {
        let matcher = try FilterMatcher(fql(#"["match","a","b"]"#))
        #expect(try matcher.matches(["a": "x", "b": .string("*" + String(repeating: "*", count: 511))]))
        #expect(try !matcher.matches(["a": "x", "b": .string("*" + String(repeating: "*", count: 512))]))
    }

    @Test("Rules that double an event again and again are stopped")
    func doubling() {
        let map = mapProperties([
            "properties.one": ["copy": "properties"], "properties.two": ["copy": "properties"],
        ])
        let result = outcome(.array(Array(repeating: rule(all, map), count: 60)))
        #expect(result.outcome.result == .changed)
        #expect(!result.outcome.failedRules.isEmpty)
        #expect(result.event.encoded().count < 2_000_000)
    }
}
