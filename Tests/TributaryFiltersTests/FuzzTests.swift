import Testing
import TributaryFilters
import TributaryJSON

/// Random rules, half of them nearly right, on random events. The seeds are fixed, so that a failure is repeatable.
@Suite struct FuzzTests {
    @Test("Random rules on random events have a consistent outcome", arguments: 0..<8)
    func randomRules(seed: UInt64) throws {
        var maker = RandomJSON(seed: seed)
        for _ in 0..<400 {
            let rules = JSON.array((0..<5).map { _ in maker.rule() })
            let filters = FilterRules(routingRules: rules, random: { 0.5 })
            for _ in 0..<4 {
                let original = maker.event()
                var event = original
                let outcome = filters.apply(to: &event, destination: "Here")
                check(outcome, original, event, rules)
            }
        }
    }

    private func check(_ outcome: FilterOutcome, _ before: JSON, _ after: JSON, _ rules: JSON) {
        if outcome.result == .kept {
            #expect(before == after, "\(rules)")
            #expect(outcome.rules.isEmpty)
        } else {
            #expect(!outcome.rules.isEmpty)
        }
        #expect(outcome.rules == Array(Set(outcome.rules)).sorted())
        #expect(outcome.failedRules == Array(Set(outcome.failedRules)).sorted())
        // The changed event is a valid document that reads back the same.
        #expect((try? JSON.parse(after.encoded())) == after, "\(rules)")
    }

    /// A rule with a drop whose matcher was damaged lets through only what the damaged part cannot decide.
    @Test("A drop with a damaged matcher keeps only events that the damaged part cannot decide", arguments: 100..<104)
    func damagedDrops(seed: UInt64) throws {
        var maker = RandomJSON(seed: seed)
        var results: [FilterOutcome.Result: Int] = [:]
        for _ in 0..<2_000 {
            let ir = maker.damaged(#"["and",["=","type",{"value":"track"}],["in","event",{"value":[{"value":"A"}]}]]"#)
            let filters = FilterRules(routingRules: [rule(fql(ir), drop)])
            guard !filters.problems.isEmpty else { continue }
            var event = maker.event()
            let decided = try? FilterMatcher(fql(ir)).matches(event)
            let expected: FilterOutcome.Result = decided == false ? .kept : .dropped
            #expect(filters.apply(to: &event, destination: "Here").result == expected, "\(ir)")
            results[expected, default: 0] += 1
        }
        #expect(results[.kept, default: 0] > 0 && results[.dropped, default: 0] > 0, "\(results)")
    }

    /// The two ways to look up members, alone and together with many others, find the same.
    @Test("Matchers give the same answers alone and together", arguments: 200..<204)
    func together(seed: UInt64) throws {
        var maker = RandomJSON(seed: seed)
        var hits = 0
        for _ in 0..<100 {
            let matchers = (0..<30).map { _ in fql(maker.expression(depth: 3).description) }
                .filter { (try? FilterMatcher($0))?.problems.isEmpty == true }
            let rules = FilterRules(
                routingRules: .array(
                    matchers.enumerated().map {
                        rule($0.element, mapProperties(["hit\($0.offset)": ["set": true]] as JSON))
                    }))
            let event = maker.event()
            guard event.objectValue != nil else { continue }
            var together = event
            let outcome = rules.apply(to: &together, destination: "Here")
            let alone = matchers.map { matcher in Result { try FilterMatcher(matcher).matches(event) } }
            #expect(outcome.rules == alone.indices.filter { (try? alone[$0].get()) == true })
            #expect(outcome.failedRules == alone.indices.filter { (try? alone[$0].get()) == nil })
            hits += outcome.rules.count
        }
        #expect(hits > 0)
    }
}

/// Makes values from a seed (SplitMix64).
struct RandomJSON: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &self)]
    }

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &self) == 0 }

    private let keys = ["type", "event", "userId", "properties", "a", "b", "c", "0", "1", "length", "", "żółw", "x.y"]
    private let texts = [
        "", "track", "A", "Ticket Bought", "żółw", "🙂🙂", "a*b", "[a-c]*", "\\", "true", "*",
        "sixteen bytes of text and more",
    ]

    mutating func value(depth: Int) -> JSON {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &self) {
        case 0: return .null
        case 1: return .bool(chance(2))
        case 2: return .number(JSONNumber(Int.random(in: -3...30, using: &self)))
        case 3: return pick([0.5, 1e300, -1e-9, 9_007_199_254_740_993, 19.99])
        case 4, 5: return .string(pick(texts))
        case 6: return .array((0..<Int.random(in: 0...4, using: &self)).map { _ in value(depth: depth - 1) })
        default: return object(depth: depth)
        }
    }

    private mutating func object(depth: Int) -> JSON {
        var object = JSONObject()
        for _ in 0..<Int.random(in: 0...6, using: &self) { object[pick(keys)] = value(depth: depth - 1) }
        return .object(object)
    }

    mutating func event() -> JSON { chance(20) ? value(depth: 4) : object(depth: 4) }

    mutating func path() -> JSON {
        .string((0..<Int.random(in: 1...3, using: &self)).map { _ in pick(keys) }.joined(separator: "."))
    }

    mutating func expression(depth: Int) -> JSON {
        if chance(40) { return value(depth: 2) }
        switch Int.random(in: 0..<(depth > 0 ? 9 : 2), using: &self) {
        case 0: return path()
        case 1: return ["value": value(depth: 2)]
        case 2: return ["!", expression(depth: depth - 1)]
        case 3: return .array([pick(["and", "or"])] + (0..<3).map { _ in expression(depth: depth - 1) })
        case 4, 5:
            return [pick(["=", "!=", "<", "<=", ">", ">="]), expression(depth: depth - 1), expression(depth: 0)]
        case 6: return [pick(["contains", "match"]), path(), ["value": .string(pick(texts))]]
        case 7: return ["in", path(), ["value": [path(), ["value": value(depth: 1)]]]]
        default: return [pick(["lowercase", "typeof", "length"]), path()]
        }
    }

    private mutating func transformer() -> JSON {
        if chance(20) { return value(depth: 3) }
        switch Int.random(in: 0..<6, using: &self) {
        case 0: return chance(4) ? ["type": "drop"] : ["type": "hash_properties"]
        case 1: return dropProperties([pick(keys): [.string(pick(keys)), .string(pick(keys))]] as JSON)
        case 2: return allowProperties([pick(keys): [.string(pick(keys)), "type", "properties"]] as JSON)
        case 3: return sample(value(depth: 0), path())
        default: return mapProperties(.object(mapping()))
        }
    }

    private mutating func mapping() -> JSONObject {
        var map = JSONObject()
        for _ in 0..<3 {
            let action: JSON = pick([
                ["set": value(depth: 2)], ["copy": path()], ["move": path()], ["to_string": true],
                ["move": path(), "to_string": true], value(depth: 1),
            ])
            map[path().stringValue ?? ""] = action
        }
        return map
    }

    mutating func rule() -> JSON {
        if chance(30) { return value(depth: 3) }
        let ir = expression(depth: 4).description
        let matcher: JSON = chance(5) ? all : fql(chance(4) ? damaged(ir) : ir)
        return [
            "destinationName": "Here", "matchers": [matcher],
            "transformers": [.array((0..<Int.random(in: 0...3, using: &self)).map { _ in transformer() })],
        ]
    }

    /// The text with a byte removed, doubled or replaced in a few places.
    mutating func damaged(_ text: String) -> String {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...3, using: &self) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &self)
            switch Int.random(in: 0..<3, using: &self) {
            case 0: bytes.remove(at: place)
            case 1: bytes.insert(bytes[place], at: place)
            default: bytes[place] = UInt8.random(in: 0x20..<0x7F, using: &self)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
