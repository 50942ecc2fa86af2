/// Writes plugins over the part of JavaScript that becomes data; the same seed gives the same plugin.
///
/// Most values have the kind that an operation wants, so that a plugin gets far. Some have not, so that conversions and
/// errors are met, too.
struct RuleProgramGenerator {
    private var state: UInt64
    private var constants: [String] = []
    private var variables: [String] = []
    private var depth = 0
    private var count = 0
    private var loops = 0

    /// The class of a plugin with that name.
    static func plugin(seed: UInt64, named name: String) -> String {
        var generator = RuleProgramGenerator(state: seed)
        // Seeds beside each other would otherwise give the same numbers, one place further.
        generator.state = generator.next()
        var body = ""
        for _ in 0..<(2 + generator.below(6)) { body += generator.statement() }
        return "class \(name) extends LivePlugin {\n    track(event) {\n\(body)        return event\n    }\n}\n"
    }

    private init(state: UInt64) { self.state = state }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    private mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
    private mutating func maybe(_ one: Int) -> Bool { below(one) == 0 }
    private mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }

    // MARK: Statements

    private mutating func statement() -> String {
        depth += 1
        defer { depth -= 1 }
        guard depth < 4 else { return "event.properties.\(key()) = \(value());\n" }
        switch below(20) {
        case 0, 1: return declaration()
        case 2, 3, 4:
            return "event.properties.\(key()) \(pick(["=", "=", "=", "+=", "??=", "||=", "&&="])) \(value());\n"
        case 5: return "event.properties[\(text())] = \(value());\n"
        case 6: return "delete event.properties.\(key());\n"
        case 7: return "event.event = \(text());\n"
        case 8, 9: return "if (\(condition())) {\n\(block())}" + (maybe(2) ? " else {\n\(block())}\n" : "\n")
        case 10:
            return variables.isEmpty
                ? declaration() : "\(pick(variables)) \(pick(["=", "+=", "-=", "*=", "??="])) \(value());\n"
        case 11: return loop()
        case 12: return "analytics.track(\(text()), \(object()));\n"
        case 13: return "event.properties = { ...event.properties, \(key()): \(value()), [\(text())]: \(value()) };\n"
        case 14: return "if (\(condition())) return \(pick(["null", "event", "{ ...event, added: \(value()) }"]));\n"
        case 15: return switchStatement()
        case 16: return "event.context = { ...event.context, \(key()): \(value()) };\n"
        case 17: return pattern()
        case 18: return variables.isEmpty ? declaration() : "\(pick(variables))\(pick(["++", "--"]));\n"
        default: return "event.properties.\(key()) = \(pick(["\(list())", "\(object())", "\(number())"]));\n"
        }
    }

    private mutating func block() -> String {
        let known = (constants, variables)
        defer { (constants, variables) = known }
        return statement() + (maybe(2) ? statement() : "")
    }

    private mutating func name() -> String {
        count += 1
        return "v\(count)"
    }

    private mutating func declaration() -> String {
        let (name, value) = (name(), value())
        if maybe(2) {
            constants.append(name)
            return "const \(name) = \(value);\n"
        }
        variables.append(name)
        return "let \(name) = \(value);\n"
    }

    private mutating func pattern() -> String {
        let names = [name(), name()]
        let text =
            maybe(2)
            ? "const { \(key()): \(names[0]) = \(value()), \(key()): \(names[1]) } = event.properties;\n"
            : "const [\(names[0]), \(names[1]) = \(value())] = \(list());\n"
        constants += names
        return text
    }

    private mutating func loop() -> String {
        guard loops < 2 else { return declaration() }
        loops += 1
        defer { loops -= 1 }
        let known = (constants, variables)
        defer { (constants, variables) = known }
        let (list, object, name) = (list(), object(), name())
        constants.append(name)
        let jump = maybe(4) ? "if (\(condition())) \(pick(["break", "continue"]));\n" : ""
        switch below(4) {
        case 0: return "for (const \(name) of \(list)) {\n\(jump)\(statement())}\n"
        case 1: return "for (const \(name) in \(pick(["event.properties", object]))) {\n\(jump)\(statement())}\n"
        case 2:
            return
                "for (let \(name) = 0; \(name) < \(pick(["3", "event.properties.items.length"])); \(name)++) {\n\(jump)\(statement())}\n"
        default: return "for (const \(name) of Object.keys(event.properties)) {\n\(jump)\(statement())}\n"
        }
    }

    private mutating func switchStatement() -> String {
        "switch (\(value())) {\ncase \(value()): \(block())\(pick(["break;", ""]))\ncase \(text()): \(block())\(pick(["break;", ""]))\ndefault: \(block())}\n"
    }

    // MARK: Values

    private mutating func value() -> String {
        depth += 1
        defer { depth -= 1 }
        guard depth < 6 else { return leaf() }
        switch below(12) {
        case 0, 1: return text()
        case 2, 3: return number()
        case 4: return condition()
        case 5: return list()
        case 6: return object()
        case 7: return "(\(condition()) ? \(value()) : \(value()))"
        case 8: return "((\(value())) \(pick(["??", "||", "&&"])) (\(value())))"
        case 9: return "(\(value()) + \(value()))"
        default: return leaf()
        }
    }

    private mutating func leaf() -> String {
        switch below(8) {
        case 0: return pick(["null", "undefined", "true", "false"])
        case 1 where !(constants + variables).isEmpty: return pick(constants + variables)
        case 2: return stringLiteral()
        case 3: return numberLiteral()
        default: return path()
        }
    }

    private mutating func path() -> String {
        pick([
            "event.event", "event.properties.\(key())", "event.properties.\(key())",
            "event.properties?.\(key())?.\(key())",
            "event.context?.app?.name", "event.properties.items[0]", "event.properties.items?.[1]?.price",
            "event.properties[\"\(key())\"]", "event.properties.items.length", "event.missing?.deep.deeper",
        ])
    }

    private mutating func key() -> String {
        pick(["name", "price", "total", "items", "plan", "user", "note", "flag", "empty", "large", "fresh", "list"])
    }

    private mutating func stringLiteral() -> String {
        pick([
            "\"\"", "\" a b \"", "\"Ünïcode\"", "\"😀x\"", "\"12\"", "\"0x1f\"", "\"1e3\"", "\"straße\"", "\"ΟΔΟΣ\"",
            "\"$&-$1\"",
            "\"a,b,,c\"", "'Product Viewed'", "`t\\n`", "\"-7.50\"", "\"toString\"", "\"7\"", "\"é\"", "\"e\\u0301\"",
            "\"\\u2028\"",
        ])
    }

    private mutating func numberLiteral() -> String {
        pick([
            "0", "1", "2", "-1", "1.5", "0.1", "1e21", "1e-7", "123456789012", "(0 / 0)", "(1 / 0)", "-0", "0x1f",
            "100",
        ])
    }

    private mutating func text() -> String {
        if maybe(12) { return value().inParentheses }
        depth += 1
        defer { depth -= 1 }
        guard depth < 6 else { return stringLiteral() }
        let text = pick([
            stringLiteral(), "String(\(value()))", "event.event", "`\(pick(["a", "é"]))${\(value())}b${\(leaf())}`",
        ])
        switch below(16) {
        case 0: return "\(text).toLowerCase()"
        case 1: return "\(text).toUpperCase()"
        case 2: return "\(text).\(pick(["trim", "trimStart", "trimEnd", "toString"]))()"
        case 3:
            return "\(text).\(pick(["slice", "substring", "substr"]))(\(number())\(maybe(2) ? ", " + number() : ""))"
        case 4: return "\(text).\(pick(["replace", "replaceAll"]))(\(stringLiteral()), \(stringLiteral()))"
        case 5: return "\(text).\(pick(["padStart", "padEnd"]))(\(pick(["3", "8", "-1"])), \(stringLiteral()))"
        case 6: return "\(text).charAt(\(number()))"
        case 7: return "\(list()).join(\(stringLiteral()))"
        case 8: return "\(text).concat(\(leaf()), \(leaf()))"
        case 9: return "\(text).repeat(\(pick(["0", "2", "3"])))"
        case 10: return "(typeof \(value()))"
        case 11: return "(\(number())).toFixed(\(pick(["0", "1", "2", "20"])))"
        case 12: return "JSON.stringify(\(pick([list(), object()])))"
        case 13: return "\(text)[\(pick(["0", "1", "7"]))]"
        default: return text
        }
    }

    private mutating func number() -> String {
        if maybe(14) { return value().inParentheses }
        depth += 1
        defer { depth -= 1 }
        guard depth < 6 else { return numberLiteral() }
        switch below(16) {
        case 0, 1: return "(\(number()) \(pick(["+", "-", "*", "/", "%"])) \(number()))"
        case 2: return "(\(number()) \(pick(["&", "|", "^", "<<", ">>", ">>>"])) \(number()))"
        case 3: return "Math.\(pick(["round", "floor", "ceil", "abs", "trunc", "sign"]))(\(number()))"
        case 4: return "Math.\(pick(["min", "max"]))(\(number()), \(number()))"
        case 5: return "Number(\(value()))"
        case 6: return "parse\(pick(["Int", "Float"]))(\(text()))"
        case 7: return "\(list()).length"
        case 8: return "\(text()).\(pick(["indexOf", "lastIndexOf"]))(\(stringLiteral()))"
        case 9: return pick(["+", "-", "~"]) + "(\(value()))"
        case 10: return "(event.properties.price ?? \(numberLiteral()))"
        case 11: return "\(list()).reduce((sum, x) => sum + \(pick(["x", "(x?.price ?? 0)", "Number(x)"])), 0)"
        case 12: return "((\(number())) ** \(pick(["2", "3", "0.5", "-1"])))"
        default: return numberLiteral()
        }
    }

    private mutating func condition() -> String {
        depth += 1
        defer { depth -= 1 }
        guard depth < 6 else { return "true" }
        switch below(13) {
        case 0, 1: return "\(value()) \(pick(["===", "!==", "==", "!="])) \(value())".inParentheses
        case 2: return "\(value()) \(pick(["<", ">", "<=", ">="])) \(value())".inParentheses
        case 3: return "!\(value())"
        case 4: return "\(text()).\(pick(["includes", "startsWith", "endsWith"]))(\(stringLiteral()))"
        case 5: return "(\(stringLiteral()) in event.properties)"
        case 6: return "\(list()).\(pick(["some", "every"]))(x => \(pick(["x", "x > 1", "typeof x === \"string\""])))"
        case 7: return "\(list()).includes(\(leaf()))"
        case 8: return "Array.isArray(\(value()))"
        case 9: return "event.properties.hasOwnProperty(\(stringLiteral()))"
        case 10: return "\(pick(["isNaN", "isFinite", "Number.isInteger", "Boolean", "Number.isNaN"]))(\(value()))"
        case 11: return "event.event === \"Product Viewed\""
        default: return "(\(leaf()) && \(leaf()))"
        }
    }

    private mutating func list() -> String {
        depth += 1
        defer { depth -= 1 }
        guard depth < 6 else { return "[1, \"2\", null]" }
        switch below(13) {
        case 0, 1: return "[\(value()), \(value())]"
        case 2: return "(event.properties.items ?? [])"
        case 3: return "\(list()).map(x => \(pick(["x", "[x]", "({ ...x, extra: 1 })", "`${x}`", "x?.price"])))"
        case 4: return "\(list()).filter(\(pick(["x => x", "Boolean", "(x, i) => i % 2 === 0", "x => x?.price > 5"])))"
        case 5: return "\(text()).split(\(pick(["\",\"", "\" \"", "\"\"", "\"a\"", "\"b\", 1"])))"
        case 6: return "Object.\(pick(["keys", "values", "entries"]))(\(pick(["event.properties", object()])))"
        case 7: return "\(list()).slice(\(pick(["0", "1", "-1"]))\(maybe(2) ? ", 2" : ""))"
        case 8: return "\(list()).concat(\(value()))"
        case 9: return "[...\(list()), \(value())]"
        case 10: return "[\(leaf()), \(leaf()), \(leaf())].\(pick(["reverse", "sort"]))()"
        default: return "[\(leaf()), \(leaf())]"
        }
    }

    private mutating func object() -> String {
        depth += 1
        defer { depth -= 1 }
        guard depth < 6 else { return "{ a: 1 }".inParentheses }
        switch below(7) {
        case 0: return "({ \(key()): \(value()), \"\(pick(["2", "x y", "10", "1"]))\": \(leaf()) })"
        case 1: return "({ ...event.properties, \(key()): \(value()) })"
        case 2:
            return
                "Object.fromEntries(Object.entries(event.properties).filter(([k, v]) => \(pick(["v", "k !== \"total\"", "k.length > 4"]))))"
        case 3: return "Object.assign({}, event.properties, { \(key()): \(value()) })"
        case 4: return "({ [\(text())]: \(value()) })"
        default: return "({ \(key()): \(leaf()) })"
        }
    }
}

extension String {
    fileprivate var inParentheses: String { "(\(self))" }
}
