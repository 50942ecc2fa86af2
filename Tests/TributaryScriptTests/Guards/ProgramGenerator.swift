/// Writes JavaScript programs over the grammar that guards have to understand; the same seed gives the same program.
///
/// Each ends: loops and functions take from a common supply. Blanks, line ends and comments stand wherever the language
/// allows them.
struct ProgramGenerator {
    private var state: UInt64
    private let suffix: String
    private var names: [String] = ["out"]
    private var functions: [String] = []
    private var count = 0
    private var depth = 0
    private var loops = 0
    private var labels: [String] = []
    private var functionDepth = 0
    private var isStrict = false
    private var isInGenerator = false
    private var isInAsync = false

    /// What each program may use.
    static let prelude = """
        var out = [], fuel = 0;
        function log(v) { if (out.length < 200) out.push(typeof v === "function" ? v.name + v.length : typeof v === "symbol" ? "symbol" : String(v).slice(0, 200)); return v }
        function tag(parts, ...values) { return parts.raw.join("|") + values.length }
        """

    static func program(seed: UInt64) -> String {
        var generator = ProgramGenerator(seed: seed)
        return "out = []; fuel = 60;" + generator.statements(4 + generator.below(5)) + "\nlog(\"end\")"
    }

    private init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
        suffix = "_\(seed)"
    }

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

    /// Anything between two tokens.
    private mutating func gap() -> String {
        pick([" ", " ", " ", "", "\n", "/* while (1) { */", " // for (;;) {\n", "\t", "\u{2028}", "/*\n*/", "\u{00A0}"])
    }

    /// Between two tokens where no line may end.
    private mutating func narrow() -> String { pick([" ", " ", "/* } */", "\t"]) }

    private mutating func end() -> String { pick([";", ";", "\n", ";\n", " ;"]) }

    private mutating func newName() -> String {
        count += 1
        return pick(["a", "of", "get", "set", "static", "x\u{00E9}", "$", "_", "from", "as", "let_"]) + "\(count)"
            + suffix
    }

    // MARK: Statements

    private mutating func statements(_ number: Int) -> String {
        var text = ""
        for _ in 0..<number { text += statement() + gap() }
        return text
    }

    private mutating func block() -> String {
        let known = (names, functions)
        defer { (names, functions) = known }
        return "{" + gap() + statements(1 + below(2)) + "}"
    }

    /// A block or a single statement.
    private mutating func body() -> String {
        maybe(3) ? gap() + "log(" + expression() + ")" + end() : gap() + block()
    }

    private mutating func statement() -> String {
        depth += 1
        defer { depth -= 1 }
        guard depth < 6 else { return "log(" + expression() + ")" + end() }
        switch below(24) {
        case 0, 1: return declaration()
        case 2: return "if" + gap() + "(" + expression() + ")" + body() + (maybe(2) ? gap() + "else " + body() : "")
        case 3...8: return loop()
        case 9: return switchStatement()
        case 10, 11: return tryStatement()
        case 12, 13: return functionDeclaration()
        case 14: return classDeclaration()
        case 15: return block()
        case 16 where !isStrict: return withStatement()
        case 17 where functionDepth > 0: return "return" + narrow() + expression() + end()
        case 18 where maybe(6):
            return "throw" + narrow() + pick(["new Error(\"thrown\")", "new TypeError(1)", "5"]) + end()
        case 19: return names.last.map { $0 == "out" ? "log(1)" + end() : "log(\($0))" + end() } ?? ";"
        case 20 where isInGenerator:
            return pick(["yield", "yield" + narrow() + expression(), "log(yield /re/g)"]) + end()
        case 21: return "var " + newName() + gap() + "=" + gap() + "1" + "\n++fuel\n--fuel\n"
        default: return "log(" + expression() + ")" + end()
        }
    }

    private mutating func declaration() -> String {
        let name = newName()
        let value = expression()
        names.append(name)
        switch below(4) {
        case 0: return "let " + name + gap() + "=" + gap() + value + end()
        case 1: return "const " + name + gap() + "=" + gap() + value + end()
        case 2: return "let" + gap() + "[" + name + " = " + expression() + "]" + gap() + "= []" + end()
        default:
            return "var" + " {" + gap() + "length: " + name + gap() + "= " + expression() + "} = " + "\"ab\"" + end()
        }
    }

    private mutating func loop() -> String {
        let label = maybe(4) ? newName() : nil
        loops += 1
        if let label { labels.append(label) }
        defer {
            loops -= 1
            if label != nil { labels.removeLast() }
        }
        // The engine takes no comment between a label and its colon.
        let start = label.map { $0 + " :" + gap() } ?? ""
        return start + loopText()
    }

    private mutating func loopText() -> String {
        let name = newName()
        let jump =
            labels.isEmpty || maybe(2) ? pick(["break", "continue"]) : pick(["break ", "continue "]) + pick(labels)
        let inner = maybe(3) ? "{ if (fuel % 3 == 1) " + jump + end() + "log(fuel)" + end() + "}" : body()
        switch below(8) {
        case 0: return "while" + gap() + "(" + gap() + "fuel-- > 0" + gap() + ")" + inner
        case 1:
            return "do" + gap() + "{" + "log(fuel)" + end() + "}" + gap() + "while" + gap() + "(fuel-- > 20)" + gap()
        case 2: return "for" + gap() + "(" + "let i = 0; i < 3 && fuel-- > 0;" + gap() + "i++" + ")" + inner
        case 3: return "for (" + ";" + gap() + ";" + ")" + " { if (fuel-- < 5) break" + end() + "log(fuel) }"
        case 4: return "for" + gap() + "(" + pick(["const ", "let ", "var "]) + name + " of " + list() + ")" + inner
        case 5:
            return "for (" + pick(["const ", "let ", "var "]) + name + " in "
                + pick(["{ a: 1, b: 2 }", "\"ab\"", "[1]"]) + ")" + inner
        case 6: return "for (var " + name + " = (\"a\" in { a: 1 }) ? 1 : 2; fuel-- > 30; )" + inner
        default: return "if (fuel > 1)" + " for (" + "out.last of [1, 2]" + ") " + "log(out.last);" + " else log(0);"
        }
    }

    private mutating func list() -> String {
        pick([
            "[1, 2]", "\"ab\"", "[" + expression() + "]", "new Set([1])",
            "(function* () { while (fuel-- > 40) yield 1 })()",
        ])
    }

    private mutating func switchStatement() -> String {
        "switch (" + pick(["1", "\"a\"", "fuel"]) + ")" + gap() + "{ case 1" + gap() + ": log(1)" + end()
            + pick(["break;", ""])
            + gap() + "case fuel ? \"a\" : 2:" + gap() + "{ log(2) } default" + gap() + ":" + gap() + statement() + "}"
    }

    private mutating func tryStatement() -> String {
        "try" + gap() + block() + gap()
            + pick([
                "catch { log(\"caught\") }", "catch (e) { log(e) }", "finally { log(\"finally\") }",
                "catch ({ message }) { log(message) } finally { log(2) }",
            ])
    }

    private mutating func withStatement() -> String {
        "with" + gap() + "("
            + pick(["{ fuel: 3 }", "{ log2: 1, i: 2 }", "new Proxy({}, { has: (t, k) => k === \"ghost\" })"])
            + ")" + body()
    }

    // MARK: Functions and classes

    private mutating func functionDeclaration() -> String {
        let name = newName()
        let isGenerator = maybe(4)
        let text = "function" + (isGenerator ? gap() + "*" + gap() : " ") + name + function(isGenerator)
        functions.append(isGenerator ? "[..." + name + "(2)].length, void " : name)
        return text
    }

    /// Parameters and body.
    private mutating func function(_ isGenerator: Bool, isAsync: Bool = false) -> String {
        let outer = (names, functions, loops, labels, functionDepth, isStrict, isInGenerator)
        let wasInAsync = isInAsync
        defer { (names, functions, loops, labels, functionDepth, isStrict, isInGenerator) = outer }
        defer { isInAsync = wasInAsync }
        (loops, labels, isInGenerator, isInAsync) = (0, [], isGenerator, isAsync)
        functionDepth += 1
        let parameter = newName()
        names.append(parameter)
        let isSimple = maybe(2)
        let directive = isSimple ? pick(["", "", "\"use strict\";", "'use strict'\n", "\"a\"; 'use strict' ; "]) : ""
        if directive.contains("use strict") { isStrict = true }
        let parameters =
            isSimple ? parameter : parameter + gap() + "=" + gap() + pick(["1", "(() => 2)()", "/[/]/.source"])
        return gap() + "(" + parameters + ")" + gap() + "{" + gap() + directive + "if (fuel-- < 1) return 0;"
            + statements(1 + below(2)) + "}"
    }

    private mutating func classDeclaration() -> String {
        let name = newName()
        let text = "class " + name + classRest()
        functions.append("new " + name)
        return text
    }

    private mutating func classRest() -> String {
        let outer = isStrict
        isStrict = true
        defer { isStrict = outer }
        let parent = pick(["", " extends Object", " extends class {}", " extends (class { p = 1 })"])
        var text = parent + gap() + "{" + gap()
        for _ in 0..<(1 + below(4)) { text += member() + gap() }
        return text + "}"
    }

    private mutating func member() -> String {
        let outer = (functionDepth, isInGenerator, isInAsync)
        defer { (functionDepth, isInGenerator, isInAsync) = outer }
        (functionDepth, isInGenerator, isInAsync) = (0, false, false)
        let name = newName()
        switch below(10) {
        case 0:
            return name + gap() + "=" + gap()
                + pick(["1", "() => 2", "function () {}", "class {}", "log(5)", "[1].length"]) + ";"
        case 1: return "static " + name + " = " + "log(\"s\")" + "\n"
        case 2: return "static" + gap() + "{" + gap() + "log(\"block\")" + end() + "while (fuel-- > 50) ;" + "}"
        case 3: return "get " + name + "()" + gap() + "{ return 1 }"
        case 4: return "static get [" + "\"" + name + "\"" + "]() { return 1 }"
        case 5: return "*" + gap() + name + function(true)
        case 6: return "#" + name + " = 1" + "\n" + "has" + name + "(o) { return #" + name + " in o }"
        case 7: return pick(["get", "set", "static", "while", "for", "function", "async", "await"]) + function(false)
        case 8: return name + ";"
        default: return name + function(false)
        }
    }

    // MARK: Expressions

    private mutating func expression() -> String {
        depth += 1
        defer { depth -= 1 }
        guard depth < 8 else { return simple() }
        switch below(24) {
        case 22: return asynchronous()
        case 23 where isInAsync: return "(await" + gap() + "(" + expression() + "))"
        case 0:
            return expression() + gap()
                + pick(["+", "-", "*", "/", "%", "&&", "||", "<", "===", "??"].filter { $0 != "??" }) + " " + simple()
        case 1: return simple() + gap() + "?" + gap() + expression() + gap() + ":" + gap() + expression()
        case 2: return "(" + expression() + "," + gap() + expression() + ")"
        case 3: return "(" + arrow() + ")" + pick(["(1)", "", ".name", "(2)"])
        case 4: return "`t${" + gap() + expression() + "}" + pick(["", " while(1){ ", "${ {a: 1}.a }"]) + "`"
        case 5: return object()
        case 6: return "[" + expression() + "," + gap() + "...[" + simple() + "]]"
        case 7:
            return "(function" + pick([" ", "* ", " named "]) + function(false) + ")"
                + pick(["", ".length", ".call(1)"])
        case 8: return "(class" + classRest() + ").name"
        case 9:
            return pick([
                "/[/]/g.source", "/a\\/b/.test(\"a/b\")", "\"x\".replace(/x/, () => 1)", "8 / 2 / 1", "({}) / 2",
            ])
        case 10: return "tag" + gap() + "`a${" + simple() + "}\\n`"
        case 11: return pick(["typeof ", "void ", "!", "-", "+"]) + simple()
        case 12: return "(" + simple() + ")?." + pick(["x", "[0]", "toString?.()"])
        case 13 where !functions.isEmpty: return "(" + pick(functions) + "(1))"
        case 14: return "[3, 1, 2].map(" + arrow() + ").length"
        case 15:
            return "String(" + pick(["function () { for (;;) ; }", "(a) => a + 1", "class { x = [1] ; m() { } }"]) + ")"
        case 16: return "10n ** 2n"
        case 17 where maybe(8): return "missing" + suffix
        default: return simple()
        }
    }

    private mutating func simple() -> String {
        switch below(6) {
        case 0: return pick(["1", "0x1F", ".5", "1.", "1e3", "017".replacingOctal(isStrict), "1_000"])
        case 1: return pick(["\"s\"", "'it\\'s'", "\"while (1) {\"", "`plain`", "\"\\\n\""])
        case 2: return names.last ?? "1"
        case 3: return pick(["null", "true", "undefined", "this === 1"])
        case 4: return pick(names)
        default: return "fuel"
        }
    }

    /// A call of an asynchronous function; what becomes of it is logged when the program is over.
    private mutating func asynchronous() -> String {
        let name = newName()
        let call =
            switch below(5) {
            case 0: "(async" + narrow() + "function" + function(false, isAsync: true) + ")(1)"
            case 1: "(async" + narrow() + arrow(isAsync: true) + ")(1)"
            case 2: "({ async" + narrow() + name + function(false, isAsync: true) + " })." + name + "(1)"
            case 3: "(class { static async" + narrow() + name + function(false, isAsync: true) + " })." + name + "(1)"
            default:
                "(async () => { for" + gap() + "await" + gap() + "(const " + name
                    + " of [1, 2]) { if (fuel-- > 20) log("
                    + name + ") } })()"
            }
        return call + ".then(log, log)"
    }

    private mutating func arrow(isAsync: Bool = false) -> String {
        let outer = (functionDepth, isInGenerator, loops, labels, names, functions)
        let wasInAsync = isInAsync
        defer { (functionDepth, isInGenerator, loops, labels, names, functions) = outer }
        defer { isInAsync = wasInAsync }
        (isInGenerator, loops, labels, isInAsync) = (false, 0, [], isAsync)
        functionDepth += 1
        let name = newName()
        let parameters = pick([name, "(" + name + ")", "()", "({ " + name + " } = {}, ...rest)"])
        switch below(3) {
        case 0: return parameters + narrow() + "=>" + gap() + "{ if (fuel-- < 1) return 0;" + statement() + "}"
        case 1: return parameters + narrow() + "=>" + gap() + "({ a: " + simple() + " })"
        default: return parameters + narrow() + "=>" + gap() + expression()
        }
    }

    private mutating func object() -> String {
        let outer = (functionDepth, isInGenerator, isInAsync)
        defer { (functionDepth, isInGenerator, isInAsync) = outer }
        (functionDepth, isInGenerator, isInAsync) = (0, false, false)
        var text = "({" + gap()
        for _ in 0..<below(4) {
            let name = newName()
            text += pick([
                name + ":" + gap() + simple(), "get " + name + "() { return 1 }", name + function(false),
                "*" + name + function(true), "[\"" + name + "\"]" + gap() + ": " + simple(), "\"" + name + "\"() { }",
                "out", "while: 1", "for() { return 2 }", "async: 1", "get: 2", "...{ z: 1 }", "async() { return 3 }",
                "await: 4",
            ])
            text += gap() + ","
        }
        return text + gap() + "})" + pick(["", ".out", ".for?.()", "[\"while\"]"])
    }
}

extension String {
    /// Octal literals of the old kind are no numbers in strict code.
    fileprivate func replacingOctal(_ isStrict: Bool) -> String { isStrict ? "17" : self }
}
