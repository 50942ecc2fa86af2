import Testing

@testable import TributaryScript

#if canImport(CTributaryJavaScriptCore) || canImport(JavaScriptCore)
/// Built-in functions that loop by themselves have limits, and otherwise work as before.
@Suite struct LimitTests {
    let engine: ScriptEngine

    init() throws { engine = try ScriptEngine(budget: ScriptBudget(seconds: 60, megabytes: 1024)) }

    private func value(_ source: String) throws -> String {
        try engine.evaluate("JSON.stringify(\(source))", name: "t.js").text ?? ""
    }

    @Test(
        "A length beyond the limit is an error at the script's call",
        arguments: [
            "new Array(1e7)", "Array(1e9)", "'x'.repeat(2e6)", "'x'.padStart(2e6)", "'x'.padEnd(2e6)",
            "new Uint8Array(1e9)", "new ArrayBuffer(1e9)", "new ArrayBuffer(8, { maxByteLength: 1e9 })",
            "Array.from({ length: 1e9 })",
            "[].fill.call({ length: 1e9 })", "(a => { a.length = 4e9; a.indexOf(1) })([])", "BigInt('9'.repeat(1e5))",
            "JSON.parse(' '.repeat(1 << 20) + '1')", "(a => { a.length = 4e9; new Set(a) })([])",
            "'x'.repeat(1e5).replaceAll('x', 'x'.repeat(1e5))",
        ])
    func lengths(source: String) throws {
        let error = #expect(throws: ScriptError.self) { try engine.run("\n" + source, name: "t.js") }
        #expect(error?.message.hasPrefix("RangeError") == true)
        #expect(error?.line == 2)
        #expect(error?.file == "t.js")
    }

    @Test(
        "Built-in functions with limits return what they returned without",
        arguments: [
            ("[[3, 1, 2].sort(), [10, 9].sort(), [3, , undefined, 1].toSorted()]", "[[1,2,3],[10,9],[1,3,null,null]]"),
            ("[1, [2, [3]]].flat(Infinity).concat([4], 5)", "[1,2,3,4,5]"),
            (
                "[Array(2).length, new Array(1, 2), Array.of(7), Array.from('ab'), Array.from({ length: 2 }, (x, i) => i)]",
                "[2,[1,2],[7],[\"a\",\"b\"],[0,1]]"
            ),
            (
                "(function () { return [Array.prototype.slice.call(arguments, 1), [].shift.call(arguments)] })(1, 2)",
                "[[2],1]"
            ),
            ("(a => { a.push(a); return a.join('-') })([1])", "\"1-\""),
            (
                "['ab'.repeat(2), 'x'.padStart(3, '-'), 'aXb'.replace('X', '[$&$`$\\']'), 'a-b'.split('-')]",
                "[\"abab\",\"--x\",\"a[Xab]b\",[\"a\",\"b\"]]"
            ),
            ("'2020-01'.repeat(500).replace(/(\\d+)-(?<m>0\\d)/g, '$<m>/$1$$$3$10').slice(0, 12)", "\"01/2020$$320\""),
            ("[new Set([1, 1]).size, new Map([[1, 2]]).get(1), [...new Set('aab')]]", "[1,2,[\"a\",\"b\"]]"),
            (
                "[[...new Uint8Array([3, 1]).sort()], new Uint8Array(new Uint8Array(4).buffer, 1, 2).length, [...Uint8Array.from([1])]]",
                "[[1,3],2,[1]]"
            ),
            ("[BigInt(12) === 12n, BigInt('12') === 12n, BigInt.asIntN(8, 300n) === 44n]", "[true,true,true]"),
            (
                "[[].map.name, [].map.length, String([].map), Array.name, Array === [].constructor, String(RegExp)]",
                #"["map",1,"function map() {\n    [native code]\n}","Array",true,"function RegExp() {\n    [native code]\n}"]"#
            ),
            (
                "{ a: 1, b: [{ c: 'x' }], get d() { return 5 }, e: { toJSON: () => 'j' }, f() { } }",
                #"{"a":1,"b":[{"c":"x"}],"d":5,"e":"j"}"#
            ),
            ("JSON.stringify({ a: 1, b: [2] }, ['b'], 1)", #""{\n \"b\": [\n  2\n ]\n}""#),
        ])
    func builtInFunctions(source: String, expected: String) throws {
        #expect(try value("(\(source))") == expected)
    }

    @Test("Scripts may extend built-in classes that have limits")
    func subclasses() throws {
        let source = """
            class Stack extends Array { top() { return this[this.length - 1] } }
            class Names extends Set { } class Pattern extends RegExp { }
            const stack = Stack.from([1, 2])
            JSON.stringify([stack.map(x => x + 1).top(), stack instanceof Array, new Names([1]).size, new Pattern('a').test('a')])
            """
        #expect(try engine.evaluate(source, name: "t.js") == .string("[3,true,1,true]"))
    }

    // MARK: Regular expressions

    @Test("A risky regular expression works for short texts and is an error for long ones")
    func riskyExpressions() throws {
        let source = """
            const risky = /^(\\w+\\s?)*$/g
            JSON.stringify([
                risky.test('some words'), risky.lastIndex, 'a b'.replace(risky, '<$1>'), 'x'.match(/(x+)+/).index,
                'a,b'.split(/(?:,+)+/), String(risky), risky.flags, risky instanceof RegExp, risky.source,
                [...'ab'.matchAll(/(?:a+)+/g)].length, new RegExp(risky, 'i').test('a'), RegExp(risky) === risky,
                risky.exec.call(/b/, 'ab').index,
            ])
            """
        #expect(
            try engine.evaluate(source, name: "t.js")
                == .string(
                    #"[true,10,"<b>",0,["a","b"],"/^(\\w+\\s?)*$/g","g",true,"^(\\w+\\s?)*$",1,true,true,1]"#))
        for use in [
            "/(a+)+$/.test(long)", "long.match(/(a+)+$/)", "long.match('(a+)+$')", "long.search('(a+)+$')",
            "long.split(/(a+)+$/)", "[...long.matchAll('(a+)+$')]", "long.replace(/(a+)+$/, '')",
            "new RegExp('(a+)+$').exec(long)", "RegExp('(a+)+$')[Symbol.replace](long, '')",
            "new (/(a+)+$/.constructor[Symbol.species])('(a+)+$').test(long)",
        ] {
            let error = #expect(throws: ScriptError.self) {
                try engine.run("{ const long = 'a'.repeat(100) + 'b'; \(use) }", name: "t.js")
            }
            #expect(error?.message.contains("can match this text of") == true, "\(use)")
        }
    }

    @Test(
        "How an expression is used depends on how fast its time can grow",
        arguments: [
            ("(a+)+$", "", .counted), ("(a|a|a)*b", "", .counted), ("([a-z]{2,4})+$", "", .counted),
            ("a*a*b", "", .counted), ("^a*a*b", "", .counted), ("^x|a*a*b", "", .counted), ("a*a*b", "y", .counted),
            ("(a?){30}a{30}", "", .counted), ("(?:(?:|){30})x", "", .counted), ("(?:(?:|){30}$)", "", .counted),
            ("(?:a(?:a*b)?)*", "", .counted), ("\\s+$", "", .stepByStep), ("^\\s+|\\s+$", "g", .stepByStep),
            ("a+b", "y", .stepByStep), ("<[^>]*>", "", .stepByStep), (".*foo", "", .stepByStep),
            ("a{0,1000}b", "", .stepByStep), ("a(?:a*b)?", "g", .stepByStep), ("([\"'])[^x]*\\1", "", .stepByStep),
            ("(?:\\s*-)*", "g", .stepByStep), ("\\s*,\\s*", "", .stepByStep),
            ("\\B(?=(\\d{3})+(?!\\d))", "g", .stepByStep),
            ("^\\s+", "", .anyText), ("\\s+", "g", .anyText), ("\\d+\\.?\\d*", "", .anyText), ("#\\d+;", "", .anyText),
            (String(repeating: "a*", count: 999) + "b", "", .refused), ("(?<=a+)b", "", .counted),
            ("(?<=b(a+)+c)d", "", .refused), ("[[a-z]--[aeiou]]+x", "v", .stepByStep), ("(?<=\\d{3})a", "", .anyText),
            ("^a+b", "", .anyText), ("https?:\\/\\/[^\\/]+\\/", "", .anyText), ("a{1,5}b", "", .anyText),
        ] as [(String, String, ExpressionUse)])
    func use(pattern: String, flags: String, use: ExpressionUse) {
        #expect(ExpressionRisk.use(pattern: pattern, flags: flags) == use)
    }

    @Test("A step-by-step expression finds what the engine's own expression finds, in short and long texts")
    func steps() throws {
        let source = """
            const patterns = [
                ["\\\\s*,\\\\s*", ""], ["\\\\s*,\\\\s*", "g"], ["(,)|(x)", "g"], ["a*", "g"], [".", "gu"], ["$", ""], ["b*?", "gy"],
                ["z", "y"], ["(?<=a)a", "g"], ["(?<n>a)(b)?", "d"], ["", "g"], ["z+", ""],
            ]
            const texts = ["", "a, b ,c", "xaaay", "\u{1F600}a\u{1F600}", ",,", " , "]
            const bad = []
            for (const [pattern, flags] of patterns) for (const start of texts) for (const end of ["", "z".repeat(4500)]) {
                const text = start + end
                const uses = (expression) => {
                    const seen = [
                        text.replace(expression, "[$&]"), text.match(expression), text.search(expression),
                        expression.test(text), expression.lastIndex, expression.exec(text), expression.lastIndex,
                        [0, 1, 2, -1, undefined].map(limit => text.split(expression, limit).slice(0, 20)),
                    ]
                    if (flags.includes("g")) seen.push([...text.matchAll(expression)])
                    return JSON.stringify(seen)
                }
                // The second alternative is never found, and makes the expression run step by step.
                const [usual, stepping] = ["|QQ", "|QQ+!"].map(more => new RegExp(pattern + more, flags))
                if (uses(usual) !== uses(stepping)) bad.push(pattern + flags + ":" + start)
            }
            JSON.stringify(bad)
            """
        #expect(try engine.evaluate(source, name: "t.js") == .string("[]"))
        #expect(ExpressionRisk.use(pattern: "a|QQ", flags: "") == .anyText)
        #expect(ExpressionRisk.use(pattern: "a|QQ+!", flags: "") == .stepByStep)
    }

    @Test("A long text is trimmed, and one on which that takes too long uses up the budget")
    func trimming() throws {
        let engine = try ScriptEngine(budget: ScriptBudget(seconds: 0.1))
        let trim = "' some words'.repeat(2000).concat(' ').replace(/^\\s+|\\s+$/g, '').length"
        #expect(try engine.evaluate(trim, name: "t.js") == .number(21_999))
        let error = #expect(throws: ScriptError.self) {
            try engine.run("(' '.repeat(1e6) + 'x').replace(/\\s+$/, '')", name: "t.js")
        }
        #expect(error?.reason == .timeExceeded)
        #expect(engine.state == .ready)
    }

    @Test("A text or a big integer is found in a list as without limits, however long it is")
    func search() throws {
        let source = """
            const big = 1n << 1000n, list = ["a", big, "b", , big, "a"], texts = list.map(v => typeof v === "bigint" ? "big" : v)
            const bad = []
            for (const name of ["includes", "indexOf", "lastIndexOf"]) {
                for (const from of [[], [0], [1], [2.7], [-1], [-2], [-100], [100], [NaN], ["2"], [null], [-0.5], [undefined]]) {
                    if (list[name](big + 0n, ...from) !== texts[name]("big", ...from)) bad.push(name + from)
                }
            }
            JSON.stringify([bad, list.indexOf(big + 1n)])
            """
        #expect(try engine.evaluate(source, name: "t.js") == .string("[[],-1]"))
    }

    @Test("The text of a function is the author's text")
    func functionText() throws {
        let source = "String(function () { return typeof /(a+)+$/g.source })"
        #expect(
            try engine.evaluate(source, name: "t.js") == .string("function () { return typeof /(a+)+$/g.source }"))
        let shadowed = "with ({}) { String(() => /(a+)+$/) }"
        #expect(try engine.evaluate(shadowed, name: "t.js") == .string("() => /(a+)+$/"))
    }

    @Test("An expression with very many ways runs on each text on which it does not take long, whatever the length")
    func counted() throws {
        let source = """
            const words = "a b ".repeat(2000)
            JSON.stringify([
                /(\\w+\\s?)+$/.test("some words that match"), /.*foo.*bar/.test("x".repeat(300) + "foo and bar"),
                /^(\\w+\\s?)*$/.test("a b c d!"), "k=v; k2=v2".replace(/(\\w+)=(\\w+);?/g, "$2"), /(a|ab)+c/.exec(words) === null,
                // Each try is short; they are many.
                /(?:x|[ax])?\\S*#/.test("a".repeat(3000)), "a".repeat(600).split(/a*a*b/).length, /a*a*b/.exec("a".repeat(500)),
            ])
            """
        #expect(try engine.evaluate(source, name: "t.js") == .string(#"[true,true,false,"v v2",true,false,1,null]"#))
        let error = #expect(throws: ScriptError.self) {
            try engine.run("/(\\w+\\s?)+$/.test('a'.repeat(40) + '!')", name: "t.js")
        }
        #expect(error?.message.contains("can match this text of 41 characters in very many ways") == true)
    }

    // MARK: Values without JSON

    @Test(
        "The error of a result without a JSON form has the place of the member",
        arguments: [
            ("{ order: { items: [{ id: 1n }] } }", "order.items[0].id is a BigInt, which JSON cannot hold"),
            (
                "(o => { o.inner = { list: [o] }; return o })({ })",
                "inner.list[0] contains itself, which JSON cannot hold"
            ),
        ])
    func unwritableMembers(source: String, message: String) throws {
        let error = #expect(throws: ScriptError.self) { try engine.evaluate("(\(source))", name: "t.js") }
        #expect(error?.message == "TypeError: " + message)
    }
}
#endif
