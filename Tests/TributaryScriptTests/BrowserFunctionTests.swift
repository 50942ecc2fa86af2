import Testing

@testable import TributaryScript

/// Browser functions that scripts have, and browser functions that they do not have.
@Suite struct BrowserFunctionTests {
    let engine: ScriptEngine

    init() throws { engine = try ScriptEngine() }

    @Test(
        "Functions of browsers return in scripts what they return in a browser",
        arguments: [
            ("[btoa('Hello'), btoa('ab'), atob('SGVsbG8='), atob(' Y Q = = ')].join()", "SGVsbG8=,YWI=,Hello,a"),
            (
                "[...new TextEncoder().encode('a\u{E9}\u{20AC}\u{1F600}')].join()",
                "97,195,169,226,130,172,240,159,152,128"
            ),
            (
                "new TextDecoder().decode(new TextEncoder().encode('a\u{E9}\u{20AC}\u{1F600}'))",
                "a\u{E9}\u{20AC}\u{1F600}"
            ),
            ("new TextDecoder().decode(new Uint8Array([0xFF, 65, 0xE2, 0x82]))", "\u{FFFD}A\u{FFFD}"),
            ("new URLSearchParams('?a=1&b=x+y&a=%C3%A9').getAll('a').join()", "1,\u{E9}"),
            ("String(new URLSearchParams({ 'a b': \"~!'()*\" }))", "a+b=%7E%21%27%28%29*"),
            ("new URLSearchParams('https://a.b/?utm_source=x#y'.split('?')[1].split('#')[0]).get('utm_source')", "x"),
            (
                "(p => { p.set('a', 3); p.delete('b'); p.append('c', ''); return p + p.size + p.has('b') })(new URLSearchParams('a=1&b&a=2'))",
                "a=3&c=2false"
            ),
            (
                "(o => { o.self = o; const c = structuredClone(o); return [c !== o, c.self === c, c.d - 0, [...c.m][0][1].x] })"
                    + "({ d: new Date(5), m: new Map([[1, { x: 2 }]]) }).join()", "true,true,5,2"
            ),
            ("crypto.randomUUID().length + String(crypto.randomUUID() === crypto.randomUUID())", "36false"),
        ])
    func browserFunctions(source: String, expected: String) throws {
        #expect(try engine.evaluate(source, name: "t.js") == .string(expected))
    }

    @Test(
        "The error of a missing browser function says what to use instead",
        arguments: [
            ("btoa('\u{20AC}')", "InvalidCharacterError"), ("atob('a')", "InvalidCharacterError"),
            ("structuredClone(() => 1)", "DataCloneError"), ("new TextDecoder('latin1')", "only utf-8"),
            ("setTimeout(() => 1)", "Can't find variable: setTimeout (scripts have no timers)"),
            ("fetch('x')", "Can't find variable: fetch (scripts have no network)"),
            ("new URL('x')", "Can't find variable: URL (take the part behind '?' and read it with URLSearchParams)"),
            ("localStorage.x", "Can't find variable: localStorage (use storage)"),
            ("class A {}; A()", "without |new| (write new before the name of the class)"),
        ])
    func absentFunctions(source: String, message: String) throws {
        let error = throwing { try engine.run("\n" + source, name: "t.js") }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "none")")
        #expect(error?.line == 2)
    }

    @Test("The console has the methods of a browser's console")
    func console() throws {
        var lines: [String] = []
        engine.console = { level, line in lines.append("\(level): \(line)") }
        try engine.run(
            """
            console.group('g'); console.log('in', { a: 1 }); console.groupEnd()
            console.count(); console.count(); console.countReset(); console.count('x')
            console.assert(1 === 2, 'no', { a: 1 }); console.assert(true); console.dir({ a: 1 })
            console.table([{ a: 1 }, { a: 2, b: 'x' }]); console.table([7]); console.timeEnd('never');
            (function f() { console.trace('here') })()
            """, name: "t.js")
        #expect(
            lines == [
                "log: g", "log:   in {\"a\":1}", "log: default: 1", "log: default: 2", "log: x: 1",
                "error: assertion failed: no {\"a\":1}", "log: {\"a\":1}", "log: index | a | b", "log: 0 | 1 | ",
                "log: 1 | 2 | x", "log: index | value", "log: 0 | 7", "warn: there is no time never",
                "log: Trace here\nf@t.js:5\nglobal code@t.js:5",
            ])
    }

    @Test("A timer of the console writes its time when it ends")
    func timers() throws {
        var lines: [String] = []
        engine.console = { _, line in lines.append(line) }
        try engine.run(
            "console.time('t'); console.timeLog('t', 'now'); console.timeEnd('t'); console.timeEnd('t')", name: "t.js")
        #expect(lines.count == 3)
        #expect(lines[0].hasPrefix("t: ") && lines[0].hasSuffix(" ms now"))
        #expect(lines[2] == "there is no time t")
    }
}

/// The errors that the author of a script gets.
@Suite struct AuthorErrorTests {
    let engine: ScriptEngine

    init() throws { engine = try ScriptEngine() }

    @Test("The message of a thrown object is its JSON or its text")
    func thrownObjects() throws {
        #expect(throwing { try engine.run("throw { code: 3 }", name: "t.js") }?.message == #"{"code":3}"#)
        #expect(throwing { try engine.run("throw 'text'", name: "t.js") }?.message == "text")
        #expect(
            throwing { try engine.run("throw { get a() { throw 1 } }", name: "t.js") }?.message == "[object Object]")
    }

    @Test(
        "An error of a script's own class has the place of its throw",
        arguments: [
            "class Oops extends Error { constructor(m) { super(m); this.name = 'Oops' } }",
            "class Oops extends Error { }", "class Oops extends TypeError { name = 'Oops' }",
        ])
    func errorClasses(type: String) throws {
        let error = throwing { try engine.run(type + "\nfunction f() {\n  throw new Oops('x')\n}\nf()", name: "t.js") }
        #expect(error?.stack?.contains("f@t.js:3") == true)
        #expect([1, 3].contains(error?.line))
    }

    @Test(
        "A script may have the name of one of the library's scripts",
        arguments: ["sandbox.js", "lists.js", "console.js"])
    func scriptNames(name: String) throws {
        let error = throwing { try engine.run("\n[].with(5, 1)", name: name) }
        #expect(error?.file == name)
        #expect(error?.line == 2)
    }

    @Test("The error of a misused built-in function has the place of the call")
    func misuse() throws {
        let error = throwing {
            try engine.run(
                "class A {\n  m() { const long = 'x'.repeat(1e9); return long }\n}\nnew A().m()", name: "t.js")
        }
        #expect(error?.line == 2)
        #expect(error?.file == "t.js")
        #expect(error?.stack?.contains(".js:2") == true)
        #expect(error?.stack?.contains("texts.js") == false)
    }
}
