import TributaryJSON

/// Makes rules and events of few places and few values, so that rules often match and more often nearly do.
struct RandomRules: RandomNumberGenerator {
    private var source: RandomJSON

    init(seed: UInt64) { source = RandomJSON(seed: seed) }

    mutating func next() -> UInt64 { source.next() }

    private let paths = [
        "type", "event", "properties.a", "properties.b", "properties.c", "properties.list", "properties.a.length",
        "properties.list.0", "context.d.e", "absent",
    ]
    private let texts = [
        "", "a", "A", "ab", "Ab", "track", "Track", "Order Completed", "order completed", "Order Cancelled", "żółw",
        "ŻÓŁW", "a text of more than sixteen bytes, first", "a text of more than sixteen bytes, third",
    ]
    private let pieces = [
        "", "a", "k", "zz", "ab", "rd", "Ord", "der ", "Order C", "Order X", "ółw", "sixteen bytes, f", "ancelled",
    ]
    private let globs = [
        "*", "", "Order *", "*led", "Order C*ed", "?b", "[A-Z]*", "*[", "Order Completed", "\\a*", "*ó*",
    ]

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &self)]
    }

    private mutating func number() -> JSON { pick([0, -0.0, 1, 1.0, 2, 2.5, -1, 9_007_199_254_740_993, 1e300]) }

    private mutating func value() -> JSON {
        switch Int.random(in: 0..<10, using: &self) {
        case 0: .null
        case 1: .bool(pick([true, false]))
        case 2: pick([[], ["a"], [:], ["a": 1]])
        case 3...5: number()
        default: .string(pick(texts))
        }
    }

    mutating func event() -> JSON {
        var properties = JSONObject()
        for key in ["a", "b", "c", "x", "y", "z"] where Bool.random(using: &self) { properties[key] = value() }
        if Bool.random(using: &self) {
            properties["list"] = [value(), ["value": value()], "event", .string(pick(paths))]
        }
        // Enough members for the object to find them by their hashes.
        if Int.random(in: 0..<10, using: &self) == 0 {
            for number in 0..<60 { properties["filler \(number)"] = 1 }
        }
        var event: JSON = ["type": .string(pick(["track", "screen", "Track"])), "properties": .object(properties)]
        if Bool.random(using: &self) { event["event"] = .string(pick(texts)) }
        if Bool.random(using: &self) { event["context"] = ["d": ["e": value()]] }
        return event
    }

    // MARK: Rules

    mutating func rule() -> JSON {
        let matcher = Int.random(in: 0..<60, using: &self) == 0 ? all : fql(expression(depth: 3).description)
        let count = pick([0, 1, 1, 1, 2])
        return [
            "destinationName": pick(["Here", "Here", "Here", "There"]), "matchers": [matcher],
            "transformers": [.array((0..<count).map { _ in transformer() })],
        ]
    }

    private mutating func operand() -> JSON {
        Int.random(in: 0..<4, using: &self) == 0 ? ["value": value()] : .string(pick(paths))
    }

    private mutating func compared() -> JSON {
        switch Int.random(in: 0..<12, using: &self) {
        case 0...4: .string(pick(paths))
        case 5...8: ["value": value()]
        case 9: ["lowercase", .string(pick(paths))]
        case 10: [pick(["typeof", "length"]), .string(pick(paths))]
        default: ["contains", .string(pick(paths)), ["value": .string(pick(pieces))]]
        }
    }

    private mutating func expression(depth: Int) -> JSON {
        switch Int.random(in: 0..<(depth > 0 ? 16 : 12), using: &self) {
        case 0...3: return ["=", compared(), compared()]
        case 4: return ["!=", compared(), compared()]
        case 5: return [pick(["<", "<=", ">", ">="]), .string(pick(paths)), ["value": number()]]
        case 6: return [pick(["<", "<=", ">", ">="]), ["value": value()], .string(pick(paths))]
        case 7, 8: return ["contains", .string(pick(paths)), ["value": .string(pick(pieces))]]
        case 9: return ["match", .string(pick(paths)), ["value": .string(pick(globs))]]
        case 10:
            let items = (0..<Int.random(in: 0...3, using: &self)).map { _ in operand() }
            let unknown: [JSON] = Int.random(in: 0..<6, using: &self) == 0 ? [.null] : []
            return ["in", operand(), ["value": .array(items + unknown)]]
        case 11:
            return pick(["properties.a", ["in", "event", "properties.list"], ["like", "event"], ["length", "event"]])
        case 12: return ["!", expression(depth: depth - 1)]
        default:
            let operands = (0..<Int.random(in: 1...3, using: &self)).map { _ in expression(depth: depth - 1) }
            return .array([pick(["and", "and", "or"])] + operands)
        }
    }

    private mutating func transformer() -> JSON {
        switch Int.random(in: 0..<20, using: &self) {
        case 0: drop
        case 1: sample(number(), .string(pick(paths)))
        case 2: sample(0.6)
        case 3: allowProperties(["properties": ["a", "b", "list"]])
        case 4...8: dropProperties(["properties": [.string(pick(["a", "b", "c", "x"]))]])
        case 9: mapProperties([pick(paths): ["copy": .string(pick(paths))]] as JSON)
        case 10: mapProperties([pick(paths): ["move": .string(pick(paths))]] as JSON)
        case 11: mapProperties([pick(paths): ["to_string": true]] as JSON)
        case 12: ["type": "unheard_of"]
        default: mapProperties([pick(paths): ["set": value()]] as JSON)
        }
    }
}
